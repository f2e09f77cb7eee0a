"""A server and a network in simulated time: frames are lost, doubled and late, connections cut."""

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from typing import Any, Self

from hypothesis import strategies as st

from shared.client.follow import Follow
from shared.protocol.api import SessionView
from shared.protocol.client import Fetch, Frame, Page, Ping, Pong, Subscribe, Subscribed, ToClient
from shared.protocol.events import Warned
from tests.shared.client import told

PAGE = 5
LATENCY = timedelta(milliseconds=20)
RECONNECT = timedelta(milliseconds=100)

START = timedelta(0)
MS = timedelta(milliseconds=1)
SECOND = timedelta(seconds=1)


def subscribed(
    *,
    session: SessionView | None = None,
    frames: list[Frame] | None = None,
    tail: int = 0,
    more: bool = False,
) -> Subscribed:
    return Subscribed(
        session=session or told.session(),
        user="ada",
        participants=[],
        frames=frames or [],
        tail=tail,
        more=more,
    )


def joined(after: int = 0, *, running: bool = False, tail: int | None = None) -> Follow:
    follow = Follow(after)
    follow.opened(START)
    session = told.session(running=1 if running else None)
    follow.received(subscribed(session=session, tail=after if tail is None else tail), START)
    return follow


@dataclass(frozen=True, slots=True)
class Faults:
    """For each slot the delays of its pushes (none: lost), for each answer whether it is lost."""

    gaps: list[int]
    pushes: list[list[int]]
    lost_answers: list[bool]
    cuts: list[int]

    @property
    def count(self) -> int:
        return sum(self.lost_answers) + len(self.cuts)

    @classmethod
    def strategy(cls) -> st.SearchStrategy[Self]:
        delays = st.lists(st.sampled_from([0, 10, 250, 400, 3_000]), max_size=3)
        return st.builds(
            cls,
            gaps=st.lists(st.sampled_from([0, 20, 100, 350, 15_000]), min_size=40, max_size=40),
            pushes=st.lists(delays, min_size=40, max_size=40),
            lost_answers=st.lists(st.booleans(), max_size=20),
            cuts=st.lists(st.integers(0, 60_000), max_size=5),
        )


@dataclass(slots=True)
class Network:
    slots: int
    faults: Faults
    follow: Follow
    delivered: list[int] = field(default_factory=list[int])
    questions: int = 0
    now: timedelta = timedelta(0)
    _stored: int = 0
    _connection: int = 0
    _connected: bool = False
    _live: bool = False
    """The server pushes to a connection that has subscribed."""
    _answers: int = 0
    _order: Any = field(default_factory=count)
    _events: list[tuple[timedelta, int, Callable[[], None]]] = field(default_factory=list[Any])

    def run(self, until: timedelta) -> None:
        self._plan()
        self._connect()
        while self._events and self.now < until and not self._finished():
            at, _, happen = heapq.heappop(self._events)
            self.now = max(self.now, at)
            happen()
            self._client_acts()

    def _finished(self) -> bool:
        return self._stored == self.slots == self.follow.cursor

    def _plan(self) -> None:
        at = timedelta(0)
        for seq in range(1, self.slots + 1):
            at += timedelta(milliseconds=self.faults.gaps[seq - 1])
            self._at(at, lambda seq=seq: self._store(seq))
        for cut in self.faults.cuts:
            self._at(timedelta(milliseconds=cut), self._cut)

    def _at(self, at: timedelta, happen: Callable[[], None]) -> None:
        heapq.heappush(self._events, (at, next(self._order), happen))

    def _store(self, seq: int) -> None:
        self._stored = seq
        if self._live:
            for delay in self.faults.pushes[seq - 1]:
                self._send(self._frame(seq), timedelta(milliseconds=delay))

    def _frame(self, seq: int) -> Frame:
        return told.frame(seq, Warned(message=f"slot {seq}"))

    def _send(self, message: ToClient, delay: timedelta) -> None:
        connection = self._connection
        self._at(self.now + delay, lambda: self._arrive(message, connection))

    def _arrive(self, message: ToClient, connection: int) -> None:
        if connection == self._connection:
            self.delivered += [entry.seq for entry in self.follow.received(message, self.now)]

    def _cut(self) -> None:
        self._connection += 1
        self._connected = self._live = False
        connection = self._connection
        self._at(self.now + RECONNECT, lambda: self._connect(connection))

    def _connect(self, connection: int = 0) -> None:
        if connection == self._connection:
            self._connected = True
            self._ask(self.follow.opened(self.now))

    def _client_acts(self) -> None:
        if not self._connected:
            return
        if self.follow.parting(self.now) is not None:
            self._cut()
            return
        for message in self.follow.due(self.now):
            self._ask(message)
        self._at(max(self.follow.next_look(), self.now), lambda: None)

    def _ask(self, message: Subscribe | Fetch | Ping) -> None:
        self.questions += 1
        connection = self._connection
        self._at(self.now + LATENCY, lambda: self._serve(message, connection))

    def _serve(self, message: Subscribe | Fetch | Ping, connection: int) -> None:
        if connection != self._connection:
            return
        self._live = True
        self._answers += 1
        lost = self.faults.lost_answers[self._answers - 1 : self._answers] == [True]
        if not lost:
            self._send(self._answer(message), LATENCY)

    def _answer(self, message: Subscribe | Fetch | Ping) -> ToClient:
        match message:
            case Ping():
                return Pong(tail=self._stored)
            case Subscribe(after=after) | Fetch(after=after):
                first = (after or 0) + 1
                last = min(self._stored, first + PAGE - 1)
                frames = [self._frame(seq) for seq in range(first, last + 1)]
                more = last < self._stored
        if isinstance(message, Fetch):
            return Page(frames=frames, tail=self._stored, more=more)
        # As the real server: the tail of a cut snapshot is that of what was read, not of the log.
        return subscribed(frames=frames, tail=last if frames else self._stored, more=more)
