"""The HTTP API of Outboard as typed methods.

Requests that are safe to repeat are repeated for a while when nobody answers or the server asks to
come back later; the others are sent once. Every method raises `Refused` or `Unreachable`.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from types import TracebackType
from typing import Self
from urllib.parse import quote

import httpx
from pydantic import BaseModel

from shared.client.deployment import START, Deployment, is_loopback
from shared.client.errors import Unreachable
from shared.client.refusals import meaning
from shared.client.retries import ASK_AGAIN, LATER, asking_again
from shared.client.wire import Garbled, read
from shared.protocol import api
from shared.protocol.access_tokens import AccessTokenCreated, AccessTokenList, NewAccessToken
from shared.protocol.attachments import AttachmentView, NewAttachment
from shared.protocol.boots import BootList
from shared.protocol.browser import Me, SignInCode, SignOutEverywhere
from shared.protocol.changes import ChangesView, FilePatch, RefreshAsked
from shared.protocol.environments import (
    EnvironmentChange,
    EnvironmentDeleted,
    EnvironmentList,
    EnvironmentView,
    NewEnvironment,
    NewEnvironmentOfSession,
)
from shared.protocol.forge import (
    BranchList,
    ForgeRepositoryList,
    NewRepositoryAbout,
    RepositoryAboutView,
)
from shared.protocol.inbox import RememberedRepository, RepositoryList
from shared.protocol.pull_requests import NewPullRequest, PullRequestList, PullRequestOutcome
from shared.protocol.secrets import NewCopy, NewRotation, NewSecrets, Rotated, ScopeName, SecretList
from shared.protocol.settings import (
    NewSandboxSettings,
    SettingsInEffect,
    SettingsLevel,
    SettingsLevelList,
)

type Notice = Callable[[str], None]
type Params = Mapping[str, str | int]

# An answer may take 30 s: API Gateway's own limit.
TIMEOUT = httpx.Timeout(35, connect=5)

BYTES = {"content-type": "application/octet-stream"}

SETTINGS = "/settings/sandbox"


class Api:
    """One user's view of one deployment. `notice` is told when something is asked again."""

    def __init__(
        self,
        deployment: Deployment,
        *,
        notice: Notice,
        ask_again: Sequence[timedelta] = ASK_AGAIN,
    ) -> None:
        self._notice = notice
        self._ask_again = ask_again
        self.deployment = deployment
        self._http = httpx.AsyncClient(
            base_url=deployment.http,
            headers={"authorization": f"Bearer {deployment.token}"},
            timeout=TIMEOUT,
            # A proxy in the environment is for the world outside, not for this machine.
            trust_env=not is_loopback(deployment.http),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._http.aclose()

    async def create_session(self, new: api.NewSession) -> api.SessionView:
        return await self._ask(api.SessionView, "POST", "/sessions", body=new)

    async def sessions(
        self,
        *,
        limit: int,
        start: str | None = None,
        status: str | None = None,
        lifecycle: str | None = None,
        query: str | None = None,
        mine: bool = False,
    ) -> api.SessionList:
        params = {
            "limit": str(limit),
            "start": start,
            "status": status,
            "lifecycle": lifecycle,
            "query": query,
            "mine": "true" if mine else None,
        }
        given = {name: value for name, value in params.items() if value is not None}
        return await self._ask(api.SessionList, "GET", "/sessions", params=given)

    async def session(self, session_id: str) -> api.SessionView:
        return await self._ask(api.SessionView, "GET", _path(session_id))

    async def rename(self, session_id: str, new: api.Rename) -> api.SessionView:
        return await self._ask(api.SessionView, "PATCH", _path(session_id), body=new)

    async def archive(self, session_id: str) -> api.SessionView:
        return await self._ask(api.SessionView, "POST", _path(session_id, "archive"))

    async def unarchive(self, session_id: str) -> api.SessionView:
        return await self._ask(api.SessionView, "POST", _path(session_id, "unarchive"))

    async def resume(self, session_id: str) -> api.SessionView:
        return await self._ask(api.SessionView, "POST", _path(session_id, "resume"))

    async def anew(self, session_id: str) -> api.SessionView:
        return await self._ask(api.SessionView, "POST", _path(session_id, "anew"))

    async def save(self, session_id: str) -> api.SessionView:
        return await self._ask(api.SessionView, "POST", _path(session_id, "snapshot"))

    async def cancel(self, session_id: str) -> api.SessionView:
        return await self._ask(api.SessionView, "POST", _path(session_id, "cancel"))

    async def stop(self, session_id: str, prompt: int | None = None) -> api.SessionView:
        """One that is named may be asked twice; without, it is sent once and hits what runs."""
        address = _path(session_id, "stop")
        if prompt is None:
            return await self._ask(api.SessionView, "POST", address, once=True)
        return await self._ask(api.SessionView, "POST", f"{address}?prompt={prompt}")

    async def submit(self, session_id: str, new: api.NewPrompt) -> api.PromptAccepted:
        return await self._ask(api.PromptAccepted, "POST", _path(session_id, "prompts"), body=new)

    async def begin_attachment(self, new: NewAttachment) -> AttachmentView:
        return await self._ask(AttachmentView, "POST", "/attachments", body=new)

    async def put_part(self, attachment_id: str, part: int, content: bytes) -> None:
        path = f"/attachments/{quote(attachment_id, safe='')}/parts/{part}"
        request = self._http.build_request("PUT", path, content=content, headers=BYTES)
        response = await self._send(request, self._ask_again)
        if not response.is_success:
            raise meaning(response)

    async def complete_attachment(self, attachment_id: str) -> AttachmentView:
        path = f"/attachments/{quote(attachment_id, safe='')}/complete"
        return await self._ask(AttachmentView, "POST", path)

    async def prompts(self, session_id: str, *, after: int, limit: int) -> api.PromptList:
        """With excerpts of their texts."""
        params = {"after": after, "limit": limit}
        return await self._ask(api.PromptList, "GET", _path(session_id, "prompts"), params=params)

    async def prompt(self, session_id: str, number: int) -> api.PromptView:
        """With its whole text."""
        path = _path(session_id, f"prompts/{number}")
        return await self._ask(api.PromptView, "GET", path)

    async def unqueue(self, session_id: str, number: int) -> api.SessionView:
        path = _path(session_id, f"prompts/{number}")
        return await self._ask(api.SessionView, "DELETE", path, once=True)

    async def timeline(self, session_id: str, *, after: int, limit: int) -> api.TimelinePage:
        params = {"after": after, "limit": limit}
        return await self._ask(
            api.TimelinePage, "GET", _path(session_id, "timeline"), params=params
        )

    async def artifacts(self, session_id: str) -> api.ArtifactList:
        return await self._ask(api.ArtifactList, "GET", _path(session_id, "artifacts"))

    async def open_pull_request(self, session_id: str, new: NewPullRequest) -> PullRequestOutcome:
        path = _path(session_id, "pull-requests")
        return await self._ask(PullRequestOutcome, "POST", path, body=new)

    async def pull_requests(self, session_id: str) -> PullRequestList:
        return await self._ask(PullRequestList, "GET", _path(session_id, "pull-requests"))

    async def refresh_pull_requests(self, session_id: str) -> PullRequestList:
        path = _path(session_id, "pull-requests/refresh")
        return await self._ask(PullRequestList, "POST", path)

    async def boots(self, session_id: str, *, limit: int) -> BootList:
        return await self._ask(BootList, "GET", _path(session_id, "boots"), params={"limit": limit})

    async def changes(self, session_id: str) -> ChangesView:
        return await self._ask(ChangesView, "GET", _path(session_id, "changes"))

    async def file_patch(self, session_id: str, revision: str, file: str) -> FilePatch:
        path = f"changes/{quote(revision, safe='')}/{quote(file, safe='')}"
        return await self._ask(FilePatch, "GET", _path(session_id, path))

    async def refresh_changes(self, session_id: str) -> RefreshAsked:
        return await self._ask(RefreshAsked, "POST", _path(session_id, "changes/refresh"))

    async def socket_ticket(self, session_id: str) -> api.SocketTicket:
        """Sent once: whoever follows a session has its own patience."""
        path = _path(session_id, "socket-ticket")
        return await self._ask(api.SocketTicket, "POST", path, once=True)

    async def models(self) -> api.ModelList:
        return await self._ask(api.ModelList, "GET", "/models")

    async def me(self) -> Me:
        return await self._ask(Me, "GET", "/me")

    async def sign_in_code(self) -> SignInCode:
        return await self._ask(SignInCode, "POST", "/sign-in/codes", once=True)

    async def users(self) -> api.UserList:
        return await self._ask(api.UserList, "GET", "/users")

    async def add_user(self, new: api.NewUser) -> api.UserToken:
        return await self._ask(api.UserToken, "POST", "/users", body=new, once=True)

    async def renew_token(self, name: str) -> api.UserToken:
        path = f"/users/{quote(name, safe='')}/token"
        return await self._ask(api.UserToken, "POST", path, once=True)

    async def access_tokens(self) -> AccessTokenList:
        return await self._ask(AccessTokenList, "GET", "/tokens")

    async def create_access_token(self, new: NewAccessToken) -> AccessTokenCreated:
        return await self._ask(AccessTokenCreated, "POST", "/tokens", body=new, once=True)

    async def revoke_access_token(self, token_id: str) -> None:
        """Sent once: a second answer would be that there is no such token."""
        await self._do("DELETE", f"/tokens/{quote(token_id, safe='')}")

    async def forge_repositories(self, query: str) -> ForgeRepositoryList:
        return await self._ask(
            ForgeRepositoryList, "GET", "/forge/repositories", params={"query": query}
        )

    async def branches(self, url: str) -> BranchList:
        return await self._ask(BranchList, "GET", "/forge/branches", params={"url": url})

    async def about(self, url: str) -> RepositoryAboutView:
        return await self._ask(
            RepositoryAboutView, "GET", "/repositories/about", params={"url": url}
        )

    async def say_about(self, url: str, new: NewRepositoryAbout) -> RepositoryAboutView:
        return await self._ask(
            RepositoryAboutView, "PUT", "/repositories/about", params={"url": url}, body=new
        )

    async def repositories(self) -> RepositoryList:
        return await self._ask(RepositoryList, "GET", "/repositories")

    async def register_repository(self, new: api.NewRepository) -> RememberedRepository:
        return await self._ask(RememberedRepository, "POST", "/repositories", body=new)

    async def environments(self) -> EnvironmentList:
        return await self._ask(EnvironmentList, "GET", "/environments")

    async def create_environment(self, new: NewEnvironment) -> EnvironmentView:
        return await self._ask(EnvironmentView, "POST", "/environments", body=new)

    async def save_environment(
        self, session_id: str, new: NewEnvironmentOfSession
    ) -> EnvironmentView:
        path = _path(session_id, "environment")
        return await self._ask(EnvironmentView, "POST", path, body=new)

    async def edit_environment(
        self, environment_id: str, change: EnvironmentChange
    ) -> EnvironmentView:
        path = f"/environments/{quote(environment_id, safe='')}"
        return await self._ask(EnvironmentView, "PUT", path, body=change)

    async def delete_environment(self, environment_id: str) -> EnvironmentDeleted:
        path = f"/environments/{quote(environment_id, safe='')}"
        return await self._ask(EnvironmentDeleted, "DELETE", path)

    async def settings(self, repository: str | None) -> SettingsLevel:
        """Of one repository; None: for everything."""
        path, params = _settings(repository)
        return await self._ask(SettingsLevel, "GET", path, params=params)

    async def settings_of_repositories(self) -> SettingsLevelList:
        return await self._ask(SettingsLevelList, "GET", f"{SETTINGS}/repositories")

    async def settings_in_effect(self, repository: str) -> SettingsInEffect:
        params = {"url": repository}
        return await self._ask(SettingsInEffect, "GET", f"{SETTINGS}/resolved", params=params)

    async def choose_settings(
        self, repository: str | None, new: NewSandboxSettings
    ) -> SettingsLevel:
        path, params = _settings(repository)
        return await self._ask(SettingsLevel, "PUT", path, params=params, body=new)

    async def forget_settings(self, repository: str, version: str) -> SettingsLevel:
        path, params = _settings(repository)
        return await self._ask(SettingsLevel, "DELETE", path, params={**params, "version": version})

    async def secrets(self, scope: ScopeName, target: str | None) -> SecretList:
        return await self._ask(SecretList, "GET", "/secrets", params=_scope(scope, target))

    async def put_secrets(self, new: NewSecrets) -> SecretList:
        return await self._ask(SecretList, "PUT", "/secrets", body=new)

    async def copy_secrets(self, new: NewCopy) -> SecretList:
        return await self._ask(SecretList, "POST", "/secrets/copy", body=new)

    async def remove_secret(self, name: str, scope: ScopeName, target: str | None) -> SecretList:
        path = f"/secrets/{quote(name, safe='')}"
        return await self._ask(SecretList, "DELETE", path, params=_scope(scope, target))

    async def rotate_secrets(self, asked: NewRotation) -> Rotated:
        return await self._ask(Rotated, "POST", "/secrets/rotate", body=asked)

    async def sign_out_everywhere(self, asked: SignOutEverywhere) -> None:
        await self._do("POST", "/sign-out-everywhere", asked)

    async def _do(self, method: str, path: str, body: BaseModel | None = None) -> None:
        """What is answered by nothing, sent once."""
        json = _body(body) if body is not None else None
        response = await self._send(self._http.build_request(method, path, json=json), ())
        if not response.is_success:
            raise meaning(response)

    async def _ask[M: BaseModel](
        self,
        answer: type[M],
        method: str,
        path: str,
        *,
        params: Params | None = None,
        body: BaseModel | None = None,
        once: bool = False,
    ) -> M:
        request = self._http.build_request(
            method, path, params=params, json=_body(body) if body is not None else None
        )
        response = await self._send(request, () if once else self._ask_again)
        if not response.is_success:
            raise meaning(response)
        try:
            return read(answer, response.text)
        except Garbled as error:
            raise Unreachable(
                f"{self.deployment.http} answers, but not as this version of outboard expects"
            ) from error

    async def _send(self, request: httpx.Request, pauses: Sequence[timedelta]) -> httpx.Response:
        """The first answer worth having; the last one when the pauses are used up."""
        for pause in pauses:
            try:
                response = await self._http.send(request)
            except httpx.RequestError as error:
                if request.method == "GET" and isinstance(error, httpx.ConnectError):
                    # Nothing listens, and whoever asks a question can ask it again.
                    raise self._unreachable() from error
            else:
                if response.status_code not in LATER:
                    return response
            self._notice(asking_again(request.method))
            await asyncio.sleep(pause.total_seconds())
        try:
            return await self._http.send(request)
        except httpx.RequestError as error:
            raise self._unreachable() from error

    def _unreachable(self) -> Unreachable:
        where = self.deployment.http
        if self.deployment.state is None:
            return Unreachable(f"no answer from {where}")
        return Unreachable(f"no answer from outboard at {where}; {START}", code="not_running")


def _path(session_id: str, rest: str = "") -> str:
    path = f"/sessions/{quote(session_id, safe='')}"
    return f"{path}/{rest}" if rest else path


def _settings(repository: str | None) -> tuple[str, Params]:
    if repository is None:
        return SETTINGS, {}
    return f"{SETTINGS}/repository", {"url": repository}


def _scope(scope: ScopeName, target: str | None) -> Params:
    return {"scope": scope} if target is None else {"scope": scope, "target": target}


def _body(body: BaseModel) -> object:
    return body.model_dump(mode="json", by_alias=True, exclude_none=True)
