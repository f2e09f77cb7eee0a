"""`/forge`: what the code hosts have for us to work on; and what people say about it."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app import forge_views
from shared.domain.errors import Invalid
from shared.domain.repository_url import key
from shared.domain.session.state import EnvironmentId
from shared.edge.http.resolver import app_of, as_sent, user_of
from shared.protocol import forge as wire

router = APIGatewayHttpRouter()

Words = Annotated[str, Query(max_length=200)]
Url = Annotated[str, Query(max_length=2_000, pattern=r"^https?://[^\s]+$")]


@router.get("/forge/repositories", tags=["forge"])
def repositories(query: Words = "") -> wire.ForgeRepositoryList:
    user_of(router)
    words = as_sent(router, "query", query) if query else ""
    return forge_views.of_repositories(app_of(router).forge_lists.repositories(words))


@router.get("/forge/branches", tags=["forge"])
def branches(url: Url) -> wire.BranchList:
    user_of(router)
    listed = app_of(router).forge_lists.branches(as_sent(router, "url", url))
    return forge_views.of_branches(listed)


@router.get("/repositories/about", tags=["forge"])
def about(url: Url) -> wire.RepositoryAboutView:
    user_of(router)
    repository = key(as_sent(router, "url", url))
    return forge_views.of_about(repository, app_of(router).abouts.get(repository))


@router.put("/repositories/about", tags=["forge"])
def say(url: Url, asked: Annotated[wire.NewRepositoryAbout, Body()]) -> wire.RepositoryAboutView:
    """All of it anew: what is left out is empty then. The environment has to be there."""
    user_of(router)
    repository, about = key(as_sent(router, "url", url)), forge_views.to_about(asked)
    environments = app_of(router).environments.store
    if about.environment and environments.get(EnvironmentId(about.environment)) is None:
        raise Invalid("environment", "there is no such environment")
    app_of(router).abouts.put(repository, about)
    return forge_views.of_about(repository, about)
