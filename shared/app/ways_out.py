"""The way to a provider and back, which the browser alone keeps: nothing is written for it here.

The browser gets a secret, which is PKCE's verifier, too. `state` is a hash of it, of the provider
and, where somebody connects an account, of the login that began it. So a way leads back only in the
browser that went it, in ten minutes, to what it was begun for; and whoever plants a secret in
somebody's browser can't make the `state` for a login that they do not have. That it is good once
is the provider's doing: its code is.
"""

import base64
import hmac
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

LIFE = timedelta(minutes=10)

_SIGN_IN = "in"
_CONNECT = "connect"
_VERIFIER = re.compile(rf"obw\.({_SIGN_IN}|{_CONNECT})\.([0-9]{{1,11}})\.[A-Za-z0-9_-]{{43}}")
"""All of it are letters that PKCE takes in a verifier."""


@dataclass(frozen=True, slots=True)
class Way:
    """`login`: the hash of the one that connects an account; empty: somebody signs in."""

    provider: str
    login: str = ""

    @property
    def _purpose(self) -> str:
        return _CONNECT if self.login else _SIGN_IN

    def begin(self, now: datetime) -> str:
        """The verifier."""
        until = int((now + LIFE).timestamp())
        return f"obw.{self._purpose}.{until}.{secrets.token_urlsafe(32)}"

    def state(self, verifier: str) -> str:
        return _hash(f"state\n{self.provider}\n{self.login}\n{verifier}")

    def leads_back(self, verifier: str, state: str, now: datetime) -> bool:
        found = _VERIFIER.fullmatch(verifier)
        if found is None or found[1] != self._purpose or int(found[2]) <= now.timestamp():
            return False
        return hmac.compare_digest(self.state(verifier).encode(), state.encode())


def challenge(verifier: str) -> str:
    """PKCE's S256."""
    return _hash(verifier)


def connects(verifier: str) -> bool:
    """Whether it was begun to connect an account; it may be no good all the same."""
    found = _VERIFIER.fullmatch(verifier)
    return found is not None and found[1] == _CONNECT


def _hash(text: str) -> str:
    return base64.urlsafe_b64encode(sha256(text.encode()).digest()).rstrip(b"=").decode()
