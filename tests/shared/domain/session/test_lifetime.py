"""A sandbox is put away before its provider does it, and has time to work before that."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.session.lifetime import drain_at
from shared.domain.session.rules import Rules
from tests import build
from tests.build import NOW

RULES = Rules()


def test_it_is_put_away_a_buffer_before_its_end():
    attempt = build.attempt(boot_due=NOW + RULES.boot_budget, expires_at=NOW + timedelta(hours=1))

    assert drain_at(attempt, RULES) == NOW + timedelta(minutes=50)


def test_a_provider_that_gives_less_than_the_buffer_leaves_time_to_work():
    attempt = build.attempt(boot_due=NOW + RULES.boot_budget, expires_at=NOW + timedelta(minutes=8))

    assert drain_at(attempt, RULES) == NOW + timedelta(minutes=4)


def test_an_unknown_end_is_not_never():
    assert drain_at(build.attempt(), RULES) is None


@given(st.timedeltas(min_value=timedelta(seconds=1), max_value=timedelta(days=2)))
def test_there_is_always_time_before_and_after(lifetime: timedelta):
    attempt = build.attempt(boot_due=NOW + RULES.boot_budget, expires_at=NOW + lifetime)

    until = drain_at(attempt, RULES)

    assert until is not None
    assert NOW < until < NOW + lifetime
