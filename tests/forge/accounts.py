"""How people let an App act as them: OAuth of a GitHub App, with PKCE, codes and tokens of an hour.

As strict as OAuth asks; its answers are no part of GitHub's OpenAPI.
"""

import base64
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from tests.forge.state import GitHub, Person

AUTHORIZE = "/login/oauth/authorize"
ACCESS_TOKEN = "/login/oauth/access_token"
CLIENT = ("Iv1.stand-in", "the secret of the stand-in's App")


@dataclass(frozen=True, slots=True)
class _Code:
    person: Person
    challenge: str
    back: str


@dataclass(slots=True)
class Accounts:
    """`life` of a token; `minted` has every one that was ever given to somebody."""

    github: GitHub
    life: timedelta = timedelta(hours=8)
    refusing: bool = False
    """No refresh token is taken any more: people took their consent back."""
    refreshes: int = 0
    minted: list[str] = field(default_factory=list[str])
    _codes: dict[str, _Code] = field(default_factory=dict[str, _Code])
    _refresh: dict[str, Person] = field(default_factory=dict[str, Person])

    def consent(self, address: str, person: Person) -> str:
        """Where the browser is sent when this person says yes."""
        asked = dict(parse_qsl(urlsplit(address).query, strict_parsing=True))
        assert urlsplit(address).path == AUTHORIZE
        assert asked["client_id"] == CLIENT[0]
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_hex(10)
        back = asked["redirect_uri"]
        self._codes[code] = _Code(person, asked["code_challenge"], back)
        return f"{back}?{urlencode({'code': code, 'state': asked['state']})}"

    def take_back(self, person: Person) -> None:
        """What this person's tokens were good for, they are not any more."""
        for token in [token for token, who in self.github.people.items() if who == person]:
            del self.github.people[token]

    def answer(self, body: str) -> dict[str, Any]:
        """A refusal has the status 200, too, as GitHub's have."""
        asked = dict(parse_qsl(body))
        if (asked.get("client_id"), asked.get("client_secret")) != CLIENT:
            return {"error": "incorrect_client_credentials"}
        if asked.get("grant_type") == "refresh_token":
            self.refreshes += 1
            person = self._refresh.pop(asked.get("refresh_token", ""), None)
            if person is None or self.refusing:
                return {"error": "bad_refresh_token"}
            return self._grant(person)
        return self._exchanged(asked)

    def _exchanged(self, asked: Mapping[str, str]) -> dict[str, Any]:
        known = self._codes.pop(asked.get("code", ""), None)
        if known is None or known.challenge != _challenge(asked.get("code_verifier", "")):
            return {"error": "bad_verification_code"}
        if known.back != asked.get("redirect_uri"):
            return {"error": "redirect_uri_mismatch"}
        return self._grant(known.person)

    def _grant(self, person: Person) -> dict[str, Any]:
        access, refresh = f"ghu_{secrets.token_hex(18)}", f"ghr_{secrets.token_hex(38)}"
        self.github.knows(access, person)
        self._refresh[refresh] = person
        self.minted += [access, refresh]
        return {
            "access_token": access,
            "expires_in": int(self.life.total_seconds()),
            "refresh_token": refresh,
            "refresh_token_expires_in": 15_897_600,
            "scope": "",
            "token_type": "bearer",
        }


def _challenge(verifier: str) -> str:
    return base64.urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("=")
