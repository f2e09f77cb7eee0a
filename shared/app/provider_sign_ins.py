"""Signing in by way of a provider. It ends in the same one-use code as every other way in.

The browser that begins gets a secret, which is PKCE's verifier, too; what is kept is a hash of it
under the hash of `state`. So a callback is good once, in ten minutes, in that browser, and neither
our table nor the provider's redirect has enough to finish it.
"""

import base64
import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from shared.app import tokens
from shared.app.newcomers import Newcomers
from shared.app.ports.identities import Identities, SignInUnderWay
from shared.app.ports.identity_providers import IdentityProvider
from shared.app.sign_ins import SignIns
from shared.app.user_tokens import KeptTokens
from shared.domain.admission import Admission
from shared.domain.errors import Forbidden, NotFound, Unauthenticated

UNDER_WAY = timedelta(minutes=10)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Departure:
    """Where the browser goes, and what it keeps until it is back."""

    address: str
    verifier: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSignIns:
    providers: Mapping[str, IdentityProvider]
    identities: Identities
    newcomers: Newcomers
    sign_ins: SignIns
    user_tokens: KeptTokens
    admission: Admission
    clock: Callable[[], datetime]

    def start(self, provider: str, back: str) -> Departure:
        """`back` is our callback's address. Raises `NotFound` for one that is not set up."""
        asked = self._provider(provider)
        state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        until = self.clock() + UNDER_WAY
        under_way = SignInUnderWay(provider, tokens.digest(verifier), until)
        self.identities.begin(tokens.digest(state), under_way)
        address = asked.address(state=state, challenge=_challenge(verifier), back=back)
        return Departure(address, verifier)

    def finish(self, provider: str, state: str, code: str, verifier: str, back: str) -> str:
        """The one-use code that begins a login.

        Raises `NotFound`, `Unauthenticated` when it is not this browser's or too late, `Forbidden`
        for whoever is not admitted, `Unavailable`.
        """
        asked = self._provider(provider)
        self.check_under_way(provider, state, verifier)
        grant = asked.exchange(code, verifier=verifier, back=back)
        person = asked.person(grant, self.admission.organisations)
        if not self.admission.admits(person.login, person.emails, person.organisations):
            logger.info("sign_in_not_admitted", extra={"provider": provider, "id": person.id})
            raise Forbidden("this deployment does not admit you")
        user = self.newcomers.user(provider, person)
        self.user_tokens.keep(user.id, provider, grant)
        return self.sign_ins.offer_code(user)[0]

    def check_under_way(self, provider: str, state: str, verifier: str) -> None:
        """Uses the state up, whatever comes of it. Raises `Unauthenticated`."""
        under_way = self.identities.take(tokens.digest(state))
        if (
            under_way is None
            or under_way.provider != provider
            or under_way.expires_at <= self.clock()
            or not tokens.matches(verifier, under_way.browser_hash)
        ):
            raise Unauthenticated("this sign-in was begun elsewhere, is used, or too old")

    def _provider(self, name: str) -> IdentityProvider:
        if name not in self.providers:
            raise NotFound(f"nobody signs in by way of {name!r} here")
        return self.providers[name]


def _challenge(verifier: str) -> str:
    digest = sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
