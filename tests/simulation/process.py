"""One process of the real bridge: its line, its turns and its records, in a simulated sandbox."""

from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

from websockets.exceptions import ConnectionClosedError

from sandbox_bridge import bridge as real
from sandbox_bridge.turns.marker import Marker
from sandbox_bridge.turns.record import Records
from sandbox_bridge.turns.runner import Surroundings, Turns
from sandbox_bridge.wire.conversation import Conversation
from sandbox_bridge.wire.dialing import Dial, Unreachable, _verdict
from sandbox_bridge.wire.frame import Frame
from sandbox_bridge.wire.line import Line, Times
from sandbox_bridge.wire.outbox import Outbox
from sandbox_bridge.wire.reconnect import Backoff, rollover
from shared.protocol.bridge import Identity
from tests.simulation.agenda import Item
from tests.simulation.eventloop import VirtualLoop
from tests.simulation.gateway import Connection, Gateway
from tests.simulation.nature import Nature

_HANDSHAKE_WITHIN = 15.0


class Dead(BaseException):
    """SIGKILL came in the middle of something."""


class Process:
    """`over` is told the bridge's last words, or None when it was killed."""

    def __init__(
        self,
        nature: Nature,
        gateway: Gateway,
        identity: Identity,
        over: Callable[[str | None], None],
    ) -> None:
        self.nature = nature
        self.identity = identity
        self.born = nature.agenda.now
        self._gateway = gateway
        self._over = over
        self._sockets: list[Socket] = []
        self._wake: Item | None = None
        self.loop = VirtualLoop(lambda: nature.agenda.now)

    @property
    def name(self) -> str:
        return f"bridge {self.identity.session}.{self.identity.attempt}"

    def start(self, disk: "Disk", agent: Any, boot: Callable[[Line], Any]) -> None:
        bridge = self._compose(disk, agent, boot)
        self._serving = self.loop.create_task(real._serve(bridge, ""))
        self.go()

    def go(self) -> None:
        """Whatever can be done now is done; then it sleeps until its next timer."""
        if self.loop.dead:
            return
        self.loop.run()
        if self.loop.dead:
            return
        if self._serving.done():
            self._leave()
            return
        self.nature.agenda.drop(self._wake)
        due = self.loop.next_timer()
        if due is not None:
            delay = due - self.nature.agenda.now
            self._wake = self.nature.agenda.add(delay, f"{self.name} wakes", self.go)

    def kill(self) -> None:
        """Its sockets are closed by the kernel, as for every process that dies."""
        for socket in self._vanish():
            self._gateway.close(socket.connection)

    def vanish(self) -> None:
        """With its whole machine: nobody closes anything."""
        for socket in self._vanish():
            self._gateway.forget(socket.connection)

    def _vanish(self) -> "list[Socket]":
        """Answers the sockets that it leaves open."""
        self.nature.agenda.drop(self._wake)
        left = [socket for socket in self._sockets if not socket.closed]
        for socket in left:
            socket.closed = True
        self.loop.kill()
        return left

    def die_in_the_middle(self) -> None:
        """Raises `Dead` for whoever is at work; its sandbox notices a moment later."""
        self.nature.tell(f"{self.name}: killed while writing")
        self.loop.dead = True
        self.nature.later(f"{self.name} died", self._buried, 0.0, 0.01)
        raise Dead

    def _buried(self) -> None:
        self.kill()
        self._over(None)

    def _leave(self) -> None:
        error = None if self._serving.cancelled() else self._serving.exception()
        words = None if error else str(self._serving.result())
        self.nature.tell(f"{self.name}: over ({words or error!r})")
        self.kill()
        self._over(words)

    def _compose(self, disk: "Disk", agent: Any, boot: Callable[[Line], Any]) -> real.Bridge:
        """As `sandbox_bridge.wiring` does, on this clock and with this chance."""
        identity, runtime = self.identity, disk.runtime
        marker = _Marker(self, disk, identity.session)
        outbox = _Outbox(self, runtime / "outbox", identity.session, identity.attempt)
        frame = outbox.open()
        conversation = Conversation(
            heartbeat=timedelta(seconds=identity.heartbeat_seconds),
            new_id=lambda: self.nature.new_id("frame"),
            frame=frame,
            marker=lambda: marker.prompt,
        )
        uniform = self.nature.rng.uniform
        times = Times(self.loop.time, Backoff(uniform), lambda: rollover(uniform))
        line = Line(conversation, outbox, cast("Dial", self._dial), times)
        records = _Records(self, runtime / "turns" / f"{identity.session}.{identity.attempt}")
        around = Surroundings(identity.session, agent, (), line.emit, line.prompt, marker)
        turns = Turns(around, records, frame.events if frame else ())
        return real.Bridge(line, boot(line), turns, agent)

    async def _dial(self) -> "Socket":
        answered = self.loop.create_future()

        def answer(status: int, connection: Connection | None) -> None:
            if self.loop.dead:
                if connection is not None:
                    self._gateway.close(connection)
            elif not answered.done():
                answered.set_result((status, connection))
                self.go()

        socket = Socket(self, self._gateway)
        headers = {"Authorization": f"Bearer {self.identity.token}"}
        self._gateway.dial({"headers": headers}, socket, answer)
        late = self.loop.call_later(
            _HANDSHAKE_WITHIN, lambda: answered.done() or answered.set_result((0, None))
        )
        status, connection = await answered
        late.cancel()
        if connection is None:
            raise _verdict(status) if status else Unreachable("TimeoutError")
        socket.connection = connection
        self._sockets = [each for each in self._sockets if not each.closed]
        self._sockets.append(socket)
        return socket


class Socket:
    """The bridge's end of one WebSocket, as `websockets` offers it."""

    connection: Connection

    def __init__(self, process: Process, gateway: Gateway) -> None:
        self._process = process
        self._gateway = gateway
        self._inbox: deque[str] = deque()
        self._news = process.loop.create_future()
        self.closed = False
        self.transport = self

    # What the network does.

    def hear(self, text: str) -> None:
        if not self.closed and not self._process.loop.dead:
            self._inbox.append(text)
            self._ring()
            self._process.go()

    def lost(self) -> None:
        if not self.closed:
            self.closed = True
            self._ring()
            self._process.go()

    def _ring(self) -> None:
        if not self._news.done():
            self._news.set_result(None)

    # What the bridge does.

    async def send(self, text: str) -> None:
        if self.closed:
            raise ConnectionClosedError(None, None)
        self._gateway.say(self.connection, text)

    def abort(self) -> None:
        if not self.closed and not self._process.loop.dead:
            self.closed = True
            self._ring()
            self._gateway.close(self.connection)

    async def close(self) -> None:
        self.abort()

    async def __aiter__(self) -> AsyncIterator[str]:
        while True:
            while self._inbox:
                yield self._inbox.popleft()
            if self.closed:
                raise ConnectionClosedError(None, None)
            self._news = self._process.loop.create_future()
            await self._news


@dataclass(frozen=True, slots=True)
class Disk:
    """Where a process writes: `runtime` dies with its sandbox's memory, `marker` does not."""

    runtime: Path
    marker: Path
    saved: Callable[[], None]
    """The marker was written."""


class _Outbox(Outbox):
    """The real one, in which a kill may come before a write, or after it."""

    def __init__(self, process: Process, directory: Path, session: str, attempt: int) -> None:
        super().__init__(directory, session, attempt)
        self._process = process

    def keep(self, frame: Frame) -> None:
        perilous(self._process, lambda: super(_Outbox, self).keep(frame))

    def forget(self) -> None:
        perilous(self._process, super().forget)


class _Records(Records):
    """The real ones, likewise."""

    def __init__(self, process: Process, directory: Path) -> None:
        super().__init__(directory)
        self._process = process

    def _put(self, prompt: int, record: Any) -> None:
        perilous(self._process, lambda: super(_Records, self)._put(prompt, record))


class _Marker(Marker):
    """The real one, likewise."""

    def __init__(self, process: Process, disk: Disk, session: str) -> None:
        super().__init__(disk.marker, session)
        self._process = process
        self._saved = disk.saved

    def advance(self, prompt: int) -> None:
        perilous(self._process, lambda: (super(_Marker, self).advance(prompt), self._saved()))


def perilous(process: Process, write: Callable[[], object]) -> None:
    """Something written to the sandbox's disk. A dead process writes nothing."""
    if process.loop.dead:
        return
    killed = process.nature.chaos.strikes("bridge killed while writing")
    after = killed and process.nature.rng.random() < 0.5
    if not killed or after:
        write()
    if killed:
        process.die_in_the_middle()
