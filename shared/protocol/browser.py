"""Signing a browser in, and who it is then. Its cookie is in no message: no script sees it."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import StringConstraints

from shared.protocol.api import Email, PersonName
from shared.protocol.base import Strict

MARK = "x-outboard"
MARK_OF_PAGES = "web"
"""The header of every request of our pages that changes something. Another site's page can't send
it: that takes a preflight, which nobody answers (no CORS)."""

type Via = Literal["cookie", "token"]


class SignInCode(Strict):
    """For a link that signs a browser in, once. The only time that it is shown."""

    code: str
    expires_at: datetime


class SignIn(Strict):
    code: Annotated[str, StringConstraints(min_length=1, max_length=100)]


class SignOutEverywhere(Strict):
    """All browsers of whoever asks. `tokens`: their personal access tokens end, too."""

    tokens: bool = False


class ProviderList(Strict):
    """By way of whom one may sign in here, at `/api/sign-in/<provider>`."""

    providers: list[str]


class Me(Strict):
    name: str
    role: Literal["owner", "member"]
    display_name: str
    email: str | None
    created_at: datetime
    via: Via


class SignedIn(Me):
    """`page_key`: on one machine, where ports share cookies, a login is good with it alone.

    The page keeps it, and sends it behind the mark of our pages: `web <key>`.
    """

    page_key: str | None


class ProfileChange(Strict):
    """What is left out stays as it is; what is null is taken away."""

    display_name: PersonName | None = None
    email: Email | None = None
