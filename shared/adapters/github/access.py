"""Who a request to GitHub is made as."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from shared.adapters.github.installation import (
    WORK,
    WRITE_PULLS,
    Installations,
    InstallationToken,
    Permissions,
)
from shared.adapters.github.places import Place
from shared.adapters.github.rest import bearer
from shared.adapters.rest import Rest
from shared.app.ports.forges import ForgeRefused
from shared.domain.errors import NotFound, Unauthenticated, Unavailable

type Headers = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class AsUs:
    """The App where it is installed; nobody in particular where it is not, who reads in public.

    `installations` is None in a deployment that has no App.
    """

    rest: Rest
    installations: Installations | None

    def token(self, places: Sequence[Place], permissions: Permissions) -> InstallationToken:
        """Raises `NotFound` where the App is not installed."""
        if self.installations is None:
            raise NotFound("this deployment has no GitHub App")
        return self.installations.of(places, permissions)

    def working_token(self, places: Sequence[Place]) -> InstallationToken:
        """Raises `NotFound` where the App is not installed."""
        if self.installations is None:
            raise NotFound("this deployment has no GitHub App")
        return self.installations.as_granted(places, WORK)

    def run[T](self, place: Place, permissions: Permissions, act: Callable[[Headers], T]) -> T:
        """Once more with a new token when GitHub does not take the one we had."""
        for _ in range(2):
            try:
                return act(self._headers(place, permissions))
            except Unauthenticated:
                if self.installations:
                    self.installations.forget([place])
            except NotFound as missing:
                raise NotFound(f"{place.full_name}: {missing}") from None
        raise Unavailable("GitHub does not take the token that it has just given us")

    def _headers(self, place: Place, permissions: Permissions) -> Headers:
        try:
            return bearer(self.token([place], permissions).token)
        except NotFound as missing:
            if permissions == WRITE_PULLS:
                raise ForgeRefused(f"{missing}; somebody signed in with GitHub may do it") from None
            return {}
