"""The one item that a session is."""

import json
from dataclasses import replace

import pytest

from shared.adapters.dynamodb.meta import created, to_session
from shared.adapters.dynamodb.writes import Item, text
from shared.domain.session.sandbox import Armed, Ending, Wait
from shared.domain.session.state import (
    MAX_TITLE_CHARS,
    Author,
    Prompt,
    Push,
    Running,
    Session,
    SessionStatus,
    Stopping,
    StopReason,
    UserId,
)
from tests import build

KB = 1024


def size(item: Item) -> int:
    """As DynamoDB counts it, closely enough: names and texts in UTF-8."""
    return sum(
        len(name.encode()) + len(str(next(iter(attribute.values()))).encode())
        for name, attribute in item.items()
    )


def person(number: int) -> Author:
    name = f"Somebody Of-The-Team {number}"
    return Author(UserId(f"somebody-{number}"), name, f"somebody.{number}@team.example.com")


def full(*authors: Author) -> Session:
    """Fifty unfinished prompts, everything else at its largest."""
    prompts = [
        Prompt(
            number=100_000 + number,
            author=authors[number % len(authors)],
            model="anthropic/a-model-with-a-long-name-20260101",
            effort="extra-high",
        )
        for number in range(50)
    ]
    attempt = build.attempt(
        7,
        token_hash="h" * 64,
        cursor_key="k" * 64,
        armed=Armed(Wait.SERVE, "t" * 2_048),  # Step Functions allows no longer token
    )
    return build.session(
        title="ü" * MAX_TITLE_CHARS,
        queue=tuple(prompts[1:]),
        running=Running(prompts[0], Stopping(StopReason.LIFETIME, build.NOW)),
        attempt=attempt,
        error="e" * 2_000,
        version=9,
    )


@pytest.mark.parametrize("team", [1, 8, 50])
def test_a_session_with_a_full_queue_stays_below_24_kilobytes(team: int):
    session = full(*(person(number) for number in range(team)))

    put = created(session, "print")

    assert size(put.item) < 24 * KB
    assert to_session(put.item) == session


def test_the_longest_addresses_there_can_be_still_fit_an_item():
    strangers = [
        replace(person(number), name="🎈" * 100, email=f"{number:03}" + "ü" * 251)
        for number in range(50)
    ]

    put = created(full(*strangers), "print")

    assert size(put.item) < 100 * KB


def test_ten_repositories_and_what_was_pushed_to_them_are_read_back():
    target = tuple(build.repository(f"r{number}") for number in range(10))
    pushes = tuple(Push(repository.name, "outboard/s1", "c" * 40) for repository in target)
    session = build.session(target=target, pushes=pushes)

    assert to_session(created(session, "print").item) == session


def test_the_branch_of_a_session_that_knew_only_one_repository_is_that_repositorys():
    """Such a session says `branch` and `commit`, and nothing of pushes."""
    pushed = build.session(pushes=(Push("tool", "outboard/s1", "c1"),))

    document = json.loads(created(pushed, "print").item["session"]["S"])
    del document["pushes"]

    assert (document["branch"], document["commit"]) == ("outboard/s1", "c1")
    assert to_session({"session": {"S": json.dumps(document)}}) == pushed


def test_a_session_that_knew_only_one_repository_and_pushed_nothing_has_no_pushes():
    document = json.loads(created(build.session(), "print").item["session"]["S"])
    del document["pushes"]

    assert "branch" not in document
    assert to_session({"session": {"S": json.dumps(document)}}) == build.session()


@pytest.mark.parametrize(
    ("attempt", "living"),
    [
        (None, None),
        (build.attempt(3), {"N": "3"}),
        (build.attempt(3, ending=Ending.FAILED), None),
    ],
)
def test_only_a_living_attempt_may_have_a_bridge(attempt, living):
    put = created(build.session(attempt=attempt), "print")

    assert put.item.get("living") == living


@pytest.mark.parametrize(
    ("status", "shelf"),
    [
        (SessionStatus.ARCHIVED, "archived"),
        (SessionStatus.ACTIVE, "active"),
        (SessionStatus.FAILED, "open"),
    ],
)
def test_active_and_archived_sessions_are_in_lists_of_their_own(status: SessionStatus, shelf: str):
    put = created(build.session(status, prompts=1), "print")

    assert put.item["list_shard"]["S"].startswith(f"{shelf}#")


def test_a_session_keeps_where_it_came_from_and_an_older_one_came_from_nowhere():
    session = build.session(environment=build.environment().provenance)
    row = created(session, "print").item
    document = json.loads(row["session"]["S"])
    del document["environment"]

    older = {**row, "session": text(json.dumps(document))}

    assert to_session(row) == session
    assert to_session(older) == build.session()


def test_a_session_that_nothing_was_asked_of_is_in_no_list():
    put = created(build.session(), "print")

    assert {"list_shard", "list_key"}.isdisjoint(put.item)
