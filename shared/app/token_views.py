"""Personal access tokens, as people see them."""

from datetime import date

from shared.app.ports.access_tokens import AccessToken
from shared.protocol.access_tokens import AccessTokenView


def of_token(token: AccessToken) -> AccessTokenView:
    return AccessTokenView(
        id=token.id,
        name=token.name,
        scope=token.scope,
        created_at=token.created_at,
        expires_at=token.expires_at,
        last_used=None if token.last_used is None else date.fromisoformat(token.last_used),
    )
