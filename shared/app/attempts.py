"""Which sandbox asks: the bearer token of a living attempt, and of nothing else."""

from shared.app import tokens
from shared.app.ports.sessions import SessionStore
from shared.app.tokens import SandboxClaim
from shared.domain.errors import NotFound, Unauthenticated


def authenticate(store: SessionStore, authorization: str | None) -> SandboxClaim:
    """Raises `Unauthenticated`."""
    scheme, _, token = (authorization or "").partition(" ")
    claim = tokens.sandbox_claim(token.strip()) if scheme.lower() == "bearer" else None
    if claim is None or not _holds(store, claim, token.strip()):
        raise Unauthenticated("this needs the token of an attempt that is not over")
    return claim


def _holds(store: SessionStore, claim: SandboxClaim, token: str) -> bool:
    try:
        attempt = store.load(claim.session_id).current(claim.attempt)
    except NotFound:
        return False
    return attempt is not None and tokens.matches(token, attempt.token_hash)
