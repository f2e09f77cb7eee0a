"""`/settings`: what is chosen about sandboxes and pull requests, for all and for a repository.

Everybody may read it, the owner may change it. A repository is named by its URL in the query.
"""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app import settings_views
from shared.app.accounts import only_owner
from shared.app.ports.pull_request_policies import NO_POLICY, Policy
from shared.domain.errors import Invalid
from shared.domain.repository_url import RepositoryKey, key
from shared.edge.http.resolver import app_of, as_sent, user_of
from shared.protocol import settings as wire
from shared.protocol.pull_requests import PullRequestPolicyInEffect, PullRequestPolicyView

router = APIGatewayHttpRouter()

Url = Annotated[str, Query(max_length=2_000, pattern=r"^https?://[^\s]+$")]
Version = Annotated[str, Query(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Asked = Annotated[wire.NewSandboxSettings, Body()]


@router.get("/settings/sandbox", tags=["settings"])
def show() -> wire.SettingsLevel:
    user_of(router)
    return _level(None)


@router.put("/settings/sandbox", tags=["settings"])
def choose(asked: Asked) -> wire.SettingsLevel:
    return _choose(None, asked)


@router.get("/settings/sandbox/repositories", tags=["settings"])
def repositories() -> wire.SettingsLevelList:
    user_of(router)
    chosen = app_of(router).settings.store.of_repositories()
    levels = [settings_views.of_level(level.repository, level) for level in chosen]
    return wire.SettingsLevelList(repositories=levels)


@router.get("/settings/sandbox/repository", tags=["settings"])
def show_repository(url: Url) -> wire.SettingsLevel:
    user_of(router)
    return _level(_repository(url))


@router.put("/settings/sandbox/repository", tags=["settings"])
def choose_for_repository(url: Url, asked: Asked) -> wire.SettingsLevel:
    return _choose(_repository(url), asked)


@router.delete("/settings/sandbox/repository", tags=["settings"])
def forget_repository(url: Url, version: Version) -> wire.SettingsLevel:
    repository = _repository(url)
    app_of(router).settings.forget(user_of(router), repository, version)
    return _level(repository)


@router.get("/settings/sandbox/resolved", tags=["settings"])
def resolved(url: Url) -> wire.SettingsInEffect:
    user_of(router)
    repository = _repository(url)
    settings = app_of(router).settings.in_effect(repository)
    return wire.SettingsInEffect(
        repository=repository, settings=settings_views.of_settings(settings)
    )


@router.get("/settings/pull-requests", tags=["settings"])
def pull_requests() -> PullRequestPolicyInEffect:
    user_of(router)
    return _policy(None)


@router.put("/settings/pull-requests", tags=["settings"])
def choose_pull_requests(
    asked: Annotated[PullRequestPolicyView, Body()],
) -> PullRequestPolicyInEffect:
    return _choose_policy(None, _chosen(asked))


@router.get("/settings/pull-requests/repository", tags=["settings"])
def pull_requests_of_repository(url: Url) -> PullRequestPolicyInEffect:
    user_of(router)
    return _policy(_repository(url))


@router.put("/settings/pull-requests/repository", tags=["settings"])
def choose_pull_requests_of_repository(
    url: Url, asked: Annotated[PullRequestPolicyView, Body()]
) -> PullRequestPolicyInEffect:
    return _choose_policy(_repository(url), _chosen(asked))


@router.delete("/settings/pull-requests/repository", tags=["settings"])
def inherit_pull_requests(url: Url) -> PullRequestPolicyInEffect:
    return _choose_policy(_repository(url), None)


def _chosen(asked: PullRequestPolicyView) -> Policy:
    return Policy(draft=asked.draft, label=asked.label.strip())


def _policy(repository: RepositoryKey | None) -> PullRequestPolicyInEffect:
    policies = app_of(router).pull_requests.policies
    own = policies.get(repository)
    policy = own or policies.get(None) or NO_POLICY
    return PullRequestPolicyInEffect(draft=policy.draft, label=policy.label, own=own is not None)


def _choose_policy(
    repository: RepositoryKey | None, policy: Policy | None
) -> PullRequestPolicyInEffect:
    only_owner(user_of(router))
    app_of(router).pull_requests.policies.put(repository, policy)
    return _policy(repository)


def _level(repository: RepositoryKey | None) -> wire.SettingsLevel:
    return settings_views.of_level(repository, app_of(router).settings.store.get(repository))


def _choose(repository: RepositoryKey | None, asked: wire.NewSandboxSettings) -> wire.SettingsLevel:
    user, settings = user_of(router), settings_views.to_settings(asked.settings)
    try:
        chosen = app_of(router).settings.choose(user, repository, settings, version=asked.version)
    except Invalid as error:
        raise settings_views.on_the_wire(error) from None
    return settings_views.of_level(repository, chosen)


def _repository(url: str) -> RepositoryKey:
    return key(as_sent(router, "url", url))
