"""Following over a real socket that is lost, cut and replaced."""

import asyncio
from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.client.api import Api
from shared.client.deployment import Deployment
from shared.client.errors import Refused
from shared.client.follow import Pace
from shared.client.live import follow
from shared.client.requests import build
from shared.protocol import api, client
from shared.protocol.events import Warned
from tests.fakes.api_server import ApiServer, Push, Watched
from tests.fakes.api_server.sessions import Close, Turn

QUICK = Pace(ping_running=timedelta(seconds=0.2), ping_idle=timedelta(seconds=0.2))


def slots(*numbers: int) -> Turn:
    return [Warned(message=f"slot {number}") for number in numbers]


def session_of(server: ApiServer, turn: Turn) -> str:
    """A session whose first prompt, in slot 1, is answered by the turn."""
    repository = api.NewRepository(url="https://git.example.com/acme/tool.git")
    new = build(api.NewSession, request_id="r", repositories=[repository])
    prompt = build(
        api.NewPrompt,
        request_id="p",
        text="x",
        author=api.AuthorView(name="Ada", email="ada@example.com"),
    )
    session = server.sessions.create("ada", new)
    server.sessions.turns.append(turn)
    server.sessions.submit(session.id, "ada", prompt)
    return session.id


def followed(
    server: ApiServer,
    session_id: str,
    last: int,
    *,
    after: int = 0,
    pace: Pace = QUICK,
    token: str = "token-of-ada",
    said: list[str] | None = None,
) -> list[int]:
    """The slots that were delivered when `last` was."""

    async def following() -> list[int]:
        notice = (said if said is not None else []).append
        deployment = Deployment(http=server.http, token=token)
        async with Api(deployment, notice=notice) as http, asyncio.timeout(20):
            live = follow(http, session_id, after=after, notice=notice, pace=pace)
            delivered: list[int] = []
            async with aclosing(live.entries()) as entries:
                async for entry in entries:
                    delivered.append(entry.seq)
                    if entry.seq >= last:
                        break
            return delivered

    return asyncio.run(following())


def test_history_comes_in_pages_and_then_what_happens(server: ApiServer):
    session = session_of(server, [*slots(*range(2, 9)), Watched(), *slots(9, 10)])

    delivered = followed(server, session, 10)

    assert delivered == list(range(1, 11))
    assert server.sockets.heard[0] == client.Subscribe(after=0)


def test_following_begins_behind_the_cursor(server: ApiServer):
    session = session_of(server, slots(*range(2, 6)))
    server.sessions.join()

    assert followed(server, session, 5, after=3) == [4, 5]


def test_lost_doubled_and_late_pushes_are_delivered_once_and_in_order(server: ApiServer):
    server.sockets.pushes |= {3: Push.LOST, 4: Push.TWICE, 5: Push.LATE, 8: Push.LOST}
    session = session_of(server, [Watched(), *slots(*range(2, 10))])

    delivered = followed(server, session, 9)

    assert delivered == list(range(1, 10))
    assert client.Fetch(after=2, limit=100) in server.sockets.heard


def test_a_lost_last_frame_is_found_by_the_next_ping(server: ApiServer):
    server.sockets.pushes[3] = Push.LOST
    session = session_of(server, [Watched(), *slots(2, 3)])

    assert followed(server, session, 3) == [1, 2, 3]
    assert client.Ping() in server.sockets.heard


@pytest.mark.parametrize("code", [1001, 1008, 1009, 1011])
def test_a_socket_that_is_closed_is_replaced_and_resumes(server: ApiServer, code: int):
    server.sockets.close_before[3] = code
    session = session_of(server, [Watched(), *slots(2, 3, 4), Watched(2), *slots(5)])

    delivered = followed(server, session, 5)

    assert delivered == [1, 2, 3, 4, 5]
    subscriptions = [m for m in server.sockets.heard if isinstance(m, client.Subscribe)]
    assert subscriptions == [client.Subscribe(after=0), client.Subscribe(after=2)]


def test_an_expired_ticket_is_replaced_by_a_new_one(server: ApiServer):
    server.sockets.refuse_tickets = 2
    session = session_of(server, [Watched(), *slots(2)])
    said: list[str] = []

    delivered = followed(server, session, 2, said=said)

    assert delivered == [1, 2]
    assert server.paths().count(f"POST /sessions/{session}/socket-ticket") == 3
    assert said == [
        "the connection is lost; reconnecting (the session goes on)",
        "connected again",
    ]


def test_a_server_that_is_away_for_a_while_is_waited_for(server: ApiServer):
    session = session_of(server, [Watched(), Close(1001), *slots(2), Watched(2), *slots(3)])
    server.unavailable[f"POST /sessions/{session}/socket-ticket"] = 2

    assert followed(server, session, 3) == [1, 2, 3]


def test_an_old_connection_is_replaced_while_it_works(server: ApiServer):
    pace = replace(QUICK, lifetime=timedelta(seconds=0.4))
    session = session_of(server, [Watched(3), *slots(2)])
    said: list[str] = []

    delivered = followed(server, session, 2, pace=pace, said=said)

    assert delivered == [1, 2]
    assert said == []


def test_who_may_not_is_told_so_and_not_kept_waiting(server: ApiServer):
    session = session_of(server, [])

    with pytest.raises(Refused, match="bearer token"):
        followed(server, session, 1, token="revoked")
    with pytest.raises(Refused, match="no session"):
        followed(server, "nope", 1)


def test_leaving_closes_the_socket(server: ApiServer):
    session = session_of(server, [Watched(), *slots(2)])

    followed(server, session, 2)

    assert server.sockets.wait_until_nobody_watches()
