"""What moves waiting prompts, and what is left when none waits."""

import pytest

from shared.domain.session.decision import NOTHING, Decision, StartLife
from shared.domain.session.facts import (
    AttemptStarted,
    IdleSince,
    PromptDispatched,
    PromptFinished,
    SandboxMoved,
    SessionMoved,
)
from shared.domain.session.queue import close, go_on, settle, settled_status, start
from shared.domain.session.sandbox import Boot, Ending, ProviderId, SandboxStatus, Workspace
from shared.domain.session.state import PromptStatus, SessionStatus
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import EXPIRY, FIRST, NOW, SECOND, THIRD

SPAWNING = SandboxMoved(SandboxStatus.SPAWNING)


def test_an_empty_queue_moves_nothing():
    assert go_on(build.session(), NOW) == NOTHING
    assert go_on(situations.ready(), NOW) == NOTHING


def test_one_prompt_runs_at_a_time():
    assert go_on(situations.running(SECOND), NOW) == NOTHING


def test_without_a_sandbox_a_waiting_prompt_starts_one():
    session = build.session(SessionStatus.ACTIVE, queue=(FIRST,), prompts=1)

    assert go_on(session, NOW) == Decision(
        (AttemptStarted(1, Boot.FRESH), SPAWNING), (StartLife(1, life=1),)
    )


@pytest.mark.parametrize(
    "session",
    [
        situations.spawning(FIRST),
        situations.connecting(FIRST),
        situations.ended(Ending.STALE, SECOND),
    ],
)
def test_a_sandbox_on_its_way_in_or_out_is_waited_for(session):
    assert go_on(session, NOW) == NOTHING


def test_the_oldest_prompt_goes_first():
    session = build.session(
        SessionStatus.ACTIVE,
        queue=(SECOND, THIRD),
        attempt=build.attempt(ready=True, expires_at=EXPIRY),
    )

    assert go_on(session, NOW) == Decision((PromptDispatched(2),))


def test_the_idle_clock_stops_when_something_runs():
    idle = build.attempt(ready=True, expires_at=EXPIRY, idle_due=build.NOW)
    session = build.session(SessionStatus.ACTIVE, queue=(SECOND,), attempt=idle)

    assert go_on(session, NOW) == Decision((IdleSince(None), PromptDispatched(2)))


def test_attempts_are_numbered_on_and_resume_what_is_there():
    session = build.session(attempts=4, workspace=Workspace(ProviderId("box")))

    assert start(session, NOW) == Decision(
        (AttemptStarted(5, Boot.RESUME), SPAWNING), (StartLife(5, life=1),)
    )


def test_a_session_with_work_does_not_settle():
    assert settle(situations.running(), NOW) == NOTHING


@pytest.mark.parametrize("status", set(SessionStatus) - {SessionStatus.ACTIVE})
def test_a_session_that_was_closed_meanwhile_stays_closed(status):
    assert settle(build.session(status, last_outcome=PromptStatus.COMPLETED), NOW) == NOTHING


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (None, SessionStatus.CREATED),
        (PromptStatus.COMPLETED, SessionStatus.COMPLETED),
        (PromptStatus.FAILED, SessionStatus.FAILED),
        (PromptStatus.STOPPED, SessionStatus.COMPLETED),
    ],
)
def test_a_session_settles_by_its_last_run(outcome, status):
    session = build.session(SessionStatus.ACTIVE, last_outcome=outcome)

    assert settled_status(outcome) is status
    assert settle(session, NOW) == Decision((SessionMoved(status),))


def test_closing_a_prompt_goes_on_with_the_next():
    failed = PromptFinished(number=1, status=PromptStatus.FAILED, error="no")

    assert close(situations.running(SECOND), 1, PromptStatus.FAILED, NOW, error="no") == Decision(
        (failed, PromptDispatched(2))
    )
