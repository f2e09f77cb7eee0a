"""GitHub's sign-in for people: OAuth of a GitHub App, with PKCE, and who they are there."""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urlencode

import urllib3
from urllib3.exceptions import HTTPError

from shared.adapters.github.rest import VERSION, bearer
from shared.app.ports.identity_providers import Grant, Person
from shared.app.ports.workspace import Secrets
from shared.domain.errors import Unauthenticated, Unavailable

CLIENT_SECRET = "GITHUB_CLIENT_SECRET"  # noqa: S105  a name, no secret
_TIMEOUT = urllib3.Timeout(connect=5, read=8)
_ONE_USE = urllib3.Retry(connect=2, read=0, redirect=0, status=0, other=0)
"""A code and a refresh token are good once: what may have arrived is not sent again."""
_SPENT = frozenset({"bad_verification_code", "bad_refresh_token"})
_HIDDEN = frozenset({HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND})


@dataclass(frozen=True)
class GitHubSignIn:
    url: str
    api_url: str
    client_id: str
    secrets: Secrets
    clock: Callable[[], datetime]

    @cached_property
    def _pool(self) -> urllib3.PoolManager:
        return urllib3.PoolManager(timeout=_TIMEOUT, retries=_ONE_USE)

    def address(self, *, state: str, challenge: str, back: str) -> str:
        asked = {
            "client_id": self.client_id,
            "redirect_uri": back,
            "state": state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        return f"{self.url}/login/oauth/authorize?{urlencode(asked)}"

    def exchange(self, code: str, *, verifier: str, back: str) -> Grant:
        grant = self._grant({"code": code, "code_verifier": verifier, "redirect_uri": back})
        if grant is None:
            raise Unauthenticated("GitHub's answer is used or expired: sign in again")
        return grant

    def refresh(self, refresh_token: str) -> Grant | None:
        return self._grant({"grant_type": "refresh_token", "refresh_token": refresh_token})

    def person(self, grant: Grant, organisations: Collection[str]) -> Person:
        user = self._ask(grant, "/user")
        if user is None:
            raise Unavailable("GitHub does not say who this is")
        emails: list[dict[str, Any]] = self._ask(grant, "/user/emails") or []
        return Person(
            id=str(user["id"]),
            login=user["login"],
            name=user.get("name") or "",
            emails=tuple(found["email"] for found in emails if found.get("verified") is True),
            organisations=tuple(name for name in organisations if self._member(grant, name)),
        )

    def _member(self, grant: Grant, organisation: str) -> bool:
        path = f"/user/memberships/orgs/{quote(organisation, safe='')}"
        found = self._ask(grant, path)
        return found is not None and found.get("state") == "active"

    def _grant(self, asked: Mapping[str, str]) -> Grant | None:
        """None: what was asked with is spent. GitHub answers a refusal with 200, too."""
        fields = {"client_id": self.client_id, "client_secret": self._secret(), **asked}
        said = self._json(
            "POST",
            f"{self.url}/login/oauth/access_token",
            body=urlencode(fields),
            headers={"content-type": "application/x-www-form-urlencoded"},
        )
        problem = said.get("error")
        if problem in _SPENT:
            return None
        if problem is not None or not isinstance(said.get("access_token"), str):
            raise Unavailable(
                "GitHub signs nobody in for us: see the App's id, secret and callback"
            )
        return Grant(
            said["access_token"],
            self._until(said.get("expires_in")),
            said.get("refresh_token") or None,
            self._until(said.get("refresh_token_expires_in")),
        )

    def _secret(self) -> str:
        secret = self.secrets.all().get(CLIENT_SECRET)
        if not secret:
            raise Unavailable(f"the deployment's secret has no {CLIENT_SECRET}")
        return secret

    def _until(self, seconds: object) -> datetime | None:
        if not isinstance(seconds, int | str) or not str(seconds).isdecimal():
            return None
        return self.clock() + timedelta(seconds=int(seconds))

    def _ask(self, grant: Grant, path: str) -> Any:
        """None: not there, or not for this token to see."""
        headers = {**bearer(grant.access_token), "x-github-api-version": VERSION}
        return self._json("GET", f"{self.api_url}{path}", headers=headers, hidden=True)

    def _json(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        body: str | None = None,
        hidden: bool = False,
    ) -> Any:
        sent = {"accept": "application/json", "user-agent": "outboard", **headers}
        try:
            answer = self._pool.request(method, url, headers=sent, body=body, redirect=False)
        except HTTPError:
            # its text may have the address and more in it: the cause is left out
            raise Unavailable("GitHub does not answer now") from None
        if hidden and answer.status in _HIDDEN:
            return None
        if answer.status == HTTPStatus.UNAUTHORIZED:
            raise Unauthenticated("GitHub does not take this token")
        if answer.status != HTTPStatus.OK:
            raise Unavailable(f"GitHub answers {answer.status} now")
        return _read(answer.data)


def _read(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        raise Unavailable("GitHub answers something that is no JSON") from None
