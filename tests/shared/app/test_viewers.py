"""Catching up: pages that fit a message, from either end."""

from datetime import timedelta

from shared.app.viewers import Watcher
from shared.domain.session.state import SessionId, UserId
from shared.domain.timeline import Frame
from shared.protocol import client as wire
from tests.world import World


def watcher(world: World, session_id: SessionId) -> Watcher:
    user, _ = world.owner()
    text, _ = world.app.viewers.issue_ticket(session_id, user)
    joined = Watcher(session_id, UserId("ada"), "ada", "c1")
    world.app.viewers.connect(joined, text)
    return joined


def fill(world: World, session_id: SessionId, frames: int, size: int) -> None:
    for n in range(frames):
        frame = Frame(f"f{n}", ({"type": "text", "text": "x" * size},), 1)
        world.app.timeline.append(session_id, frame, after=n, now=world.now)


def answer(world: World) -> wire.ToClient:
    return wire.TO_CLIENT.validate_json(world.client_sockets.take("c1")[0])


def slots(frames: list[wire.Frame]) -> list[int]:
    return [frame.seq for frame in frames]


def test_a_newcomer_gets_the_newest_page_whole_frames_only():
    world = World()
    session_id = world.open_session()
    joined = watcher(world, session_id)
    fill(world, session_id, frames=10, size=5_000)

    world.app.viewers.subscribe(joined, wire.Subscribe())

    subscribed = answer(world)
    assert isinstance(subscribed, wire.Subscribed)
    assert slots(subscribed.frames) == [7, 8, 9, 10]
    assert (subscribed.tail, subscribed.more) == (10, True)


def test_whoever_comes_back_gets_what_follows_its_cursor():
    world = World()
    session_id = world.open_session()
    joined = watcher(world, session_id)
    fill(world, session_id, frames=10, size=5_000)

    world.app.viewers.subscribe(joined, wire.Subscribe(after=2))

    subscribed = answer(world)
    assert isinstance(subscribed, wire.Subscribed)
    assert slots(subscribed.frames) == [3, 4, 5, 6]
    assert subscribed.more


def test_whoever_missed_nothing_is_told_where_the_tail_is():
    world = World()
    session_id = world.open_session()
    joined = watcher(world, session_id)
    fill(world, session_id, frames=3, size=10)

    world.app.viewers.subscribe(joined, wire.Subscribe(after=3))

    subscribed = answer(world)
    assert isinstance(subscribed, wire.Subscribed)
    assert (slots(subscribed.frames), subscribed.tail, subscribed.more) == ([], 3, False)


def test_a_hole_is_fetched_to_its_end():
    world = World()
    session_id = world.open_session()
    joined = watcher(world, session_id)
    fill(world, session_id, frames=5, size=10)

    world.app.viewers.fetch(joined, wire.Fetch(after=1))

    page = answer(world)
    assert isinstance(page, wire.Page)
    assert (slots(page.frames), page.tail, page.more) == ([2, 3, 4, 5], 5, False)


def test_history_is_read_backwards():
    world = World()
    session_id = world.open_session()
    joined = watcher(world, session_id)
    fill(world, session_id, frames=5, size=10)

    world.app.viewers.fetch(joined, wire.Fetch(before=4, limit=2))

    page = answer(world)
    assert isinstance(page, wire.Page)
    assert (slots(page.frames), page.more) == ([2, 3], True)


def test_somebody_watches_while_the_page_is_visible_and_pings():
    world = World()
    session_id = world.open_session()
    joined = watcher(world, session_id)
    before = world.app.viewers.watched(session_id)
    world.app.viewers.subscribe(joined, wire.Subscribe())
    seen = world.app.viewers.watched(session_id)

    world.app.viewers.presence(joined, visible=False)
    hidden = world.app.viewers.watched(session_id)
    world.app.viewers.presence(joined, visible=True)
    world.pass_time(timedelta(minutes=3))
    silent = world.app.viewers.watched(session_id)
    world.app.viewers.ping(joined)

    assert (before, seen, hidden, silent) == (False, True, False, False)
    assert world.app.viewers.watched(session_id)
