"""How many requests the interactive paths make: the budget of DynamoDB, counted on the wire."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.app.inboxes import Inboxes
from shared.app.ports.connections import BridgeLink, Viewer
from shared.app.ports.workspace import Ticket, User
from shared.domain.session.state import SessionId, UserId
from shared.domain.timeline import Frame
from tests import build
from tests.build import ADA, NOW
from tests.shared.adapters.dynamodb.bad_network import BadNetwork
from tests.shared.adapters.dynamodb.committing import created, frame, perform, submit, titled
from tests.shared.adapters.dynamodb.worlds import World

pytestmark = pytest.mark.local_aws
S = SessionId("s1")
TICKET = Ticket(S, ADA.user, ADA.name, NOW + timedelta(seconds=60))
VIEWER = Viewer("c1", ADA.user, ADA.name)


@contextmanager
def counted(network: BadNetwork) -> Generator[dict[str, int]]:
    network.counts.clear()
    counts: dict[str, int] = {}
    yield counts
    counts |= network.counts


def test_an_agent_frame_costs_one_write_and_one_query(dynamodb: World, network: BadNetwork):
    created(dynamodb, build.session(attempt=build.attempt(1), attempts=1))
    dynamodb.connections.attach(S, BridgeLink("b1", 1, "key"))
    dynamodb.timeline.append(S, Frame("a", (), 1), after=0, now=NOW)

    with counted(network) as counts:
        dynamodb.connections.audience(S)
        dynamodb.timeline.append(S, Frame("b", (), 1), after=1, now=NOW)

    assert counts == {"PutItem": 1, "Query": 1}


def test_a_frame_whose_slot_was_taken_costs_one_more_write_and_query(
    dynamodb: World, network: BadNetwork
):
    for seq in range(3):
        dynamodb.timeline.append(S, frame(), after=seq, now=NOW)

    with counted(network) as counts:
        dynamodb.timeline.append(S, frame(), after=1, now=NOW)

    assert counts == {"PutItem": 2, "Query": 1}


def test_a_frame_that_changes_state_costs_a_read_and_a_transaction(
    dynamodb: World, network: BadNetwork
):
    created(dynamodb)

    with counted(network) as counts:
        dynamodb.sessions.commit(titled(dynamodb.sessions.load(S), "x"))

    assert counts == {"GetItem": 1, "TransactWriteItems": 1}


@pytest.mark.parametrize("length", [1, 150])
def test_joining_costs_three_reads_however_long_the_session_is(
    dynamodb: World, network: BadNetwork, length: int
):
    created(dynamodb)
    for seq in range(length):
        dynamodb.timeline.append(S, frame(), after=seq, now=NOW)
    dynamodb.tickets.issue("hash", TICKET)

    with counted(network) as connecting:
        assert dynamodb.tickets.peek("hash") == TICKET
        dynamodb.connections.join(S, VIEWER, "hash", NOW)
    with counted(network) as subscribing:
        dynamodb.connections.update(S, replace(VIEWER, live=True))
        dynamodb.connections.audience(S)
        dynamodb.sessions.load(S)
        dynamodb.timeline.before(S, None, limit=100)

    assert connecting == {"GetItem": 1, "TransactWriteItems": 1}
    assert subscribing == {"UpdateItem": 1, "Query": 2, "GetItem": 1}


def test_a_page_of_the_list_costs_a_query_a_shard_and_one_batch(
    dynamodb: World, network: BadNetwork
):
    for number in range(30):
        created(dynamodb, build.session(id=SessionId(f"s{number}"), prompts=1))

    with counted(network) as counts:
        dynamodb.sessions.recent(limit=20)

    assert counts == {"Query": 10, "BatchGetItem": 1}


def test_a_look_at_an_inbox_costs_a_query_a_shard_and_one_batch_for_fifty_sessions(
    dynamodb: World, network: BadNetwork
):
    for number in range(40):
        created(dynamodb, build.session(id=SessionId(f"s{number}"), prompts=1))

    with counted(network) as counts:
        dynamodb.members.inbox(ADA.user, newest=40, most=200, owner=None)

    assert counts == {"Query": 11, "BatchGetItem": 1}


@pytest.mark.parametrize("strangers", [0, 2])
def test_a_finished_turn_costs_two_reads_and_a_write_for_each_participant(
    dynamodb: World, network: BadNetwork, strangers: int
):
    inboxes = Inboxes(store=dynamodb.sessions, members=dynamodb.members, clock=lambda: NOW)
    created(dynamodb, build.session(prompts=1, finished=1, version=3))
    for number in range(strangers):
        inboxes.read(S, UserId(f"stranger-{number}"), 0)
    dynamodb.sessions.commit(titled(dynamodb.sessions.load(S), "x"))

    with counted(network) as counts:
        inboxes.update(S)

    people = 1 + strangers
    seen_anew = 2  # the owner, of whom nothing was written down before
    reads = 1 + 2 * people + seen_anew
    assert counts == {"Query": 1, "GetItem": reads, "UpdateItem": people}


def test_who_sends_a_token_is_one_read(dynamodb: World, network: BadNetwork):
    dynamodb.users.add(User(ADA.user, "ada", "owner", NOW), "hash")

    with counted(network) as counts:
        dynamodb.users.by_token("hash")

    assert counts == {"GetItem": 1}


def test_a_prompt_is_one_read_and_a_long_one_two(dynamodb: World, network: BadNetwork):
    created(dynamodb)
    perform(dynamodb, submit("short"), S)
    perform(dynamodb, submit("long" * 1_000), S)

    with counted(network) as counts:
        dynamodb.sessions.prompt(S, 1)
    assert counts == {"GetItem": 1}

    with counted(network) as counts:
        dynamodb.sessions.prompt(S, 2)
    assert counts == {"GetItem": 2}
