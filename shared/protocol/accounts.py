"""Accounts at providers that people connect, and what a page says when a way there has failed."""

from typing import Annotated, Literal

from pydantic import StringConstraints

from shared.protocol.base import Strict

type SignInProblem = Literal[
    "conflict", "declined", "forbidden", "not_found", "unauthenticated", "unavailable"
]
"""`declined`: at the provider. `forbidden`: we do not admit this person. `unauthenticated`: it is
too late, or another browser."""

type Returned = Annotated[str, StringConstraints(min_length=1, max_length=500)]


class SignInRefused(Strict):
    """The query of the page to which a browser comes back."""

    problem: SignInProblem


class AccountView(Strict):
    """`tokens`: whether we can act for this person there; `ended` means that it is over."""

    provider: str
    login: str
    tokens: Literal["kept", "ended", "none"]


class AccountList(Strict):
    """`offered`: where an account may be connected."""

    accounts: list[AccountView]
    offered: list[str]


class AccountDeparture(Strict):
    """Where the browser goes now."""

    address: str


class NewAccount(Strict):
    """With what the browser came back."""

    state: Returned
    code: Returned
