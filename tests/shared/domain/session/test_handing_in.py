"""What the agent hands in: once, and no more than a session holds."""

import pytest

from shared.domain.attachment import MAX_SCREENSHOTS
from shared.domain.errors import Rejected
from shared.domain.session.commands import RecordScreenshot
from shared.domain.session.decision import NOTHING, Decision
from shared.domain.session.facts import ScreenshotHandedIn
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import after, ask

FILE = build.attachment()


def shot(id_: str = "shot-1", attempt: int = 1) -> RecordScreenshot:
    return RecordScreenshot(attempt, id_, "The page", FILE)


def test_a_screenshot_belongs_to_the_turn_that_runs():
    decision = ask(situations.running(), shot())

    assert decision == Decision((ScreenshotHandedIn("shot-1", "The page", FILE, 1),))


def test_between_turns_it_belongs_to_none():
    decision = ask(situations.ready(), shot())

    assert decision == Decision((ScreenshotHandedIn("shot-1", "The page", FILE, None),))


def test_the_same_one_again_is_nothing_new():
    session = after(situations.running(), shot())

    assert session.screenshots == ("shot-1",)
    assert ask(session, shot()) == NOTHING


def test_a_session_holds_so_many_and_no_more():
    full = build.session(
        attempts=1,
        attempt=build.attempt(1),
        screenshots=tuple(f"shot-{number}" for number in range(MAX_SCREENSHOTS)),
    )

    assert ask(full, shot("shot-0")) == NOTHING
    with pytest.raises(Rejected, match="100 screenshots already"):
        ask(full, shot("another"))


def test_an_attempt_that_is_over_hands_in_nothing():
    assert ask(situations.running(), shot(attempt=7)) == NOTHING
