"""A model of the timeline's protocol: any interleaving of slow writers on a network that lies."""

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Literal

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from shared.adapters.dynamodb.slots import MOVES, Unsure, place
from shared.domain.errors import Contended
from shared.domain.timeline import Entry, Frame
from tests.build import NOW


class Net(Enum):
    ANSWERED = auto()
    DROPPED = auto()
    LOST = auto()
    """Applied, not heard of: asked again."""
    LATE = auto()
    """Not heard of and asked again, and applied in the end: perhaps much later."""


@dataclass
class Asks(Exception):
    """Where a delivery stands: what it asks the table for next."""

    what: Literal["put", "behind"]
    slot: int


class Replay:
    """A `Log` that answers from memory, as far as that goes.

    So a delivery can stop at each request and be taken up again, without a thread.
    """

    def __init__(self, answers: list[Any]) -> None:
        self._answers = iter(answers)

    def put(self, slot: int) -> Entry | None:
        return self._next(Asks("put", slot))

    def behind(self, slot: int) -> tuple[Entry | None, int]:
        return self._next(Asks("behind", slot))

    def _next(self, asks: Asks) -> Any:
        for answer in self._answers:
            return answer
        raise asks


@dataclass(eq=False)
class Delivery:
    """One Lambda with one frame in its hands."""

    frame: Frame
    after: int
    answers: list[Any] = field(default_factory=list)

    def stands(self) -> Asks | int:
        """The next request; or the slot, when it is through."""
        try:
            slot, _ = place(Replay(self.answers), self.frame.id, after=self.after)
        except Asks as asks:
            return asks
        return slot


class Timeline(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.slots: dict[int, Entry] = {}
        self.late: list[Entry] = []
        self.deliveries: list[Delivery] = []
        self.answered: dict[str, int] = {}
        self.sent: list[tuple[Frame, int]] = []

    @precondition(lambda self: all(frame.id in self.answered for frame, _ in self.sent))
    @rule()
    def the_bridge_sends_its_next_frame(self) -> None:
        """One is in flight; its cursor is the answer to the one before."""
        after = self.answered[self.sent[-1][0].id] if self.sent else 0
        self.sent.append((Frame(f"bridge-{len(self.sent)}", ()), after))
        self.deliveries.append(Delivery(*self.sent[-1]))

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def a_frame_is_delivered_once_more(self, data: st.DataObject) -> None:
        self.deliveries.append(Delivery(*data.draw(st.sampled_from(self.sent))))

    @rule(data=st.data())
    def the_server_has_something_to_say(self, data: st.DataObject) -> None:
        """Its cursor is a tail that it has read some time ago."""
        after = data.draw(st.integers(0, len(self.slots)))
        name = f"server-{len(self.deliveries)}-{len(self.answered)}"
        self.deliveries.append(Delivery(Frame(name, ()), after))

    @precondition(lambda self: self.deliveries)
    @rule(data=st.data(), net=st.sampled_from(Net))
    def somebody_goes_on(self, data: st.DataObject, net: Net) -> None:
        delivery = data.draw(st.sampled_from(self.deliveries))
        self.go_on(delivery, net)

    @precondition(lambda self: self.late)
    @rule(data=st.data())
    def a_late_write_lands(self, data: st.DataObject) -> None:
        self.put(self.late.pop(data.draw(st.integers(0, len(self.late) - 1))))

    @invariant()
    def there_is_no_hole_and_no_frame_twice(self) -> None:
        ids = [entry.frame.id for entry in self.slots.values()]
        assert sorted(self.slots) == list(range(1, len(ids) + 1))
        assert len(set(ids)) == len(ids)

    @invariant()
    def the_frames_of_the_bridge_are_in_order(self) -> None:
        stored = [self.slots[seq].frame.id for seq in sorted(self.slots)]
        bridge = [name for name in stored if name.startswith("bridge")]
        assert bridge == [frame.id for frame, _ in self.sent][: len(bridge)]

    @invariant()
    def what_was_answered_is_so(self) -> None:
        assert all(self.slots[seq].frame.id == name for name, seq in self.answered.items())

    def teardown(self) -> None:
        """The network is good again: everybody is answered."""
        while self.deliveries:
            self.go_on(self.deliveries[0], Net.ANSWERED)
        for entry in self.late:
            self.put(entry)
        self.there_is_no_hole_and_no_frame_twice()
        assert {frame.id for frame, _ in self.sent} <= set(self.answered)

    def go_on(self, delivery: Delivery, net: Net) -> None:
        match delivery.stands():
            case Asks("put", slot):
                self.ask_to_put(delivery, Entry(slot, NOW, delivery.frame), net)
            case Asks(_, slot):
                behind = [entry for seq, entry in self.slots.items() if seq > slot]
                own = [entry for entry in behind if entry.frame.id == delivery.frame.id]
                tail = max((entry.seq for entry in behind), default=slot)
                delivery.answers.append((own[0] if own else None, tail))
            case slot:
                self.deliveries.remove(delivery)
                there = self.answered.setdefault(delivery.frame.id, slot)
                assert there == slot, "one frame, two answers"

    def ask_to_put(self, delivery: Delivery, entry: Entry, net: Net) -> None:
        match net:
            case Net.ANSWERED:
                delivery.answers.append(self.put(entry))
            case Net.LOST:
                self.put(entry)
            case Net.LATE:
                self.late.append(entry)
            case Net.DROPPED:
                pass

    def put(self, entry: Entry) -> Entry | None:
        there = self.slots.setdefault(entry.seq, entry)
        return None if there is entry else there


Timeline.TestCase.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
TestTimeline = Timeline.TestCase


class Strange:
    """A log that refuses without showing what is there, some times."""

    def __init__(self, refusals: int) -> None:
        self.refusals = refusals
        self.tried: list[int] = []

    def put(self, slot: int) -> Entry | None:
        self.tried.append(slot)
        if len(self.tried) <= self.refusals:
            raise Unsure
        return None

    def behind(self, slot: int) -> tuple[Entry | None, int]:
        raise AssertionError(f"nobody said that slot {slot} is taken")


def test_a_refusal_that_shows_nothing_repeats_the_same_slot():
    log = Strange(refusals=2)

    assert place(log, "f", after=4) == (5, None)
    assert log.tried == [5, 5, 5]


def test_the_search_ends_when_others_are_always_first():
    log = Strange(refusals=MOVES)

    with pytest.raises(Contended):
        place(log, "f", after=0)
