"""`outboard token`: personal access tokens on the command line."""

import pytest

from tests.fakes.api_server import ApiServer
from tests.shared.client.outboard import Outboard


def test_a_token_is_made_shown_once_listed_and_revoked(server: ApiServer, outboard: Outboard):
    made = outboard("token", "create", "nightly", "--scope", "read", "--days", "30")
    listed = outboard("token", "list")
    revoked = outboard("token", "revoke", "t1")

    assert made.out.splitlines()[-1] == "oba.ada.t1.secret"
    assert [line.split() for line in listed.out.splitlines()] == [
        ["id", "scope", "until", "last", "used", "name"],
        ["t1", "read", "2026-02-01", "never", "nightly"],
    ]
    assert (revoked.status, revoked.out) == (0, "t1 is revoked\n")
    assert outboard("token", "list").out == "no tokens\n"


def test_a_token_may_write_for_ninety_days_if_nothing_is_said(outboard: Outboard):
    (made,) = outboard("token", "create", "nightly", "--json").json
    (listed,) = outboard("token", "list", "--json").json

    assert made.pop("secret") == "oba.ada.t1.secret"
    assert made == listed
    assert (made["scope"], made["expiresAt"]) == ("write", "2026-04-02T00:00:00Z")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["create", "x", "--days", "366"], "days: input should be less than or equal to 365"),
        (["create", "x", "--scope", "root"], "invalid choice: 'root'"),
        (["create", "\t"], "name: "),
        (["revoke", "t9"], "you have no such token"),
        ([], "required: VERB"),
    ],
)
def test_a_token_that_cannot_be_is_refused(outboard: Outboard, words: list[str], sentence: str):
    ran = outboard("token", *words)

    assert ran.status == 2
    assert sentence in ran.err
