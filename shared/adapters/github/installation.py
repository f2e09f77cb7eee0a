"""Installations of the App, and the tokens they give: each for a few repositories and acts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from shared.adapters.github.app import GitHubApp
from shared.adapters.github.places import Place
from shared.adapters.github.rest import bearer
from shared.adapters.rest import Call, Rest
from shared.app.ports.forges import ForgeRefused
from shared.domain.errors import Invalid, NotFound, Unauthenticated, Unavailable

type Permissions = Mapping[str, str]

READ_METADATA: Permissions = {"metadata": "read"}
READ_CONTENTS: Permissions = {"contents": "read", "metadata": "read"}
WRITE_CONTENTS: Permissions = {"contents": "write", "metadata": "read"}
READ_PULLS: Permissions = {"metadata": "read", "pull_requests": "read"}
WORK: Permissions = {
    "actions": "read",
    "checks": "read",
    "contents": "read",
    "issues": "read",
    "metadata": "read",
    "pull_requests": "read",
    "statuses": "read",
}
WRITE_PULLS: Permissions = {"contents": "read", "metadata": "read", "pull_requests": "write"}

_SPARE = timedelta(minutes=5)
_PAGE = "100"
_LEVELS = ("read", "write", "admin")


@dataclass(frozen=True, slots=True)
class InstallationToken:
    token: str = field(repr=False)
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Installed:
    number: int
    granted: Permissions


type _Kind = tuple[int, tuple[str, ...], tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class Installations:
    rest: Rest
    app: GitHubApp
    clock: Callable[[], datetime]
    _of: dict[Place, Installed] = field(default_factory=dict[Place, Installed], repr=False)
    _tokens: dict[_Kind, InstallationToken] = field(
        default_factory=dict[_Kind, InstallationToken], repr=False
    )

    def find(self, place: Place) -> Installed:
        """Raises `NotFound` where the App is not installed."""
        if (known := self._of.get(place)) is not None:
            return known
        try:
            found = self._as_app("GET", f"{place.path}/installation")
        except NotFound:
            raise NotFound(
                f"{place.full_name} is not there, or the GitHub App is not installed on it"
            ) from None
        installed = self._of[place] = Installed(found["id"], found["permissions"])
        return installed

    def all(self) -> Sequence[int]:
        call = self._call("GET", "/app/installations", query={"per_page": _PAGE})
        pages = _ours(lambda: list(self.rest.pages(call)))
        return [one["id"] for page in pages for one in page if one.get("suspended_at") is None]

    def of(self, places: Sequence[Place], permissions: Permissions) -> InstallationToken:
        """One for exactly these. Raises `NotFound`; `Invalid` when no single token could be."""
        installations = {self.find(place).number for place in places}
        if len(installations) != 1:
            raise Invalid("urls", "one credential is for repositories of one owner")
        try:
            return self.token(installations.pop(), places, permissions)
        except (NotFound, ForgeRefused):
            self.forget(places)
        names = ", ".join(place.full_name for place in places)
        raise NotFound(f"the GitHub App may not use {names}, or not like that")

    def as_granted(self, places: Sequence[Place], wanted: Permissions) -> InstallationToken:
        """With as much of what is wanted as whoever installed the App has granted.

        Raises what `of` does.
        """
        try:
            return self.of(places, self._granted(places[0], wanted))
        except NotFound:
            # what was granted may have changed since we looked, and is forgotten now
            return self.of(places, self._granted(places[0], wanted))

    def token(
        self, installation: int, places: Sequence[Place], permissions: Permissions
    ) -> InstallationToken:
        """No places: all that the installation has."""
        names = tuple(sorted({place.name for place in places}))
        kind = (installation, names, tuple(sorted(permissions.items())))
        known = self._tokens.get(kind)
        if known is None or known.expires_at - _SPARE <= self.clock():
            known = self._tokens[kind] = self._mint(installation, names, permissions)
        return known

    def forget(self, places: Sequence[Place]) -> None:
        """What GitHub no longer takes is asked for anew."""
        names = {place.name for place in places}
        for kind in [kind for kind in self._tokens if names.intersection(kind[1])]:
            self._tokens.pop(kind, None)
        for place in places:
            self._of.pop(place, None)

    def _granted(self, place: Place, wanted: Permissions) -> Permissions:
        granted = self.find(place).granted
        return {
            name: min(level, granted[name], key=_LEVELS.index)
            for name, level in wanted.items()
            if granted.get(name) in _LEVELS
        }

    def _mint(
        self, installation: int, names: Sequence[str], permissions: Permissions
    ) -> InstallationToken:
        body: dict[str, Any] = {"permissions": dict(permissions)}
        if names:
            body["repositories"] = list(names)
        path = f"/app/installations/{installation}/access_tokens"
        answer = self._as_app("POST", path, body=body)
        return InstallationToken(answer["token"], datetime.fromisoformat(answer["expires_at"]))

    def _as_app(self, method: str, path: str, *, body: Any = None) -> Any:
        return _ours(lambda: self.rest.ask(self._call(method, path, body=body)).content)

    def _call(
        self, method: str, path: str, *, body: Any = None, query: Mapping[str, str] | None = None
    ) -> Call:
        headers = bearer(self.app.token())
        return Call(method=method, path=path, headers=headers, body=body, query=query or {})


def _ours[T](ask: Callable[[], T]) -> T:
    try:
        return ask()
    except Unauthenticated:
        raise Unavailable("GitHub does not take this deployment's App id and key") from None
