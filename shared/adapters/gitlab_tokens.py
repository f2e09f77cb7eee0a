"""Access tokens of one GitLab project, for git alone, kept in memory while they are good.

GitLab ends them at midnight, UTC, of a date. Each is a member of the project while it lasts, so one
is used for as long as it is good.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from typing import Any

from shared.app.ports.forges import Access, Credential, ForgeRefused
from shared.domain.errors import NotFound

NAME = "outboard"
_REPORTER, _DEVELOPER = 20, 30
_SPARE = timedelta(minutes=5)
_SHORTEST = timedelta(hours=1)

type Mint = Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class ProjectTokens:
    _kept: dict[tuple[str, bool], Credential] = field(
        default_factory=dict[tuple[str, bool], Credential], repr=False
    )

    def of(self, project: str, access: Access, now: datetime, mint: Mint) -> Credential:
        """Raises `NotFound` where GitLab makes none, and what `mint` does."""
        kind = (project, access is Access.READ)
        known = self._kept.get(kind)
        if known is None or known.expires_at is None or known.expires_at - _SPARE <= now:
            known = self._kept[kind] = _minted(project, access, now, mint)
        return known

    def forget(self, project: str) -> None:
        """Safe to repeat."""
        for reads in (True, False):
            self._kept.pop((project, reads), None)


def _minted(project: str, access: Access, now: datetime, mint: Mint) -> Credential:
    ends = datetime.combine((now.astimezone(UTC) + _SHORTEST).date(), time(), UTC) + timedelta(1)
    reads = access is Access.READ
    asked = {
        "name": NAME,
        "scopes": ["read_repository" if reads else "write_repository"],
        "access_level": _REPORTER if reads else _DEVELOPER,
        "expires_at": ends.date().isoformat(),
    }
    try:
        return Credential("oauth2", mint(asked), ends)
    except ForgeRefused as refused:
        raise NotFound(
            f"GitLab makes no access token for {project} alone, which needs a GITLAB_TOKEN of a"
            f" Maintainer with the scope api, and on gitlab.com a paid tier: {refused}"
        ) from None
