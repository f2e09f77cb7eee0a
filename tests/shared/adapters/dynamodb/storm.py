"""Bridges and servers that write to one session while everything that can go wrong does.

A turn of anybody may happen between another's reading and its writing, and within that turn again:
the network decides, from a source of randomness that a failing test can show.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

from shared.app.ports.sessions import Request, RequestTaken, VersionConflict
from shared.domain.errors import Contended, Unavailable
from shared.domain.session.state import SessionId
from shared.domain.timeline import Entry, Frame
from tests.build import NOW
from tests.fakes.store_faults import Fault, Happening
from tests.shared.adapters.dynamodb.committing import created, titled
from tests.shared.adapters.dynamodb.worlds import World

S = SessionId("s1")
_TROUBLE = (Unavailable, Contended, VersionConflict)


@dataclass(frozen=True, slots=True)
class Sent:
    """What never changes, however often it is delivered."""

    frame: Frame
    after: int
    changes_state: bool


@dataclass
class Bridge:
    """One frame in flight, sent until it is answered."""

    world: World
    random: Random
    acks: dict[str, int] = field(default_factory=dict)
    sent: list[Sent] = field(default_factory=list)

    def turn(self) -> None:
        last = self.sent[-1] if self.sent else None
        if last is None or last.frame.id in self.acks:
            after = self.acks[last.frame.id] if last else 0
            frame = Frame(f"bridge-{len(self.sent)}", ({"type": "text"},), attempt=1)
            last = Sent(frame, after, changes_state=self.random.random() < 0.3)
            self.sent.append(last)
        self.deliver(last)

    def repeat(self) -> None:
        """The network delivers something once more."""
        if self.sent:
            self.deliver(self.random.choice(self.sent[-2:]))

    def deliver(self, sent: Sent) -> None:
        try:
            seq = self._commit(sent) if sent.changes_state else self._append(sent)
        except _TROUBLE:
            return
        assert self.acks.setdefault(sent.frame.id, seq) == seq, "one frame, two answers"

    def _append(self, sent: Sent) -> int:
        return self.world.timeline.append(S, sent.frame, after=sent.after, now=NOW).entry.seq

    def _commit(self, sent: Sent) -> int:
        before = self.world.sessions.load(S)
        committed = self.world.sessions.commit(
            titled(before, sent.frame.id, frame=sent.frame, after_slot=sent.after)
        )
        assert committed.entry is not None
        return committed.entry.seq


@dataclass
class Server:
    """Commits what people ask for, each request until it is known to be done."""

    world: World
    done: int = 0
    tries: int = 0

    def turn(self) -> None:
        self.tries += 1
        request = f"request-{self.done}"
        tail = self.world.timeline.before(S, None, limit=1)
        commit = titled(
            self.world.sessions.load(S),
            request,
            frame=Frame(f"{request}-try-{self.tries}", ({"type": "title", "request": request},)),
            after_slot=tail[-1].seq if tail else 0,
            request=Request(request, "print"),
        )
        try:
            self.world.sessions.commit(commit)
        except _TROUBLE:
            return
        except RequestTaken:
            pass
        # Somebody may have done it within our own turn, and have gone on to the next.
        self.done += request == f"request-{self.done}"


class Storm:
    def __init__(self, world: World, random: Random) -> None:
        self.world, self.random = world, random
        self.bridge, self.server = Bridge(world, random), Server(world)
        self.turns: tuple[Callable[[], None], ...] = (
            self.bridge.turn,
            self.bridge.repeat,
            self.server.turn,
        )

    def rage(self, turns: int) -> None:
        created(self.world)
        self.world.faults.follow(self._weather())
        for _ in range(turns):
            self.random.choice(self.turns)()

    def calm(self) -> list[Entry]:
        """The network is good again: what is in flight is answered, and the log is read."""
        self.world.faults.plan()
        for sent in self.bridge.sent:
            self.bridge.deliver(sent)
        self.server.turn()
        return _whole_log(self.world)

    def check(self, log: list[Entry]) -> None:
        ids = [entry.frame.id for entry in log]
        bridge = [name for name in ids if name.startswith("bridge")]
        requests = [
            event["request"] for entry in log for event in entry.frame.events if "request" in event
        ]
        commits = [sent.frame.id for sent in self.bridge.sent if sent.changes_state] + requests
        assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
        assert bridge == [sent.frame.id for sent in self.bridge.sent]
        assert {name: log[seq - 1].frame.id for name, seq in self.bridge.acks.items()} == {
            name: name for name in bridge
        }
        assert all(self.bridge.acks[a] < self.bridge.acks[b] for a, b in pairwise(bridge))
        assert requests == [f"request-{number}" for number in range(self.server.done)]
        assert self.world.sessions.load(S).version == len(commits)

    def _weather(self) -> Iterator[Happening]:
        others = self.turns
        while True:
            dice = self.random.random()
            if dice < 0.35:
                yield self.random.choice(tuple(Fault))
            elif dice < 0.6:
                yield self.random.choice(others)
            else:
                yield None


def _whole_log(world: World) -> list[Entry]:
    log: list[Entry] = []
    while page := world.timeline.after(S, len(log), limit=7):
        log += page
    return log
