"""What no port shows, and what only a real store has: times to live, history, repeated requests."""

from datetime import timedelta
from typing import Any

import pytest

from shared.adapters.dynamodb.table import Table
from shared.app.ports.connections import Viewer
from shared.app.ports.sessions import Committed, Request
from shared.app.ports.workspace import Ticket
from shared.domain.session.commands import (
    BecomeReady,
    GiveUp,
    Launched,
    Launching,
    ReportPhase,
    Retire,
)
from shared.domain.session.facts import AttemptEnding, SandboxMoved
from shared.domain.session.sandbox import Ending, ProviderId, SandboxStatus
from shared.domain.session.state import SessionId
from shared.domain.timeline import Frame
from tests.build import ADA, NOW
from tests.fakes.store_faults import Fault
from tests.shared.adapters.dynamodb.committing import created, perform, stating, submit, titled
from tests.shared.adapters.dynamodb.worlds import World

pytestmark = pytest.mark.local_aws
S = SessionId("s1")


def attributes(table: Table, pk: str, sk: str) -> dict[str, Any]:
    item = table.get(pk, sk)
    assert item is not None
    return {name: next(iter(value.values())) for name, value in item.items()}


def epoch(moment: Any) -> str:
    return str(int(moment.timestamp()))


def test_a_request_is_kept_for_thirty_days(dynamodb: World, session_table: Table):
    created(dynamodb)
    perform(dynamodb, submit(), S, request=Request("r1", "print"))

    stored = attributes(session_table, "S#s1", "REQUEST#r1")

    assert stored["expires_at"] == epoch(NOW + timedelta(days=30))


def test_a_ticket_and_a_viewer_do_not_stay_for_ever(
    dynamodb: World, session_table: Table, workspace_table: Table
):
    ticket = Ticket(S, ADA.user, ADA.name, NOW + timedelta(seconds=60, microseconds=1))
    dynamodb.tickets.issue("hash", ticket)
    stored = attributes(workspace_table, "TICKET#hash", "TICKET")
    dynamodb.connections.join(S, Viewer("c1", ADA.user, ADA.name), "hash", NOW)

    dynamodb.connections.update(S, Viewer("c1", ADA.user, ADA.name, live=True))

    assert stored["expires_at"] == epoch(NOW + timedelta(seconds=61))
    viewer = attributes(session_table, "C#s1", "VIEW#c1")
    assert viewer["expires_at"] == epoch(NOW + timedelta(hours=2))


def test_the_history_of_an_attempt_says_what_happened_and_when(
    dynamodb: World, session_table: Table
):
    created(dynamodb)
    perform(dynamodb, submit(), S)
    perform(dynamodb, Launching(1, "hash", "key"), S)
    perform(dynamodb, Launched(1, ProviderId("box"), None), S, now=NOW + timedelta(seconds=1))
    perform(dynamodb, ReportPhase(attempt=1, phase="setup"), S)
    perform(dynamodb, BecomeReady(1), S, now=NOW + timedelta(seconds=5))
    failure = (
        AttemptEnding(Ending.STALE, "silent for 90 s"),
        SandboxMoved(SandboxStatus.STALE, error="silent for 90 s"),
    )
    dynamodb.sessions.commit(stating(dynamodb.sessions.load(S), *failure, now=NOW))

    perform(dynamodb, Retire(1, ProviderId("box")), S, now=NOW + timedelta(minutes=1))

    assert attributes(session_table, "S#s1", "ATTEMPT#000001") == {
        "PK": "S#s1",
        "SK": "ATTEMPT#000001",
        "status": "stale",
        "phase": "setup",
        "boot": "fresh",
        "provider_id": "box",
        "ending": "stale",
        "error": "silent for 90 s",
        "started_at": "2026-01-02T03:04:05.000000Z",
        "launched_at": "2026-01-02T03:04:06.000000Z",
        "connected_at": "2026-01-02T03:04:10.000000Z",
        "ready_at": "2026-01-02T03:04:10.000000Z",
        "ended_at": "2026-01-02T03:04:05.000000Z",
        "retired_at": "2026-01-02T03:05:05.000000Z",
    }


def test_the_next_attempt_has_a_history_of_its_own(dynamodb: World, session_table: Table):
    created(dynamodb)
    box = Launched(1, ProviderId("box"), None)
    for command in (submit(), box, BecomeReady(1), submit(), GiveUp(1, "lost its harness")):
        perform(dynamodb, command, S)

    perform(dynamodb, Retire(1, ProviderId("box")), S)

    first = attributes(session_table, "S#s1", "ATTEMPT#000001")
    second = attributes(session_table, "S#s1", "ATTEMPT#000002")
    assert (first["status"], "retired_at" in first) == ("stale", True)
    assert (second["status"], second["boot"], "retired_at" in second) == (
        "spawning",
        "resume",
        False,
    )


def test_an_effect_that_was_given_up_can_be_found(dynamodb: World, session_table: Table):
    created(dynamodb)
    (effect,) = perform(dynamodb, submit(), S).effects

    dynamodb.effects.failed(effect, "no such provider", None)

    stored = attributes(session_table, "S#s1", "EFFECT#1.0")
    assert (stored["due_shard"], stored["error"]) == ("stuck", "no such provider")


@pytest.mark.parametrize("fault", Fault)
def test_one_fault_is_not_seen_by_whoever_commits(dynamodb: World, fault: Fault):
    before = created(dynamodb)
    dynamodb.faults.plan(fault)

    committed = dynamodb.sessions.commit(titled(before, "one", frame=None))

    assert committed == Committed(None, ())
    assert dynamodb.sessions.load(S).version == 1


def test_a_lost_answer_is_not_taken_for_somebody_elses_commit(dynamodb: World):
    created(dynamodb)
    dynamodb.faults.plan(Fault.LOST)

    committed = perform(dynamodb, submit(), S, frame=None)

    assert len(committed.effects) == 1


def test_a_lost_answer_to_a_lease_does_not_lose_the_lease(dynamodb: World):
    created(dynamodb)
    (effect,) = perform(dynamodb, submit(), S).effects
    dynamodb.faults.plan(Fault.LOST)

    leased = dynamodb.effects.lease(effect, effect.due, effect.due + timedelta(minutes=2))

    assert leased is not None
    assert leased.tries == 1


def test_a_page_of_the_timeline_is_at_most_a_megabyte(dynamodb: World):
    for seq in range(6):
        frame = build_frame(seq, chars=240_000)
        dynamodb.timeline.append(S, frame, after=seq, now=NOW)

    first = dynamodb.timeline.after(S, 0, limit=100)
    newest = dynamodb.timeline.before(S, None, limit=100)

    assert [entry.seq for entry in first] == list(range(1, len(first) + 1))
    assert [entry.seq for entry in newest] == list(range(7 - len(newest), 7))
    assert 4 <= len(first) <= 5
    assert 4 <= len(newest) <= 5
    assert [entry.seq for entry in dynamodb.timeline.after(S, len(first), limit=100)][-1] == 6


def test_the_search_for_the_tail_reads_on_behind_the_first_megabyte(dynamodb: World):
    for seq in range(6):
        dynamodb.timeline.append(S, build_frame(seq, chars=240_000), after=seq, now=NOW)

    appended = dynamodb.timeline.append(S, build_frame(9, chars=1), after=0, now=NOW)

    assert appended.entry.seq == 7


def build_frame(number: int, *, chars: int) -> Frame:
    return Frame(f"frame-{number}", ({"type": "text", "text": "x" * chars},))
