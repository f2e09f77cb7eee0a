"""The contract of `SessionStore.commit`, kept by the fake and by DynamoDB alike."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.app.ports.sessions import (
    Answered,
    Committed,
    Request,
    RequestTaken,
    VersionConflict,
)
from shared.domain.errors import Contended, Unavailable
from shared.domain.session.commands import (
    CancelPrompt,
)
from shared.domain.session.decision import Decision
from shared.domain.session.sandbox import Armed, Wait
from shared.domain.session.state import SessionId
from shared.domain.timeline import Entry
from tests import build
from tests.build import NOW
from tests.fakes.store_faults import Fault
from tests.shared.adapters.dynamodb.committing import (
    committing,
    created,
    frame,
    insist,
    perform,
    submit,
    titled,
)
from tests.shared.adapters.dynamodb.worlds import World

S = SessionId("s1")
LATER = NOW + timedelta(minutes=1)


def log(world: World) -> list[tuple[int, str]]:
    return [(entry.seq, entry.frame.id) for entry in world.timeline.after(S, 0, limit=100)]


def test_a_commit_stores_the_session_and_the_frame(world: World):
    before = created(world)
    commit = titled(before, "one", frame=frame("f"))

    committed = world.sessions.commit(commit)

    assert committed == Committed(Entry(1, NOW, frame("f")), ())
    assert world.sessions.load(S) == replace(before, title="one", version=1)
    assert world.timeline.after(S, 0, limit=10) == [committed.entry]


def test_a_commit_that_nobody_sees_leaves_no_frame(world: World):
    before = created(world)
    armed = build.attempt(armed=Armed(Wait.CONNECT, "token"))
    commit = committing(before, Decision(), frame=None)

    committed = world.sessions.commit(replace(commit, after=replace(before, attempt=armed)))

    assert committed == Committed(None, ())
    assert world.sessions.load(S).attempt == armed
    assert log(world) == []


def test_the_store_counts_versions_whatever_the_decision_says(world: World):
    commit = titled(created(world), "one")

    world.sessions.commit(replace(commit, after=replace(commit.after, version=99)))

    assert world.sessions.load(S).version == 1


def test_of_two_decisions_on_one_version_the_second_is_refused(world: World):
    before = created(world)
    world.sessions.commit(titled(before, "one", frame=frame("f")))

    with pytest.raises(VersionConflict):
        world.sessions.commit(titled(before, "two", after_slot=1))

    assert world.sessions.load(S).title == "one"
    assert log(world) == [(1, "f")]


def test_of_two_decisions_without_frames_the_second_is_refused_too(world: World):
    before = created(world)
    world.sessions.commit(titled(before, "one", frame=None))

    with pytest.raises(VersionConflict):
        world.sessions.commit(titled(before, "one", frame=None))

    assert world.sessions.load(S).version == 1


def test_a_commit_to_a_session_that_does_not_exist_is_refused(world: World):
    with pytest.raises(VersionConflict):
        world.sessions.commit(titled(build.session(), "one"))


def test_the_winner_may_go_on(world: World):
    created(world)

    for title in ("one", "two", "three"):
        world.sessions.commit(titled(world.sessions.load(S), title))

    after = world.sessions.load(S)
    assert (after.title, after.version) == ("three", 3)
    assert [seq for seq, _ in log(world)] == [1, 2, 3]


def test_a_commit_finds_its_slot_behind_the_frames_it_did_not_know_of(world: World):
    before = created(world)
    for seq in range(3):
        world.timeline.append(S, frame(attempt=1), after=seq, now=NOW)

    committed = world.sessions.commit(titled(before, "one", after_slot=1))

    assert committed.entry is not None
    assert committed.entry.seq == 4


def test_a_frame_that_comes_between_takes_the_slot_but_not_the_commit(world: World):
    before = created(world)
    world.faults.plan(lambda: world.timeline.append(S, frame("quick"), after=0, now=NOW))

    world.sessions.commit(titled(before, "one", frame=frame("slow")))

    assert log(world) == [(1, "quick"), (2, "slow")]
    assert world.sessions.load(S).version == 1


def test_a_commit_that_comes_between_wins(world: World):
    before = created(world)
    world.faults.plan(lambda: world.sessions.commit(titled(before, "quick", frame=frame("quick"))))

    with pytest.raises(VersionConflict):
        world.sessions.commit(titled(before, "slow"))

    assert log(world) == [(1, "quick")]


def test_a_bridge_frame_that_is_sent_again_is_committed_once(world: World):
    sent = frame("f", attempt=1)
    first = world.sessions.commit(titled(created(world), "one", frame=sent))

    again = world.sessions.commit(titled(world.sessions.load(S), "two", frame=sent))

    assert again == Committed(first.entry, (), already=True)
    assert world.sessions.load(S).title == "one"


def test_a_bridge_frame_that_is_sent_again_is_found_where_it_went(world: World):
    before = created(world)
    world.timeline.append(S, frame("other"), after=0, now=NOW)
    sent = frame("f", attempt=1)
    world.sessions.commit(titled(before, "one", frame=sent))
    world.timeline.append(S, frame("more"), after=2, now=NOW)

    again = world.sessions.commit(titled(world.sessions.load(S), "two", frame=sent))

    assert again.already
    assert log(world) == [(1, "other"), (2, "f"), (3, "more")]
    assert world.sessions.load(S).title == "one"


def test_a_commit_whose_answer_was_lost_is_not_made_twice(world: World):
    before = created(world)
    sent = frame("f", attempt=1)
    world.faults.plan(Fault.LOST, Fault.LOST)

    insist(lambda: world.sessions.commit(titled(before, "one", frame=sent)))

    assert log(world) == [(1, "f")]
    assert world.sessions.load(S).version == 1


def test_the_repetition_of_an_unanswered_commit_says_already(world: World):
    before = created(world)
    sent = frame("f", attempt=1)
    world.faults.plan(*[Fault.LOST] * 4)
    with pytest.raises(Unavailable):
        world.sessions.commit(titled(before, "one", frame=sent))
    world.faults.plan()

    again = world.sessions.commit(titled(before, "one", frame=sent))

    assert again == Committed(Entry(1, NOW, sent), (), already=True)


def test_a_dropped_commit_changes_nothing(world: World):
    before = created(world)
    world.faults.plan(*[Fault.DROPPED] * 10)

    with pytest.raises(Unavailable):
        world.sessions.commit(titled(before, "one"))

    assert world.sessions.load(S) == before
    assert log(world) == []


def test_conflicts_without_an_end_are_said_to_be_that(world: World):
    before = created(world)
    world.faults.plan(*[Fault.CONFLICT] * 10)

    with pytest.raises(Contended):
        world.sessions.commit(titled(before, "one"))

    assert world.sessions.load(S) == before


def test_a_request_is_answered_with_the_prompt_that_it_made(world: World):
    created(world)

    perform(world, submit(), S, request=Request("r1", "print"))

    assert world.sessions.answered(S, "r1") == Answered("print", 1)
    assert world.sessions.answered(S, "r2") is None


def test_a_request_about_no_new_prompt_is_answered_with_the_one_it_is_about(world: World):
    created(world)
    perform(world, submit(), S)

    perform(world, CancelPrompt(1), S, request=Request("r1", "print"))

    assert world.sessions.answered(S, "r1") == Answered("print", 1)


def test_the_same_request_twice_is_committed_once(world: World):
    created(world)
    request = Request("r1", "print")
    perform(world, submit(), S, request=request)

    with pytest.raises(RequestTaken):
        perform(world, submit(), S, request=request, after_slot=1)

    assert world.sessions.load(S).prompts == 1
    assert len(log(world)) == 1


def test_a_duplicate_request_that_comes_between_is_told_from_a_lost_race(world: World):
    created(world)
    request = Request("r1", "print")
    world.faults.plan(lambda: perform(world, submit(), S, request=request))

    with pytest.raises(RequestTaken):
        perform(world, submit(), S, request=request)

    assert world.sessions.load(S).prompts == 1


def test_a_request_is_forgotten_after_thirty_days(world: World):
    created(world)
    request = Request("r1", "print")
    perform(world, submit(), S, request=request)

    perform(world, submit(), S, request=request, now=NOW + timedelta(days=31))

    assert world.sessions.load(S).prompts == 2
    assert world.sessions.answered(S, "r1") == Answered("print", 2)
