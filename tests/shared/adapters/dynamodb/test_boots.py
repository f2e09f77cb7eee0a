"""The history of boots, kept by the fake and by DynamoDB alike."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.adapters.dynamodb import keys
from shared.adapters.dynamodb.table import Table
from shared.adapters.dynamodb.writes import Put, item, text
from shared.app.boots import MAX_PHASES, MAX_PHASES_AT_ONCE
from shared.app.ports.boots import BootRecord
from shared.domain.session.commands import BecomeReady, GiveUp, Launched, ReportPhase, Retire
from shared.domain.session.facts import BootPhase
from shared.domain.session.sandbox import ProviderId
from shared.domain.session.state import SessionId
from shared.protocol.events import MAX_TAIL_BYTES
from tests import build
from tests.build import NOW
from tests.shared.adapters.dynamodb.committing import created, perform, stating, submit
from tests.shared.adapters.dynamodb.worlds import World

S = SessionId("s1")
SECOND = timedelta(seconds=1)
SYNC = BootPhase(phase="sync", status="completed", elapsed_ms=900)
FAILED = BootPhase(
    phase="setup", status="failed", repository="tool", elapsed_ms=7, error="exit 3", tail="no such"
)


def booting(world: World) -> None:
    created(world, build.session(attempt=build.attempt(1), attempts=1))


def tell(world: World, *phases: BootPhase, after: timedelta = timedelta()) -> None:
    world.sessions.commit(stating(world.sessions.load(S), *phases, now=NOW + after))


def phases(world: World) -> tuple[BootPhase, ...]:
    (record,) = world.sessions.boots(S, limit=5)
    return record.phases


def launch(world: World) -> None:
    """What has phases always has an attempt of its own."""
    perform(world, Launched(1, ProviderId("box"), None), S)


def test_a_session_without_attempts_has_no_boots(world: World):
    created(world)

    assert world.sessions.boots(S, limit=5) == []
    assert world.sessions.boots(SessionId("other"), limit=5) == []


def test_a_boot_is_told_with_its_times_and_its_phases(world: World):
    created(world)
    perform(world, submit(), S)
    perform(world, Launched(1, ProviderId("box"), None), S, now=NOW + SECOND)
    perform(world, ReportPhase(attempt=1, phase="setup"), S)
    tell(world, SYNC, after=2 * SECOND)
    tell(world, FAILED, after=3 * SECOND)
    perform(world, GiveUp(1, "setup failed"), S, now=NOW + 4 * SECOND)

    perform(world, Retire(1, None), S, now=NOW + 5 * SECOND)

    error = world.sessions.load(S).error
    assert error is not None
    assert world.sessions.boots(S, limit=5) == [
        BootRecord(
            attempt=1,
            boot="fresh",
            status="failed",
            phase="setup",
            started_at=NOW,
            launched_at=NOW + SECOND,
            ended_at=NOW + 4 * SECOND,
            retired_at=NOW + 5 * SECOND,
            ending="failed",
            error=error,
            phases=(SYNC, FAILED),
        )
    ]


def test_the_newest_attempt_comes_first_with_its_own_phases(world: World):
    created(world)
    perform(world, submit(), S)
    launch(world)
    tell(world, SYNC)
    for command in (BecomeReady(1), submit(), GiveUp(1, "lost its harness")):
        perform(world, command, S)
    perform(world, Retire(1, ProviderId("box")), S)
    tell(world, FAILED)

    both = world.sessions.boots(S, limit=5)

    assert [(record.attempt, record.boot, record.phases) for record in both] == [
        (2, "resume", (FAILED,)),
        (1, "fresh", (SYNC,)),
    ]
    assert world.sessions.boots(S, limit=1) == both[:1]


def test_a_phase_that_only_began_has_not_ended(world: World):
    booting(world)
    launch(world)

    tell(world, replace(SYNC, status="started"))

    assert phases(world) == ()


def test_a_phase_is_told_once_for_each_repository_and_the_last_word_counts(world: World):
    booting(world)
    launch(world)
    other = replace(FAILED, repository="lib")
    tell(world, FAILED, other, SYNC)

    tell(world, replace(FAILED, elapsed_ms=8), after=SECOND)

    assert phases(world) == (other, SYNC, replace(FAILED, elapsed_ms=8))


def test_only_what_went_wrong_keeps_the_end_of_its_output(world: World):
    booting(world)
    launch(world)
    long = "é" * MAX_TAIL_BYTES + "the reason"
    warned = BootPhase(phase="start", status="completed", warning="x" * 2_000, tail=long)

    tell(world, replace(SYNC, tail="quiet"), warned)

    quiet, loud = phases(world)
    assert quiet == SYNC
    assert loud.tail is not None
    assert len(loud.tail.encode()) == MAX_TAIL_BYTES
    assert loud.tail.endswith("éthe reason")
    assert len(loud.warning or "") == 1_000


def test_a_sandbox_that_says_too_much_is_told_in_part(world: World):
    booting(world)
    launch(world)
    for start in range(0, 60, 30):
        many = [replace(SYNC, phase=f"phase-{n}") for n in range(start, start + 30)]
        tell(world, *many, after=start * SECOND)
    tell(world, *[replace(SYNC, phase=f"more-{n}") for n in range(5)], after=99 * SECOND)

    kept = phases(world)

    assert len(kept) == MAX_PHASES
    assert kept[0].phase == f"phase-{30 - MAX_PHASES_AT_ONCE}"


@pytest.mark.local_aws
def test_a_history_from_before_there_were_four_ways_is_understood(
    dynamodb: World, session_table: Table
):
    for number, resumed in enumerate([False, True], 1):
        said = {"resumed": {"BOOL": resumed}, "status": text("ready")}
        session_table.write(Put(item(keys.session(S), keys.attempt(number), **said), None))

    found = dynamodb.sessions.boots(S, limit=5)

    assert [(record.attempt, record.boot, record.status) for record in found] == [
        (2, "resume", "ready"),
        (1, "fresh", "ready"),
    ]
