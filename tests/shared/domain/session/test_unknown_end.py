"""An end that the provider does not say: not *none*, not for ever, and not in silence."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.domain.session.commands import Beat, Clock, Launched, TimedOut
from shared.domain.session.decision import NOTHING, Decision
from shared.domain.session.facts import EndUnknown
from shared.domain.session.sandbox import Ending, Wait
from shared.domain.session.state import Session
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import BOX, EXPIRY, NOW, SECOND, THIRD, after, ask

KNOWN_BY = NOW.now + NOW.rules.expiry_patience


def unknown(**attempt: object) -> Session:
    return situations.ready_for_nothing(SECOND, THIRD, **attempt)


def test_that_prompts_wait_for_an_end_to_be_known_is_told_once():
    first = ask(unknown(), Beat(1))

    again = ask(after(unknown(), Beat(1)), Beat(1))

    assert first == Decision((EndUnknown(KNOWN_BY),))
    assert again == NOTHING


def test_an_end_that_nobody_waits_for_may_be_unknown():
    assert ask(situations.ready(expires_at=None), Beat(1)) == NOTHING
    assert ask(replace(unknown(), held=True), Beat(1)) == NOTHING


def test_an_end_that_becomes_known_lets_the_prompts_go_on():
    session = after(unknown(), Beat(1), Launched(1, BOX, EXPIRY))

    assert session.running is not None
    assert session.attempt is not None
    assert session.attempt.end_known_by is None


@pytest.mark.parametrize(
    "asked", [Beat(1), TimedOut(1, Wait.SERVE, Clock.TIMEOUT, KNOWN_BY)], ids=["beat", "question"]
)
def test_an_end_that_stays_unknown_fails_the_first_prompt_and_the_next_has_another_boot(
    asked: Beat | TimedOut,
):
    session = after(unknown(), Beat(1))

    decided = after(session, asked, now=KNOWN_BY)

    assert ask(session, asked, now=KNOWN_BY - timedelta(seconds=1)) == NOTHING
    assert decided.attempt is not None
    assert decided.attempt.ending is Ending.FAILED
    assert decided.error is not None
    assert "has not said within 10 minutes when the sandbox ends" in decided.error
    assert decided.queue == (THIRD,)
    assert decided.failures == ()
