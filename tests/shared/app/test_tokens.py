"""Tokens are random, kept as hashes, and a sandbox's says whose it claims to be."""

import pytest

from shared.app import tokens
from shared.app.tokens import SandboxClaim
from shared.domain.session.state import SessionId


def test_a_token_matches_its_own_hash_alone():
    token, other = tokens.new_user_token(), tokens.new_user_token()

    assert tokens.matches(token, tokens.digest(token))
    assert not tokens.matches(other, tokens.digest(token))
    assert not tokens.matches(token, None)


def test_a_sandbox_token_names_its_attempt():
    token = tokens.new_sandbox_token(SessionId("s1"), 3)

    assert tokens.sandbox_claim(token) == SandboxClaim(SessionId("s1"), 3)


@pytest.mark.parametrize("text", ["", "obs", "obs.s1.x.y", "obu.s1.1.y", "obs.s1.1", "a.b.c.d.e"])
def test_anything_else_claims_nothing(text: str):
    assert tokens.sandbox_claim(text) is None
