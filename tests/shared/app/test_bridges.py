"""Each message of a bridge has exactly one answer, and only a living attempt may speak."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from shared.app.bridges import Caller
from shared.app.lives import Life
from shared.app.ports.uploads import Owner, Upload
from shared.domain.attachment import Attachment
from shared.domain.errors import Rejected
from shared.domain.session.commands import Cancel, Retire, Stop, SubmitPrompt
from shared.domain.session.sandbox import Ending, ProviderId, Snapshot, Wait, Workspace
from shared.domain.session.state import SessionId, SessionStatus, UserId
from shared.protocol import bridge as wire
from shared.protocol.server_events import SERVER_SAYS
from tests import build
from tests.world import World

TEXT: Mapping[str, Any] = {"type": "text", "prompt": 1, "part": "a", "text": "hello"}
READY: Mapping[str, Any] = {"type": "ready"}
DONE: Mapping[str, Any] = {
    "type": "execution_complete",
    "prompt": 1,
    "status": "completed",
    "cost": 0.25,
    "branch": "outboard/x",
    "commit": "abc",
}


class Bridge:
    """The bridge of a session's first attempt, connected, with its cursor."""

    def __init__(self, world: World, connection: str = "b1", attempt: int = 1) -> None:
        self.world = world
        self.session_id: SessionId = world.open_session()
        world.submit(self.session_id)
        self.life = Life(self.session_id, attempt)
        world.lives.launch(self.life)
        self.caller = Caller(self.session_id, attempt, connection)
        world.app.bridges.connect(self.caller)
        welcome = self.say(wire.Hello())
        assert isinstance(welcome, wire.Welcome)
        self.cursor = welcome.cursor
        self.orders = welcome.orders
        self._frames = 0

    def say(self, message: wire.FromBridge) -> wire.ToBridge:
        """Answers with the answer: the last of what was posted is it."""
        self.world.bridge_sockets.take(self.caller.connection_id)
        self.world.app.bridges.handle(self.caller, message)
        posted = self.world.bridge_sockets.take(self.caller.connection_id)
        answers = [wire.TO_BRIDGE.validate_json(text) for text in posted]
        return next(answer for answer in reversed(answers) if not self._is_hint(answer, message))

    def _is_hint(self, answer: wire.ToBridge, message: wire.FromBridge) -> bool:
        return isinstance(answer, wire.Orders) and not isinstance(message, wire.Heartbeat)

    def frame(self, *events: Mapping[str, Any], after: str | None = None) -> wire.FrameMessage:
        self._frames += 1
        told = [dict(event) for event in events]
        return wire.FrameMessage(id=f"f{self._frames}", after=after or self.cursor, events=told)

    def tell(self, *events: Mapping[str, Any]) -> wire.ToBridge:
        answer = self.say(self.frame(*events))
        if isinstance(answer, wire.Ack):
            self.cursor = answer.cursor
        return answer

    def heartbeat(self) -> wire.Orders:
        orders = self.say(wire.Heartbeat())
        assert isinstance(orders, wire.Orders)
        return orders


def log(bridge: Bridge) -> list[tuple[int, list[str]]]:
    entries = bridge.world.app.timeline.after(bridge.session_id, 0, limit=100)
    return [(entry.seq, [event["type"] for event in entry.frame.events]) for entry in entries]


def test_hello_is_welcomed_and_the_sandbox_is_connecting():
    bridge = Bridge(World())

    session = bridge.world.app.sessions.load(bridge.session_id)
    assert session.sandbox == "connecting"
    assert bridge.orders == wire.Orders(do="idle")


def test_a_bridge_whose_disk_is_older_than_a_copy_of_it_is_told_to_leave():
    world = World()
    bridge = damaged(world)

    answer = bridge.say(wire.Hello(marker=0))

    session = world.app.sessions.load(bridge.session_id)
    assert isinstance(answer, wire.Refused)
    assert answer.retired
    assert session.attempt is not None
    assert session.attempt.ending is Ending.DAMAGED


def damaged(world: World) -> Bridge:
    """Connected from a sandbox that was resumed, and has not said yet what is on its disk."""
    bridge = Bridge(world)
    world.app.sessions.handle(bridge.session_id, Retire(1, None))  # its prompt failed
    box, copy = ProviderId("box-1"), Snapshot("copy-1", 1, 1, world.now)
    kept = world.memory.partitions[bridge.session_id]
    files = Workspace(box, turn=1, marker=1, snapshot=copy)
    kept.session = replace(kept.session, workspace=files)
    world.submit(bridge.session_id, request_id="p2")
    bridge.caller = replace(bridge.caller, attempt=2)
    world.app.bridges.connect(bridge.caller)
    return bridge


def test_ready_dispatches_the_waiting_prompt_and_orders_repeat_it():
    bridge = Bridge(World())

    bridge.tell(READY)

    assert bridge.heartbeat() == wire.Orders(do="run", prompt=1)
    assert bridge.heartbeat() == wire.Orders(do="run", prompt=1)


def test_a_plain_frame_is_stored_and_acknowledged_with_the_next_cursor():
    bridge = Bridge(World())
    before = bridge.cursor

    answer = bridge.tell(TEXT)

    assert isinstance(answer, wire.Ack)
    assert bridge.cursor != before
    assert log(bridge)[-1][1] == ["text"]


def test_a_frame_that_changes_state_and_its_facts_share_one_slot():
    bridge = Bridge(World())
    bridge.tell(READY)

    bridge.tell(TEXT, DONE)

    assert log(bridge)[-1][1] == [
        "text",
        "execution_complete",
        "prompt_finished",
        "session_status",
        "sandbox_status",
    ]
    session = bridge.world.app.sessions.load(bridge.session_id)
    assert (session.status, session.cost) == (SessionStatus.COMPLETED, 0.25)


def test_a_frame_sent_again_is_acknowledged_again_and_stored_once():
    bridge = Bridge(World())
    bridge.tell(READY)
    frame = bridge.frame(DONE)

    first, second = bridge.say(frame), bridge.say(frame)

    assert isinstance(first, wire.Ack)
    assert isinstance(second, wire.Ack)
    assert [kinds for _, kinds in log(bridge)].count(log(bridge)[-1][1]) == 1
    assert bridge.world.app.sessions.load(bridge.session_id).cost == 0.25


def test_a_cursor_of_the_sandboxs_own_making_is_refused_for_good():
    bridge = Bridge(World())

    answer = bridge.say(bridge.frame(TEXT, after=f"{bridge.session_id}.1.999.0.sig"))

    assert isinstance(answer, wire.Refused)
    assert (answer.code, answer.final, answer.retired) == ("forbidden", True, False)


def test_a_deciding_event_without_its_fields_is_refused_and_not_stored():
    bridge = Bridge(World())
    before = log(bridge)

    answer = bridge.tell({"type": "execution_complete", "prompt": "one"})

    assert isinstance(answer, wire.Refused)
    assert answer.code == "malformed"
    assert log(bridge) == before


@pytest.mark.parametrize("kind", sorted(SERVER_SAYS))
def test_a_sandbox_cannot_say_what_only_the_server_says(kind: str):
    bridge = Bridge(World())
    before = log(bridge)

    answer = bridge.tell(TEXT, {"type": kind, "prompt": 1, "status": "completed"})

    assert isinstance(answer, wire.Refused)
    assert (answer.code, answer.final, answer.retired) == ("forbidden", True, False)
    assert log(bridge) == before


def test_an_event_of_tomorrow_is_stored_as_it_came():
    bridge = Bridge(World())

    bridge.tell({"type": "of tomorrow", "shape": [1, 2]})

    newest = bridge.world.app.timeline.before(bridge.session_id, None, limit=1)[0]
    assert newest.frame.events == ({"type": "of tomorrow", "shape": [1, 2]},)


def test_a_frame_of_a_retired_attempt_is_told_to_leave():
    bridge = Bridge(World())
    bridge.world.app.sessions.handle(bridge.session_id, Cancel(UserId("ada")))

    answer = bridge.tell(TEXT)

    assert isinstance(answer, wire.Refused)
    assert (answer.code, answer.retired) == ("retired", True)


def test_an_older_socket_of_the_same_attempt_is_told_so():
    bridge = Bridge(World())
    bridge.world.app.bridges.connect(Caller(bridge.session_id, 1, "b2"))

    answer = bridge.tell(TEXT)

    assert isinstance(answer, wire.Refused)
    assert (answer.code, answer.final, answer.retired) == ("replaced", False, False)


def test_the_bridge_of_an_ended_attempt_cannot_connect():
    bridge = Bridge(World())
    bridge.world.app.sessions.handle(bridge.session_id, Cancel(UserId("ada")))

    with pytest.raises(Rejected):
        bridge.world.app.bridges.connect(bridge.caller)


def test_a_stop_is_hinted_at_once_and_repeated_by_heartbeat():
    bridge = Bridge(World())
    bridge.tell(READY)
    bridge.world.bridge_sockets.take("b1")

    bridge.world.app.sessions.handle(bridge.session_id, Stop(UserId("ada")))

    hints = bridge.world.bridge_sockets.take("b1")
    assert [wire.TO_BRIDGE.validate_json(hint) for hint in hints] == [
        wire.Orders(do="stop", prompt=1)
    ]
    assert bridge.heartbeat() == wire.Orders(do="stop", prompt=1)


def test_a_heartbeat_reaches_the_workflow_that_waits():
    bridge = Bridge(World())
    bridge.world.lives.wait(bridge.life, Wait.READY, "token-r")

    bridge.heartbeat()

    assert bridge.world.workflow.beats == ["token-r"]


def test_a_long_prompt_comes_in_parts_that_make_the_whole():
    world = World()
    session_id = world.open_session()
    text = "".join(chr(0x1F600 + n % 60) for n in range(20_000))
    world.submit(session_id, text)
    world.lives.launch(Life(session_id, 1))
    caller = Caller(session_id, 1, "b1")
    world.app.bridges.connect(caller)

    whole = ""
    while len(whole) < len(text):
        world.bridge_sockets.take("b1")
        world.app.bridges.handle(caller, wire.GetPrompt(prompt=1, offset=len(whole)))
        (posted,) = world.bridge_sockets.take("b1")
        part = wire.TO_BRIDGE.validate_json(posted)
        assert isinstance(part, wire.PromptPart)
        assert len(posted.encode()) < 32 * 1024
        whole += part.text

    assert whole == text


@pytest.mark.parametrize(("takes_them", "text"), [(True, "look"), (False, "look\n\n(Images")])
def test_a_bridge_is_told_of_images_and_an_old_ones_agent_that_it_cannot_see_them(
    takes_them: bool, text: str
):
    world = World()
    session_id = world.open_session()
    attached = (build.attachment(),)
    world.memory.uploads[attached[0].id] = uploaded(attached[0])
    command = SubmitPrompt(
        author=build.ADA, text="look", model="demo/scripted", attachments=attached
    )
    world.app.sessions.handle(session_id, command)
    world.lives.launch(Life(session_id, 1))
    caller = Caller(session_id, 1, "b1")
    world.app.bridges.connect(caller)

    world.app.bridges.handle(caller, wire.GetPrompt(prompt=1, attachments=takes_them))

    (posted,) = world.bridge_sockets.take("b1")
    part = wire.TO_BRIDGE.validate_json(posted)
    assert isinstance(part, wire.PromptPart)
    assert part.text.startswith(text)
    assert part.total == len(part.text)
    assert [file.id for file in part.attachments] == [attached[0].id]


def uploaded(file: Attachment) -> Upload:
    return Upload(
        id=file.id,
        owner=Owner("user ada"),
        name=file.name,
        type=file.type,
        size=file.size,
        expires_at=build.NOW + timedelta(hours=1),
    )


def test_a_prompt_that_is_not_there_is_refused_by_name():
    bridge = Bridge(World())

    answer = bridge.say(wire.GetPrompt(prompt=9))

    assert isinstance(answer, wire.Refused)
    assert answer.code == "not_found"


def test_an_answer_comes_no_sooner_than_a_commit_could_get_in():
    world = World()
    bridge = Bridge(world)
    bridge.tell(TEXT)
    world.pass_time(timedelta(milliseconds=60))

    bridge.tell(TEXT)

    assert world.slept == [0.1, pytest.approx(0.04)]


def test_an_old_cursor_buys_no_haste():
    """Else one cursor, used again and again, would keep every commit from getting in."""
    world = World()
    bridge = Bridge(world)
    old = bridge.cursor
    bridge.tell(TEXT)
    world.pass_time(timedelta(seconds=5))
    world.slept.clear()

    bridge.say(bridge.frame(TEXT, after=old))

    assert world.slept == [0.1]


def test_an_old_cursor_buys_no_room_in_a_full_timeline():
    world = World()
    bridge = Bridge(world)
    old = bridge.cursor
    bridge.tell(TEXT)
    full = replace(world.app.bridges, room=len(log(bridge)))
    world.pass_time(timedelta(minutes=2))
    world.bridge_sockets.take(bridge.caller.connection_id)

    full.handle(bridge.caller, bridge.frame(TEXT, after=old))

    (posted,) = world.bridge_sockets.take(bridge.caller.connection_id)
    answer = wire.TO_BRIDGE.validate_json(posted)
    assert isinstance(answer, wire.Refused)
    assert answer.message.startswith("this session's timeline is full")
