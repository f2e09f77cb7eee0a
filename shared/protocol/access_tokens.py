"""Personal access tokens, as they are asked for and listed."""

from datetime import date, datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from shared.domain.access import LONGEST_LIFE, Scope
from shared.protocol.base import Strict


class NewAccessToken(Strict):
    name: Annotated[
        str,
        StringConstraints(
            min_length=1, max_length=60, strip_whitespace=True, pattern=r"^[^\x00-\x1f\x7f]+$"
        ),
    ]
    scope: Scope
    days: int = Field(default=90, ge=1, le=LONGEST_LIFE.days)
    """How long it is good for."""


class AccessTokenView(Strict):
    id: str
    name: str
    scope: Scope
    created_at: datetime
    expires_at: datetime
    last_used: date | None
    """The day, in UTC."""


class AccessTokenList(Strict):
    tokens: list[AccessTokenView]


class AccessTokenCreated(Strict):
    """The only time that `secret` is shown: it is the token."""

    token: AccessTokenView
    secret: str
