"""The contract of `Connections`, kept by the fake and by DynamoDB alike."""

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.app.ports.connections import Audience, BridgeLink, Gone, Viewer, Watching
from shared.app.ports.workspace import Ticket
from shared.domain.errors import Rejected, Unauthenticated, Unavailable
from shared.domain.session.facts import AttemptEnding
from shared.domain.session.sandbox import Ending
from shared.domain.session.state import SessionId, UserId
from tests import build
from tests.build import ADA, NOW
from tests.fakes.store_faults import Fault
from tests.shared.adapters.dynamodb.committing import created, insist, stating
from tests.shared.adapters.dynamodb.worlds import World

S = SessionId("s1")
VIEWER = Viewer("c1", ADA.user, ADA.name, seen_at=NOW)
TICKET = Ticket(S, ADA.user, ADA.name, NOW + timedelta(seconds=60))


def viewers(world: World) -> tuple[Viewer, ...]:
    return world.connections.audience(S).viewers


def joined(world: World, *members: Viewer) -> None:
    for viewer in members:
        world.tickets.issue(f"ticket-{viewer.connection_id}", TICKET)
        world.connections.join(S, viewer, f"ticket-{viewer.connection_id}", NOW)


def test_nobody_listens_to_a_session_that_nobody_joined(world: World):
    assert world.connections.audience(S) == Audience(None, ())


def test_whoever_joins_is_kept_as_pending(world: World):
    joined(world, VIEWER)

    audience = world.connections.audience(S)
    assert audience.viewers == (VIEWER,)
    assert audience.live == ()


def test_a_ticket_admits_once(world: World):
    joined(world, VIEWER)

    with pytest.raises(Unauthenticated):
        world.connections.join(S, replace(VIEWER, connection_id="c2"), "ticket-c1", NOW)

    assert viewers(world) == (VIEWER,)
    assert world.tickets.peek("ticket-c1") is None


def test_a_lost_answer_to_a_join_does_not_turn_the_viewer_away(world: World):
    world.tickets.issue("t", TICKET)
    world.faults.plan(Fault.LOST)

    with suppress(Unavailable):
        world.connections.join(S, VIEWER, "t", NOW)

    assert viewers(world) == (VIEWER,)


@pytest.mark.parametrize(
    ("ticket", "moment"),
    [
        pytest.param(TICKET, TICKET.expires_at, id="expired"),
        pytest.param(replace(TICKET, session_id=SessionId("s2")), NOW, id="another session's"),
        pytest.param(replace(TICKET, user=UserId("eve")), NOW, id="another user's"),
    ],
)
def test_a_ticket_that_does_not_admit_is_refused_and_stays_unused(world: World, ticket, moment):
    world.tickets.issue("t", ticket)

    with pytest.raises(Unauthenticated):
        world.connections.join(S, VIEWER, "t", moment)

    assert viewers(world) == ()
    assert world.tickets.peek("t") == ticket


def test_a_ticket_that_nobody_issued_is_refused(world: World):
    with pytest.raises(Unauthenticated):
        world.connections.join(S, VIEWER, "never", NOW)


def test_a_ticket_admits_until_the_moment_it_expires(world: World):
    world.tickets.issue("t", TICKET)

    world.connections.join(S, VIEWER, "t", TICKET.expires_at - timedelta(microseconds=1))

    assert viewers(world) == (VIEWER,)


def test_a_viewer_that_says_hello_is_live(world: World):
    other = replace(VIEWER, connection_id="c2", name="Grace")
    joined(world, VIEWER, other)
    live = replace(VIEWER, live=True, visible=False, seen_at=NOW + timedelta(seconds=3))

    world.connections.update(S, live)

    assert world.connections.audience(S).live == (live,)
    assert set(viewers(world)) == {live, other}


def test_the_sockets_of_a_user_are_found_until_they_are_left(world: World):
    other = SessionId("s2")
    by_browser = replace(VIEWER, connection_id="c2", login="login")
    joined(world, VIEWER)
    world.tickets.issue("t2", replace(TICKET, session_id=other))
    world.connections.join(other, by_browser, "t2", NOW)
    world.tickets.issue("t3", replace(TICKET, user=UserId("eve")))
    world.connections.join(S, replace(VIEWER, connection_id="c3", user=UserId("eve")), "t3", NOW)

    before = world.connections.of_user(ADA.user, NOW)
    world.connections.leave(S, "c1")

    assert {*before} == {Watching(S, "c1", None), Watching(other, "c2", "login")}
    assert list(world.connections.of_user(ADA.user, NOW)) == [Watching(other, "c2", "login")]


def test_a_viewer_that_left_is_gone_and_does_not_come_back_by_an_update(world: World):
    joined(world, VIEWER)
    world.connections.leave(S, "c1")
    world.connections.leave(S, "c1")

    with pytest.raises(Gone):
        world.connections.update(S, VIEWER)

    assert viewers(world) == ()


def test_the_bridge_of_the_living_attempt_attaches(world: World):
    created(world, build.session(attempt=build.attempt(2), attempts=2))
    link = BridgeLink("b1", 2, "key")

    world.connections.attach(S, link)

    assert world.connections.audience(S) == Audience(link, ())


def test_a_bridge_that_comes_again_replaces_itself(world: World):
    created(world, build.session(attempt=build.attempt(1), attempts=1))
    world.connections.attach(S, BridgeLink("b1", 1, "key"))
    newer = BridgeLink("b2", 1, "key", live=True)
    world.faults.plan(Fault.LOST)

    insist(lambda: world.connections.attach(S, newer))

    assert world.connections.audience(S).bridge == newer


@pytest.mark.parametrize(
    "attempt",
    [
        pytest.param(None, id="none lives"),
        pytest.param(build.attempt(2), id="a newer one lives"),
        pytest.param(build.attempt(1, ending=Ending.STOPPED), id="it is ending"),
    ],
)
def test_the_bridge_of_an_attempt_that_is_over_is_rejected(world: World, attempt):
    created(world, build.session(attempt=attempt, attempts=2))

    with pytest.raises(Rejected):
        world.connections.attach(S, BridgeLink("b1", 1, "key"))

    assert world.connections.audience(S).bridge is None


def test_the_bridge_of_an_unknown_session_is_rejected(world: World):
    with pytest.raises(Rejected):
        world.connections.attach(SessionId("nowhere"), BridgeLink("b1", 1, "key"))


def test_an_attempt_that_ends_while_its_bridge_attaches_keeps_no_bridge(world: World):
    session = created(world, build.session(attempt=build.attempt(1), attempts=1))
    ending = stating(session, AttemptEnding(Ending.INACTIVE))
    world.faults.plan(lambda: world.sessions.commit(ending))

    with pytest.raises(Rejected):
        world.connections.attach(S, BridgeLink("b1", 1, "key"))

    assert world.connections.audience(S).bridge is None


def test_a_bridge_that_detaches_takes_only_itself_away(world: World):
    created(world, build.session(attempt=build.attempt(1), attempts=1))
    newer = BridgeLink("b2", 1, "key")
    world.connections.attach(S, newer)

    world.connections.detach(S, "b1")
    assert world.connections.audience(S).bridge == newer

    world.connections.detach(S, "b2")
    world.connections.detach(S, "b2")
    assert world.connections.audience(S).bridge is None
