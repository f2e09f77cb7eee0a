"""Signing in by way of a provider. It ends in the same one-use code as every other way in.

Only the browser that began it can end it, see `ways_out`; the provider's redirect alone does not
have enough to.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from shared.app import ways_out
from shared.app.newcomers import Newcomers
from shared.app.ports.identity_providers import IdentityProvider
from shared.app.sign_ins import SignIns
from shared.app.user_tokens import KeptTokens
from shared.app.ways_out import Way
from shared.domain.admission import Admission
from shared.domain.errors import Forbidden, NotFound, Unauthenticated

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Departure:
    """Where the browser goes, and what it keeps until it is back."""

    address: str
    verifier: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSignIns:
    providers: Mapping[str, IdentityProvider]
    newcomers: Newcomers
    sign_ins: SignIns
    user_tokens: KeptTokens
    admission: Admission
    clock: Callable[[], datetime]

    def start(self, provider: str, back: str) -> Departure:
        """`back` is our callback's address. Raises `NotFound` for one that is not set up."""
        return depart(asked(self.providers, provider), Way(provider), back, self.clock())

    def finish(self, provider: str, state: str, code: str, verifier: str, back: str) -> str:
        """The one-use code that begins a login.

        Raises `NotFound`, `Unauthenticated` when it is not this browser's or too late, `Forbidden`
        for whoever is not admitted, `Unavailable`.
        """
        there = asked(self.providers, provider)
        self.check(provider, state, verifier)
        grant = there.exchange(code, verifier=verifier, back=back)
        person = there.person(grant, self.admission.organisations)
        if not self.admission.admits(person.login, person.emails, person.organisations):
            logger.info("sign_in_not_admitted", extra={"provider": provider, "id": person.id})
            raise Forbidden("this deployment does not admit you")
        user = self.newcomers.user(provider, person)
        self.user_tokens.keep(user.id, provider, grant)
        return self.sign_ins.offer_code(user)[0]

    def check(self, provider: str, state: str, verifier: str) -> None:
        """Raises `Unauthenticated`."""
        if not Way(provider).leads_back(verifier, state, self.clock()):
            raise Unauthenticated("this sign-in was begun elsewhere, or is too old")


def asked(providers: Mapping[str, IdentityProvider], name: str) -> IdentityProvider:
    """Raises `NotFound`."""
    if name not in providers:
        raise NotFound(f"nobody signs in by way of {name!r} here")
    return providers[name]


def depart(provider: IdentityProvider, way: Way, back: str, now: datetime) -> Departure:
    verifier = way.begin(now)
    address = provider.address(
        state=way.state(verifier), challenge=ways_out.challenge(verifier), back=back
    )
    return Departure(address, verifier)
