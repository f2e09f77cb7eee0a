"""When a connection is pinged, taken for dead, and replaced: on a simulated clock."""

from datetime import timedelta

import pytest

from shared.client.errors import Refused
from shared.client.follow import Follow, Pace, Parting
from shared.protocol.client import Error, Fetch, Ping, Pong, PresenceUpdate
from shared.protocol.server_events import PromptDispatched, PromptFinished
from tests.shared.client import told
from tests.shared.client.network import MS, SECOND, START, joined, subscribed


@pytest.mark.parametrize(("running", "interval"), [(True, 20 * SECOND), (False, 60 * SECOND)])
def test_pings_are_denser_while_a_prompt_runs(running: bool, interval: timedelta):
    follow = joined(running=running)

    assert follow.due(START + interval - MS) == ()
    assert follow.due(START + interval) == (Ping(),)


def test_the_frames_say_when_a_prompt_begins_and_ends():
    follow = joined()
    follow.received(told.frame(1, PromptDispatched(prompt=1)), START)
    assert follow.due(START + 20 * SECOND) == (Ping(),)
    follow.received(Pong(tail=1), START + 20 * SECOND)

    follow.received(told.frame(2, PromptFinished(prompt=1, status="failed")), START + 21 * SECOND)

    assert follow.due(START + 79 * SECOND) == ()
    assert follow.due(START + 80 * SECOND) == (Ping(),)


def test_history_does_not_make_an_idle_session_run():
    follow = Follow(0)
    follow.opened(START)

    history = [told.frame(1, PromptDispatched(prompt=1))]
    follow.received(subscribed(frames=history, tail=2), START)

    assert Ping() not in follow.due(START + 20 * SECOND)


def test_a_ping_that_nothing_answers_ends_the_connection():
    follow = joined()
    follow.due(START + 60 * SECOND)

    assert follow.parting(START + 70 * SECOND - MS) is None
    assert follow.parting(START + 70 * SECOND) is Parting.SILENT


def test_whatever_is_heard_after_a_ping_keeps_the_connection():
    follow = joined()
    follow.due(START + 60 * SECOND)
    follow.received(PresenceUpdate(participants=[]), START + 61 * SECOND)

    assert follow.parting(START + 75 * SECOND) is None


def test_a_subscription_that_nothing_answers_ends_the_connection():
    follow = Follow(0)
    follow.opened(START)

    assert follow.due(START + 9 * SECOND) == ()
    assert follow.parting(START + 10 * SECOND) is Parting.SILENT


def test_a_connection_is_replaced_before_it_is_two_hours_old():
    lifetime = timedelta(hours=1, minutes=45)
    follow = Follow(0)
    follow.opened(START, lifetime)
    follow.received(subscribed(), START)
    for minute in range(1, 105):
        follow.due(START + minute * timedelta(minutes=1))
        follow.received(Pong(tail=0), START + minute * timedelta(minutes=1))

    assert follow.parting(START + lifetime - MS) is None
    assert follow.parting(START + lifetime) is Parting.ROLL_OVER
    assert Pace().lifetime < timedelta(hours=2)


def test_a_refusal_to_subscribe_is_for_good():
    follow = Follow(0)
    follow.opened(START)

    with pytest.raises(Refused, match="no session") as refused:
        follow.received(Error(code="not_found", message="no session"), START)

    assert refused.value.code == "not_found"


@pytest.mark.parametrize("code", ["contended", "unavailable", "internal", "unauthenticated"])
def test_a_server_that_cannot_just_now_is_asked_on_another_connection(code: str):
    follow = Follow(0)
    follow.opened(START)

    follow.received(Error(code=code, message="not now"), START)

    assert follow.parting(START) is Parting.REFUSED


def test_a_socket_that_the_server_forgot_is_replaced():
    follow = joined()

    follow.received(Error(code="unauthenticated", message="subscribe first"), START)

    assert follow.parting(START) is Parting.REFUSED


def test_an_error_instead_of_a_page_is_waited_out():
    follow = joined(tail=1)
    follow.due(START + 300 * MS)

    follow.received(Error(code="unavailable", message="not now"), START + 310 * MS)

    assert follow.due(START + SECOND) == ()
    assert follow.due(START + 11 * SECOND) == (Fetch(after=0, limit=100),)


def test_a_connection_has_proven_itself_after_ten_seconds():
    follow = joined()

    assert not follow.proven(START + 9 * SECOND)
    assert follow.proven(START + 10 * SECOND)
