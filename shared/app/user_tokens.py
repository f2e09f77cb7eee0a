"""People's tokens at providers: kept sealed, and refreshed by one function at a time.

A refresh token is good once. So whoever refreshes says so first, by compare and swap; whoever comes
meanwhile waits for what the first one gets. When the answer to a refresh is lost, the next refresh
is refused, and the row then says that this person has to sign in again.
"""

import base64
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from shared.app.ports.grants import Grants, KeptGrant, Seal
from shared.app.ports.identity_providers import Grant, IdentityProvider
from shared.domain.errors import Unavailable
from shared.domain.session.state import UserId

GOOD_FOR = timedelta(minutes=1)
REFRESHING = timedelta(seconds=30)
"""Longer than a refresh may take: who has not ended it by then is gone."""
LOOK_AGAIN_SECONDS = 0.5
LOOKS = 12

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptTokens:
    """`seal` None: nothing is kept, for there is nothing to keep it safe with."""

    grants: Grants
    seal: Seal | None
    providers: Mapping[str, IdentityProvider]
    clock: Callable[[], datetime]
    sleep: Callable[[float], None]
    new_id: Callable[[], str]

    def keep(self, user: UserId, provider: str, grant: Grant) -> None:
        if self.seal is not None:
            self.grants.put(self._kept(self.seal, user, provider, grant))

    def token(self, user: UserId, kind: str) -> str | None:
        """See the port `UserTokens`."""
        if self.seal is None or kind not in self.providers:
            return None
        for _ in range(LOOKS):
            kept = self.grants.get(user, kind)
            if kept is None or kept.ended is not None:
                return None
            grant = _opened(self.seal, _context(user, kind), kept)
            if self._good(grant):
                return grant.access_token
            if grant.refresh_token is None:
                return self._end(kept)
            if self._claimed(kept):
                self.sleep(LOOK_AGAIN_SECONDS)
            elif (claim := self._claim(kept)) is not None:
                return self._refresh(self.seal, claim, grant.refresh_token)
        raise Unavailable("somebody else's refresh of this token takes too long")

    def _good(self, grant: Grant) -> bool:
        return grant.access_until is None or grant.access_until > self.clock() + GOOD_FOR

    def _claimed(self, kept: KeptGrant) -> bool:
        return kept.refreshing_until is not None and kept.refreshing_until > self.clock()

    def _claim(self, kept: KeptGrant) -> KeptGrant | None:
        until = self.clock() + REFRESHING
        claim = replace(kept, version=self.new_id(), refreshing_until=until)
        return claim if self.grants.swap(kept.version, claim) else None

    def _refresh(self, seal: Seal, claim: KeptGrant, refresh_token: str) -> str | None:
        try:
            grant = self.providers[claim.provider].refresh(refresh_token)
        except Unavailable:
            # It may have been carried out: the next one will find out.
            free = replace(claim, version=self.new_id(), refreshing_until=None)
            self.grants.swap(claim.version, free)
            raise
        if grant is None:
            return self._end(claim)
        kept = self._kept(seal, claim.user, claim.provider, grant)
        if not self.grants.swap(claim.version, kept):
            logger.info("grant_replaced_meanwhile", extra={"user": claim.user})
        return grant.access_token

    def _end(self, kept: KeptGrant) -> str | None:
        """Unless somebody has signed in again meanwhile: then that is what counts."""
        ended = replace(kept, version=self.new_id(), refreshing_until=None, ended="refresh refused")
        if self.grants.swap(kept.version, ended):
            logger.warning("grant_ended", extra={"user": kept.user, "provider": kept.provider})
            return None
        return self.token(kept.user, kept.provider)

    def _kept(self, seal: Seal, user: UserId, provider: str, grant: Grant) -> KeptGrant:
        sealed = seal.seal(_context(user, provider), _plain(grant))
        text = base64.b64encode(sealed).decode()
        return KeptGrant(user, provider, self.new_id(), text, self.clock())


def _context(user: UserId, provider: str) -> str:
    return f"grant/{provider}/{user}"


def _plain(grant: Grant) -> bytes:
    until = (grant.access_until, grant.refresh_until)
    texts = [None if moment is None else moment.isoformat() for moment in until]
    return json.dumps([grant.access_token, texts[0], grant.refresh_token, texts[1]]).encode()


def _opened(seal: Seal, context: str, kept: KeptGrant) -> Grant:
    plain = seal.open(context, base64.b64decode(kept.sealed))
    access, until, refresh, refresh_until = json.loads(plain)
    return Grant(access, _moment(until), refresh, _moment(refresh_until))


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
