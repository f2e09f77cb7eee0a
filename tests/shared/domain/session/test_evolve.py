"""Facts make the next session; a fact that cannot be is an error, not a state."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.domain.session import facts
from shared.domain.session.evolve import evolve, evolve_all, touched
from shared.domain.session.moves import IllegalMove
from shared.domain.session.sandbox import (
    Armed,
    Attempt,
    Boot,
    Ending,
    ProviderId,
    SandboxStatus,
    Snapshot,
    Wait,
    Workspace,
)
from shared.domain.session.state import PromptStatus, Push, Running, SessionStatus
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import BOX, FIRST, SECOND, STOPPING, THIRD

NOW, LATER = build.NOW, build.NOW + timedelta(minutes=1)


def attempt_after(event: facts.Event, **attempt: object) -> Attempt | None:
    return evolve(situations.connecting(FIRST, **attempt), event).attempt


def test_the_history_of_a_boot_changes_nothing():
    before = situations.connecting(FIRST)

    after = evolve(before, facts.BootPhase(phase="setup", status="failed", error="exit 3"))

    assert after == before


def test_prompts_queue_up_run_and_leave():
    queued = evolve_all(
        build.session(), [facts.PromptQueued(FIRST, "a"), facts.PromptQueued(SECOND, "b")]
    )
    dispatched = evolve(queued, facts.PromptDispatched(1))
    stopping = evolve(dispatched, facts.StopRequested(1, build.ADA.user, STOPPING))
    finished = evolve(
        stopping, facts.PromptFinished(number=1, status=PromptStatus.STOPPED, cost=0.5)
    )

    assert queued == build.session(queue=(FIRST, SECOND), prompts=2)
    assert dispatched == replace(queued, queue=(SECOND,), running=Running(FIRST))
    assert stopping == replace(dispatched, running=Running(FIRST, stop=STOPPING))
    assert finished == build.session(
        queue=(SECOND,), prompts=2, last_outcome=PromptStatus.STOPPED, finished=1, cost=0.5
    )


def test_a_waiting_prompt_leaves_from_the_middle():
    session = situations.running(SECOND, THIRD)
    taken_back = facts.PromptFinished(number=2, status=PromptStatus.CANCELLED)

    assert evolve(session, taken_back) == replace(session, queue=(THIRD,))


def test_only_the_head_of_the_queue_can_be_dispatched():
    with pytest.raises(AssertionError):
        evolve(situations.connecting(FIRST, SECOND), facts.PromptDispatched(2))


def test_only_what_runs_can_be_stopped():
    with pytest.raises(AssertionError):
        evolve(situations.connecting(FIRST), facts.StopRequested(1, build.ADA.user, STOPPING))


def test_the_session_takes_over_title_branch_and_status():
    session = evolve_all(
        build.session(),
        [
            facts.TitleSet("mine"),
            facts.SessionMoved(SessionStatus.ACTIVE),
            facts.BranchPushed("tool", "outboard/s1", "c1", first=True),
        ],
    )

    assert session == build.session(
        SessionStatus.ACTIVE, title="mine", pushes=(Push("tool", "outboard/s1", "c1"),)
    )


def test_a_status_that_cannot_follow_is_refused():
    with pytest.raises(IllegalMove):
        evolve(build.session(), facts.SessionMoved(SessionStatus.COMPLETED))
    with pytest.raises(IllegalMove):
        evolve(build.session(), facts.SandboxMoved(SandboxStatus.READY))


def test_an_attempt_starts_and_is_retired():
    started = evolve(build.session(), facts.AttemptStarted(1, Boot.RESUME))
    retired = evolve(started, facts.AttemptRetired(1, BOX))

    assert started == build.session(attempts=1, attempt=Attempt(number=1, boot=Boot.RESUME))
    assert retired == build.session(attempts=1, workspace=Workspace(BOX))


def test_a_retirement_without_news_of_the_files_leaves_them_where_they_were():
    session = situations.ended(Ending.STALE)

    assert evolve(session, facts.AttemptRetired(1, None)).workspace == Workspace(BOX)


def test_only_the_loss_of_the_workspace_loses_it():
    assert evolve(situations.ready(), facts.WorkspaceLost()).workspace == Workspace()


def test_of_the_sandbox_and_its_copy_the_other_one_is_left():
    copy = Snapshot("copy-1", turn=1, marker=1, at=NOW)
    both = replace(situations.ready(), workspace=Workspace(BOX, 2, 2, copy))

    assert evolve(both, facts.WorkspaceLost()).workspace == Workspace(None, 1, 1, copy)
    assert evolve(both, facts.SnapshotLost()).workspace == Workspace(BOX, 2, 2)


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (
            facts.AttemptIdentified("h2", "k2", LATER),
            {"token_hash": "h2", "cursor_key": "k2", "boot_due": LATER},
        ),
        (facts.AttemptLaunched(BOX, LATER), {"expires_at": LATER}),
        (facts.PhaseReported("setup"), {"phase": "setup"}),
        (facts.BridgeReady(), {"ready": True}),
        (facts.BootOver(), {"complete": True}),
        (facts.TaskArmed(Armed(Wait.READY, "t1")), {"armed": Armed(Wait.READY, "t1")}),
        (facts.TaskDisarmed(), {"armed": None}),
        (facts.LifeBegunAgain(2), {"life": 2}),
        (facts.IdleSince(LATER), {"idle_due": LATER}),
        (facts.AttemptEnding(Ending.STALE, "x"), {"ending": Ending.STALE, "token_hash": None}),
    ],
)
def test_an_attempt_remembers(event, expected):
    before = situations.connecting(FIRST).attempt
    assert before is not None

    assert attempt_after(event) == replace(before, **expected)


def test_a_bridge_is_connected():
    session = evolve(situations.spawning(FIRST), facts.BridgeConnected(marks=True))

    assert session == situations.spawning(FIRST, connected=True, marks=True)


def test_extensions_of_an_idle_time_add_up_until_work_begins_anew():
    extended = facts.IdleExtended(LATER, timedelta(minutes=5))

    twice = evolve_all(situations.ready(), [extended, extended])
    anew = evolve(twice, facts.IdleSince(None))

    assert twice == situations.ready(idle_due=LATER, idle_extended=timedelta(minutes=10))
    assert anew == situations.ready()


@pytest.mark.parametrize(
    "events",
    [
        [facts.AttemptLaunched(BOX, None), facts.BootOver()],
        [facts.BootOver(), facts.AttemptLaunched(BOX, None)],
    ],
)
def test_a_booted_sandbox_has_the_files_whichever_fact_comes_first(events):
    session = situations.connecting(FIRST, provider_id=None)

    assert evolve_all(session, events).workspace == Workspace(BOX)


def test_a_booted_sandbox_of_unknown_name_loses_no_files():
    session = replace(
        situations.connecting(FIRST, provider_id=None), workspace=Workspace(ProviderId("old"))
    )

    assert evolve(session, facts.BootOver()).workspace == Workspace(ProviderId("old"))


def test_a_booting_sandbox_has_no_files_yet():
    session = evolve(situations.spawning(FIRST), facts.AttemptLaunched(BOX, None))

    assert session.workspace == Workspace()


def test_why_a_sandbox_died_is_kept_until_one_is_ready():
    failed = replace(situations.connecting(FIRST), sandbox=SandboxStatus.FAILED, error="no disk")

    again = evolve(failed, facts.SandboxMoved(SandboxStatus.SPAWNING))
    ready = evolve_all(
        again,
        [
            facts.SandboxMoved(SandboxStatus.CONNECTING),
            facts.SandboxMoved(SandboxStatus.READY),
        ],
    )

    assert again.error == "no disk"
    assert ready.error is None


def test_a_fact_about_an_attempt_needs_one():
    with pytest.raises(AssertionError):
        evolve(build.session(), facts.BridgeConnected(marks=True))


def test_prompts_settling_and_archiving_touch_a_session():
    before = build.session()

    assert touched(before, replace(before, prompts=1), LATER).updated_at == LATER
    assert touched(before, replace(before, status=SessionStatus.ARCHIVED), LATER).updated_at == (
        LATER
    )


def test_nothing_else_touches_a_session():
    before = situations.running(SECOND)
    after = replace(before, title="other", cost=1.0, running=None, attempt=None, version=7)

    assert touched(before, after, LATER) == after


def test_time_never_goes_backwards():
    before = build.session(updated_at=LATER)

    assert touched(before, replace(before, prompts=1), NOW).updated_at == LATER
