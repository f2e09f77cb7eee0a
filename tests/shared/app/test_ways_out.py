"""A way to a provider leads back where it was begun, for what it was begun, in time."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.app.ways_out import LIFE, Way, challenge, connects
from tests.build import NOW

PROVIDERS = st.sampled_from(["github", "gitlab"])
LOGINS = st.sampled_from(["", "hash of ada's", "hash of bob's"])
WAYS = st.builds(Way, PROVIDERS, LOGINS)


@given(begun=WAYS, asked=WAYS, after=st.timedeltas(timedelta(), 2 * LIFE))
def test_it_leads_back_to_what_it_was_begun_for_in_ten_minutes(
    begun: Way, asked: Way, after: timedelta
):
    verifier = begun.begin(NOW)

    leads_back = asked.leads_back(verifier, begun.state(verifier), NOW + after)

    assert leads_back is (asked == begun and after < LIFE)
    assert connects(verifier) is bool(begun.login)


@given(way=WAYS, at=st.integers(0, 200), letter=st.sampled_from("aZ09._-"))
def test_a_secret_that_was_changed_anywhere_leads_nowhere(way: Way, at: int, letter: str):
    verifier = way.begin(NOW)
    at %= len(verifier)
    changed = verifier[:at] + letter + verifier[at + 1 :]

    assert way.leads_back(changed, way.state(verifier), NOW) is (changed == verifier)


@given(way=WAYS, state=st.text(max_size=50), verifier=st.text(max_size=90))
def test_what_was_made_up_leads_nowhere(way: Way, state: str, verifier: str):
    assert not way.leads_back(verifier, state, NOW)
    assert not way.leads_back(way.begin(NOW), state, NOW)
    assert not connects(verifier)


def test_a_provider_sees_neither_the_secret_nor_the_same_hash_twice():
    way = Way("github")
    verifier = way.begin(NOW)

    assert len({verifier, way.state(verifier), challenge(verifier)}) == 3
    assert way.begin(NOW) != verifier
    assert 43 <= len(verifier) <= 128  # as PKCE has it
