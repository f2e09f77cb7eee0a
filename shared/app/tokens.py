"""Bearer tokens: what is handed out once, and the hash that is kept.

A token carries 256 bits of randomness, so a plain SHA-256 is enough: there is nothing to guess.
"""

import hmac
import re
import secrets
from dataclasses import dataclass
from hashlib import sha256

from shared.domain.session.state import SessionId, UserId

_SANDBOX = "obs"
_USER = "obu"
_ACCESS = "oba"
_TICKET = "obt"
_CODE = "obk"
_LOGIN = "obl"
_PAGE = "obp"
_RANDOM = r"[A-Za-z0-9_-]{43}"
"""256 bits of it, as `token_urlsafe` writes them."""
_CLAIM = re.compile(rf"{_SANDBOX}\.([A-Za-z0-9_-]{{1,64}})\.([0-9]{{1,9}})\.[^.]*")
_ACCESS_CLAIM = re.compile(
    rf"{_ACCESS}\.([a-z0-9][a-z0-9._-]{{0,38}})\.([A-Za-z0-9_-]{{1,64}})\.{_RANDOM}"
)


def digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def bearer(authorization: str | None) -> str | None:
    """The token of a header `Bearer <token>`; None for anything else."""
    scheme, _, token = (authorization or "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def matches(token: str, token_hash: str | None) -> bool:
    return token_hash is not None and hmac.compare_digest(digest(token), token_hash)


def new_user_token() -> str:
    return f"{_USER}_{secrets.token_urlsafe(32)}"


def new_ticket() -> str:
    return f"{_TICKET}_{secrets.token_urlsafe(32)}"


def new_code() -> str:
    """Shorter, as it stands in a link: 192 bits that live for minutes."""
    return f"{_CODE}_{secrets.token_urlsafe(24)}"


def new_login() -> str:
    return f"{_LOGIN}_{secrets.token_urlsafe(32)}"


def is_login(text: str) -> bool:
    """Whether it looks like one: what does not was never handed out."""
    return re.fullmatch(f"{_LOGIN}_{_RANDOM}", text) is not None


def new_page_key() -> str:
    return f"{_PAGE}_{secrets.token_urlsafe(32)}"


def is_page_key(text: str) -> bool:
    return re.fullmatch(f"{_PAGE}_{_RANDOM}", text) is not None


def new_key() -> str:
    return secrets.token_urlsafe(32)


@dataclass(frozen=True, slots=True)
class SandboxClaim:
    """Which attempt a sandbox's token says it is of; worth nothing until the hash matches."""

    session_id: SessionId
    attempt: int


def new_sandbox_token(session_id: SessionId, attempt: int) -> str:
    return f"{_SANDBOX}.{session_id}.{attempt}.{secrets.token_urlsafe(32)}"


def sandbox_claim(token: str) -> SandboxClaim | None:
    found = _CLAIM.fullmatch(token)
    return SandboxClaim(SessionId(found[1]), int(found[2])) if found else None


@dataclass(frozen=True, slots=True)
class AccessClaim:
    """Which one a personal access token says it is; worth nothing until the hash matches."""

    user: UserId
    id: str


def new_access_token(user: UserId, token_id: str) -> str:
    return f"{_ACCESS}.{user}.{token_id}.{secrets.token_urlsafe(32)}"


def is_access_token(text: str) -> bool:
    """Whether it is to be read as one."""
    return text.startswith(f"{_ACCESS}.")


def access_claim(text: str) -> AccessClaim | None:
    found = _ACCESS_CLAIM.fullmatch(text)
    return AccessClaim(UserId(found[1]), found[2]) if found else None
