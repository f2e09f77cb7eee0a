import json
from datetime import timedelta
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

import sandbox_bridge.wire.frame as frames
from sandbox_bridge.wire.actions import (
    Action,
    Actions,
    Dropped,
    Fetched,
    Forget,
    HangUp,
    Keep,
    Leave,
    Obey,
    Send,
    Settled,
    Unfetchable,
)
from sandbox_bridge.wire.conversation import Conversation
from sandbox_bridge.wire.encoding import encoded, payload, said
from shared.protocol.bridge import (
    MAX_FRAME_BYTES,
    MAX_FRAME_EVENTS,
    Ack,
    Orders,
    PromptPart,
    Refused,
    ToBridge,
    Welcome,
)
from shared.protocol.events import PromptStarted, Ready, TextDelta

RUN = Orders(do="run", prompt=1)
IDLE = Orders(do="idle")
HEARTBEAT = timedelta(seconds=30)
DAYS = timedelta(days=9).total_seconds()


def numbered() -> Any:
    count = iter(range(1, 1_000_000))
    return lambda: f"f{next(count)}"


def conversation(**fields: Any) -> Conversation:
    return Conversation(heartbeat=HEARTBEAT, new_id=numbered(), **fields)


def raw(message: ToBridge) -> str:
    return message.model_dump_json(by_alias=True)


def opened(talk: Conversation, *, at: float = 0, cursor: str = "c0", orders: Orders = IDLE) -> None:
    talk.opened(at)
    talk.received(raw(Welcome(cursor=cursor, orders=orders)), at)


def sent(actions: Actions) -> list[dict[str, Any]]:
    return [json.loads(action.text) for action in actions if isinstance(action, Send)]


def kinds(actions: Actions) -> list[type[Action]]:
    return [type(action) for action in actions]


def test_it_says_hello_and_obeys_the_welcome():
    talk = conversation()

    hello = talk.opened(0)
    orders = talk.received(raw(Welcome(cursor="c0", orders=RUN)), 0)

    assert [message["type"] for message in sent(hello)] == ["hello"]
    assert orders == (Obey(RUN),)


def test_it_says_in_each_hello_what_its_files_are():
    marks = iter((0, 7))
    talk = conversation(marker=lambda: next(marks))

    hellos = sent(talk.opened(0)) + sent(talk.opened(1))

    assert [hello["marker"] for hello in hellos] == [0, 7]


def test_nothing_is_sent_before_the_welcome():
    talk = conversation()
    talk.say(Ready())

    talk.opened(0)

    assert talk.tick(1) == ()


def test_the_first_frame_follows_the_welcome_and_the_next_one_the_ack():
    talk = conversation()
    opened(talk, cursor="c0")
    talk.say(Ready())
    first = talk.tick(0)
    talk.say(PromptStarted(prompt=1))

    waiting = talk.tick(1)
    settled = talk.received(raw(Ack(id="f1", cursor="c1")), 1)
    second = talk.tick(1)

    assert kinds(first) == [Keep, Send]
    assert sent(first)[0]["after"] == "c0"
    assert waiting == ()
    assert settled == (Settled([said(Ready())]), Forget())
    assert sent(second)[0]["after"] == "c1"
    assert sent(second)[0]["events"] == [said(PromptStarted(prompt=1))]


def test_five_frames_a_second_at_most():
    talk = conversation()
    opened(talk)
    frames_at: list[float] = []

    for step in range(200):
        now = step / 100
        talk.say(TextDelta(prompt=1, part=str(step), delta="x"))
        for message in sent(talk.tick(now)):
            frames_at.append(now)
            talk.received(raw(Ack(id=message["id"], cursor="c")), now)

    assert len(frames_at) == 10
    assert all(later - at > 0.99 for at, later in zip(frames_at, frames_at[5:], strict=False))


def test_a_backlog_goes_as_fast_as_the_server_answers():
    talk = conversation()
    opened(talk)
    for number in range(MAX_FRAME_EVENTS * 8):
        talk.say(TextDelta(prompt=1, part=str(number), delta="x"))

    frames = 0
    for _ in range(20):
        for message in sent(talk.tick(0)):
            frames += 1
            talk.received(raw(Ack(id=message["id"], cursor="c")), 0)

    assert frames == 8


def test_a_frame_without_an_answer_is_repeated_to_the_letter():
    talk = conversation()
    opened(talk)
    talk.say(Ready())
    (_, first) = talk.tick(0)

    assert talk.tick(9) == ()
    assert talk.tick(10) == (first,)


def test_a_new_socket_gets_the_same_frame_with_the_after_it_had():
    talk = conversation()
    opened(talk, cursor="c0")
    talk.say(Ready())
    (_, first) = talk.tick(0)
    talk.closed()

    opened(talk, at=1, cursor="c9")

    assert talk.tick(1) == (first,)


def test_a_frame_from_before_a_restart_goes_first_and_unchanged():
    left = frames.build("old", "c-old", [encoded(payload(PromptStarted(prompt=1)))])
    talk = conversation(frame=left)
    talk.say(Ready())

    opened(talk, cursor="c0")

    assert talk.tick(0) == (Send(left.raw),)
    talk.received(raw(Ack(id="old", cursor="c1")), 0)
    assert sent(talk.tick(0))[0]["events"] == [said(Ready())]


def test_the_answer_to_another_frame_is_no_answer():
    talk = conversation()
    opened(talk)
    talk.say(Ready())
    talk.tick(0)

    assert talk.received(raw(Ack(id="stranger", cursor="c1")), 0) == ()
    assert talk.received(raw(Refused(id="stranger", code="x", message="no")), 0) == ()


def test_a_refusal_that_is_not_final_is_tried_again_a_second_later():
    talk = conversation()
    opened(talk)
    talk.say(Ready())
    (_, first) = talk.tick(0)

    talk.received(raw(Refused(id="f1", code="contended", message="busy", final=False)), 0.1)

    assert talk.tick(0.5) == ()
    assert talk.tick(1.2) == (first,)


def test_what_is_refused_for_good_is_dropped_with_a_warning():
    talk = conversation()
    opened(talk)
    talk.say(Ready())
    talk.tick(0)

    dropped = talk.received(raw(Refused(id="f1", code="quota", message="too much")), 0)
    warning = sent(talk.tick(1))[0]["events"][0]

    assert dropped == (Dropped([said(Ready())]), Forget())
    assert warning["type"] == "warning"
    assert "quota" in warning["message"]


def test_a_refused_warning_is_not_warned_about():
    talk = conversation()
    opened(talk)
    talk.say(Ready())
    talk.tick(0)
    talk.received(raw(Refused(id="f1", code="quota", message="too much")), 0)
    talk.tick(1)

    talk.received(raw(Refused(id="f2", code="quota", message="too much")), 1)

    assert talk.tick(2) == ()


def test_a_retired_bridge_leaves():
    talk = conversation()
    opened(talk)

    left = talk.received(raw(Refused(code="retired", message="over", retired=True)), 0)

    assert left == (Leave("over"),)
    assert talk.received(raw(RUN), 0) == ()
    assert talk.opened(1) == ()
    assert talk.tick(99) == ()


def test_the_order_to_retire_is_obeyed_by_leaving():
    talk = conversation()
    opened(talk)

    assert talk.received(raw(Orders(do="retire")), 0) == (Leave("ordered to retire"),)


def test_a_refused_hello_hangs_up():
    talk = conversation()
    talk.opened(0)

    actions = talk.received(raw(Refused(code="unavailable", message="not now", final=False)), 0)

    assert actions == (HangUp("not now"),)


def test_a_socket_that_the_server_does_not_listen_to_is_hung_up():
    talk = conversation()
    opened(talk)
    talk.tick(30)

    replaced = Refused(code="replaced", message="a newer socket took over", final=False)

    assert talk.received(raw(replaced), 30) == (HangUp("a newer socket took over"),)


def test_a_hello_without_a_welcome_hangs_up():
    talk = conversation()
    talk.opened(0)

    assert talk.tick(9) == ()
    assert talk.tick(10) == (HangUp("no welcome"),)


def test_heartbeats_have_a_rhythm():
    talk = conversation()
    opened(talk)

    beats = [now for now in range(100) if sent(talk.tick(now)) and talk.received(raw(IDLE), now)]

    assert beats == [30, 60, 90]


def test_a_heartbeat_without_any_answer_hangs_up():
    talk = conversation()
    opened(talk)
    talk.tick(30)

    assert talk.tick(39) == ()
    assert talk.tick(40) == (HangUp("the server is silent"),)


def test_any_word_of_the_server_is_a_sign_of_life():
    talk = conversation()
    opened(talk)
    talk.tick(30)

    talk.received(raw(Ack(id="stranger", cursor="c")), 35)

    assert talk.tick(41) == ()


def test_a_word_that_nobody_knows_is_ignored():
    talk = conversation()
    opened(talk)

    assert talk.received('{"type": "dance", "step": 3}', 0) == ()
    assert talk.received("no json", 0) == ()
    assert talk.received("", 0) == ()


def part(offset: int, text: str, total: int) -> str:
    return raw(
        PromptPart(
            prompt=1,
            offset=offset,
            text=text,
            total=total,
            author_name="Ada",
            author_email="ada@example.com",
            model="demo/scripted",
        )
    )


def test_a_prompt_is_fetched_part_by_part():
    talk = conversation()
    opened(talk)
    talk.fetch(1)

    first = sent(talk.tick(0))
    talk.received(part(0, "abc", 5), 0)
    talk.received(part(0, "abc", 5), 0)
    second = sent(talk.tick(0))
    fetched = talk.received(part(3, "de", 5), 0)

    assert [message["offset"] for message in (*first, *second)] == [0, 3]
    assert fetched == (Fetched(1, "abcde", "Ada", "ada@example.com", "demo/scripted"),)
    assert talk.tick(1) == ()


def test_a_prompt_is_asked_for_again_on_a_new_socket_and_when_no_answer_comes():
    talk = conversation()
    opened(talk)
    talk.fetch(1)
    talk.tick(0)

    assert sent(talk.tick(10))[0]["type"] == "get_prompt"
    talk.closed()
    opened(talk, at=11)
    assert sent(talk.tick(11))[0]["type"] == "get_prompt"


def test_a_prompt_that_is_refused_cannot_be_fetched():
    talk = conversation()
    opened(talk)
    talk.fetch(1)
    talk.tick(0)

    talk.received(raw(Refused(code="unavailable", message="later", final=False)), 0)
    again = sent(talk.tick(1))
    refused = talk.received(raw(Refused(code="not_found", message="no prompt 1")), 1)

    assert again[0]["type"] == "get_prompt"
    assert refused == (Unfetchable(1, "no prompt 1"),)


class Wire(RuleBasedStateMachine):
    """A server that loses, repeats and delays; a bridge that is cut off, killed, started again."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.ids = numbered()
        self.count = 0
        self.said: list[dict[str, Any]] = []
        self.kept: frames.Frame | None = None
        self.settled: list[dict[str, Any]] = []
        self.log: list[frames.Frame] = []
        self.answers: list[str] = []
        self.in_flight: set[str] = set()
        self.first_raw: dict[str, str] = {}
        self.start()

    def start(self) -> None:
        self.talk = Conversation(heartbeat=HEARTBEAT, new_id=self.ids, frame=self.kept)
        self.open = False

    def perform(self, actions: Actions) -> None:
        for action in actions:
            match action:
                case Keep(frame):
                    self.kept = frame
                case Forget():
                    self.kept = None
                case Settled(events):
                    self.settled += events
                case Send(text):
                    self.hear(json.loads(text), text)
                case HangUp():
                    self.open = False
                case _:
                    pass

    def hear(self, message: dict[str, Any], text: str) -> None:
        if message["type"] == "hello":
            welcome = Welcome(cursor=f"c{len(self.log)}", orders=IDLE)
            self.answers = [raw(welcome)]
        elif message["type"] == "heartbeat":
            self.answers.append(raw(IDLE))
        else:
            self.store(message, text)

    def store(self, message: dict[str, Any], text: str) -> None:
        assert self.kept is not None
        assert self.kept.raw == text, "a frame is on disk before it is sent"
        assert self.first_raw.setdefault(message["id"], text) == text, "a frame never changes"
        assert len(text.encode()) <= MAX_FRAME_BYTES
        if message["id"] not in {frame.id for frame in self.log}:
            self.log.append(frames.read(text))
        self.answers.append(raw(Ack(id=message["id"], cursor=f"c{len(self.log)}")))

    @rule(size=st.integers(0, 9_000), many=st.integers(1, 8))
    def say(self, size: int, many: int) -> None:
        for _ in range(many):
            self.count += 1
            event = TextDelta(prompt=1, part=str(self.count), delta="x" * size)
            self.said.append(said(event))
            self.talk.say(event)

    @rule(seconds=st.sampled_from([0.05, 0.3, 5.0, 31.0]))
    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.perform(self.talk.tick(self.now))

    @precondition(lambda self: not self.open)
    @rule()
    def connect(self) -> None:
        self.open = True
        self.perform(self.talk.opened(self.now))

    @precondition(lambda self: self.open)
    @rule()
    def cut(self) -> None:
        self.open = False
        self.answers.clear()
        self.talk.closed()

    @precondition(lambda self: self.open)
    @rule()
    def roll_over(self) -> None:
        self.perform(self.talk.opened(self.now))

    @precondition(lambda self: self.answers)
    @rule(twice=st.booleans())
    def answer(self, twice: bool) -> None:
        text = self.answers.pop(0)
        for _ in range(2 if twice else 1):
            self.perform(self.talk.received(text, self.now))

    @precondition(lambda self: self.answers)
    @rule()
    def lose_an_answer(self) -> None:
        self.answers.pop(0)

    @rule()
    def kill(self) -> None:
        """What was only gathered dies with the bridge; what was in flight does not."""
        alive = [event for frame in self.log for event in frame.events]
        alive += [each for each in (self.kept.events if self.kept else []) if each not in alive]
        self.said = alive
        self.answers.clear()
        self.start()

    @invariant()
    def the_log_has_what_was_said_in_order_and_once(self) -> None:
        stored = [event for frame in self.log for event in frame.events]
        assert stored == self.said[: len(stored)]

    @invariant()
    def what_is_settled_is_stored(self) -> None:
        stored = [event for frame in self.log for event in frame.events]
        assert self.settled == stored[: len(self.settled)]

    def teardown(self) -> None:
        """However it went, a server that answers again gets everything within a few seconds."""
        self.answers.clear()
        self.talk.closed()
        self.perform(self.talk.opened(self.now))
        for _ in range(400):
            while self.answers:
                self.perform(self.talk.received(self.answers.pop(0), self.now))
            self.now += 0.21
            self.perform(self.talk.tick(self.now))
        stored = [event for frame in self.log for event in frame.events]
        assert stored == self.said


TestWire = Wire.TestCase
TestWire.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)


def test_after_days_of_being_frozen_it_beats_once_and_finds_a_dead_socket_in_seconds():
    talk = conversation()
    opened(talk)
    talk.tick(30)
    talk.received(raw(IDLE), 31)

    woken = talk.tick(DAYS)
    silent = talk.tick(DAYS + 10)

    assert [message["type"] for message in sent(woken)] == ["heartbeat"]
    assert silent == (HangUp("the server is silent"),)
    assert [message["type"] for message in sent(talk.opened(DAYS + 11))] == ["hello"]
