"""The contract of what `SessionStore` keeps and finds, kept by the fake and by DynamoDB alike."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.app.ports.sessions import Artifact
from shared.domain.errors import Conflict, NotFound
from shared.domain.session.facts import BranchPushed
from shared.domain.session.state import MAX_PROMPT_CHARS, Push, SessionId
from tests import build
from tests.build import NOW
from tests.fakes.store_faults import Fault
from tests.shared.adapters.dynamodb.committing import (
    created,
    insist,
    perform,
    stating,
    submit,
    titled,
)
from tests.shared.adapters.dynamodb.worlds import World

S = SessionId("s1")


def test_what_is_created_is_loaded(world: World):
    session = build.session(title="a title", effort="high", target=(build.repository("x"),) * 2)

    assert world.sessions.create(session, "print") == session
    assert world.sessions.load(S) == session


def test_an_unknown_session_is_not_found(world: World):
    with pytest.raises(NotFound, match="nowhere"):
        world.sessions.load(SessionId("nowhere"))


def test_creating_the_same_session_twice_answers_with_what_became_of_it(world: World):
    session = build.session()
    world.sessions.create(session, "print")
    world.sessions.commit(titled(session, "renamed"))

    again = world.sessions.create(session, "print")

    assert again == replace(session, title="renamed", version=1)


def test_creating_another_session_of_the_same_id_is_a_conflict(world: World):
    world.sessions.create(build.session(), "print")

    with pytest.raises(Conflict):
        world.sessions.create(build.session(title="other"), "another print")


def test_a_lost_answer_to_a_creation_is_found_out(world: World):
    session = build.session()
    world.faults.plan(Fault.LOST)

    assert insist(lambda: world.sessions.create(session, "print")) == session


def test_a_prompt_of_the_greatest_length_comes_back_whole(world: World):
    created(world)
    text = "🎈" * MAX_PROMPT_CHARS

    perform(world, submit(text), S)

    assert world.sessions.prompt(S, 1).text == text
    assert world.sessions.prompts(S, after=0, limit=1)[0].text == "🎈" * 1_000


def test_a_prompt_that_nobody_asked_is_not_found(world: World):
    created(world)

    with pytest.raises(NotFound, match="prompt 3"):
        world.sessions.prompt(S, 3)


def test_prompts_are_listed_in_order_and_in_pages(world: World):
    created(world)
    for number in range(1, 13):
        perform(world, submit(f"number {number}"), S, frame=None)

    page = world.sessions.prompts(S, after=8, limit=3)

    assert [(record.prompt.number, record.text) for record in page] == [
        (9, "number 9"),
        (10, "number 10"),
        (11, "number 11"),
    ]
    assert len(world.sessions.prompts(S, after=11, limit=3)) == 1


def test_the_first_push_makes_an_artifact_and_later_ones_move_it(world: World):
    session = created(world)
    world.sessions.commit(stating(session, BranchPushed("tool", "outboard/s1", "aaa", first=True)))
    made = world.sessions.artifacts(S)

    world.sessions.commit(
        stating(
            world.sessions.load(S),
            BranchPushed("tool", "outboard/s1", "bbb", first=False),
            now=NOW + timedelta(hours=1),
        )
    )

    artifact = Artifact(
        id="branch",
        kind="branch",
        title="outboard/s1",
        url=None,
        metadata=(("repository", "tool"), ("branch", "outboard/s1"), ("commit", "aaa")),
        created_at=NOW,
    )
    moved = (("repository", "tool"), ("branch", "outboard/s1"), ("commit", "bbb"))
    assert made == [artifact]
    assert world.sessions.artifacts(S) == [replace(artifact, metadata=moved)]


def test_each_repository_has_a_branch_of_its_own_among_the_artifacts(world: World):
    target = (build.repository("tool"), build.repository("site"))
    session = world.sessions.create(build.session(target=target), "print")
    pushes = [
        BranchPushed(name, "outboard/s1", commit, True, f"branch-{name}")
        for name, commit in (("tool", "aaa"), ("site", "bbb"), ("tool", "ccc"))
    ]

    world.sessions.commit(stating(session, *pushes))

    told = {made.id: dict(made.metadata) for made in world.sessions.artifacts(S)}
    assert told == {
        "branch-tool": {"repository": "tool", "branch": "outboard/s1", "commit": "ccc"},
        "branch-site": {"repository": "site", "branch": "outboard/s1", "commit": "bbb"},
    }
    assert world.sessions.load(S).pushes == (
        Push("tool", "outboard/s1", "ccc"),
        Push("site", "outboard/s1", "bbb"),
    )


def test_a_session_that_has_made_nothing_has_no_artifacts(world: World):
    created(world)

    assert world.sessions.artifacts(S) == []
