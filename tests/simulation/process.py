"""One process of the real bridge: its line, its turns and its records, in a simulated sandbox."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, NoReturn, cast

from sandbox_bridge import bridge as real
from sandbox_bridge.boot.boot import Boot, path_of
from sandbox_bridge.boot.gate import BootGate
from sandbox_bridge.boot.record import BootRecord
from sandbox_bridge.boot.report import Report
from sandbox_bridge.boot.sync import Sync
from sandbox_bridge.changes.seam import Comparing
from sandbox_bridge.files.server import Files
from sandbox_bridge.redaction import Redactor
from sandbox_bridge.redaction.events import Discreet
from sandbox_bridge.turns.pull_requests import PullRequests
from sandbox_bridge.turns.runner import Surroundings, Turns
from sandbox_bridge.wire.conversation import Conversation
from sandbox_bridge.wire.dialing import Dial, Unreachable, _verdict
from sandbox_bridge.wire.encoding import Said
from sandbox_bridge.wire.line import Line, Times
from sandbox_bridge.wire.reconnect import Backoff, rollover
from sandbox_bridge.wiring import Bridge, _gate_for_writes
from shared.protocol.bridge import Identity
from tests.simulation.agenda import Item
from tests.simulation.agent import Agent, Place, Scripts, Syncing
from tests.simulation.comparing import HandingIn, reporter
from tests.simulation.disk import BootSteps, Disk, SentFrames, TurnMarker, TurnRecords
from tests.simulation.eventloop import VirtualLoop
from tests.simulation.gateway import Connection, Gateway
from tests.simulation.nature import Nature
from tests.simulation.websocket import Socket

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

    @property
    def hands_in(self) -> bool:
        return self._hand_in.under_way

    def start(self, disk: Disk, place: Place) -> None:
        bridge = self._compose(disk, place)
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

    def _vanish(self) -> list[Socket]:
        """Answers the sockets that it leaves open."""
        self.nature.agenda.drop(self._wake)
        left = [socket for socket in self._sockets if not socket.closed]
        for socket in left:
            socket.closed = True
        self.loop.kill()
        return left

    def die_in_the_middle(self) -> NoReturn:
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

    def _compose(self, disk: Disk, place: Place) -> Bridge:
        """As `sandbox_bridge.wiring` does, on this clock and with this chance."""
        identity, runtime = self.identity, disk.runtime
        marker = TurnMarker(self, disk, identity.session)
        line, in_flight = self._line(disk, place, marker)
        records = TurnRecords(self, runtime / "turns" / f"{identity.session}.{identity.attempt}")
        gate = BootGate()
        syncing = Syncing(self.nature, path_of(identity), place)
        agent = Agent(self.nature, self.loop, place, _gate_for_writes(identity, gate), syncing)
        redact = Redactor({}, others=[identity.token])
        around = Surroundings(
            session=identity.session,
            harness=agent,
            checkouts=(),
            emit=Discreet(line.emit, redact),
            redact=redact,
            fetch=line.prompt,
            fetch_files=Files(identity).fetch,
            pull_requests=PullRequests(Files(identity), (), redact),
            marker=marker,
            gate=gate,
            changes=self._comparing(place, gate, line, marker),
        )
        turns = Turns(around, records, in_flight)
        record = BootSteps(self, runtime / "boot", identity.session, identity.attempt)
        boot = self._boot(around, place, syncing, record)
        return Bridge(line, around.emit, redact, boot, turns, agent, gate, around.changes)

    def _comparing(self, place: Place, gate: BootGate, line: Line, marker: TurnMarker) -> Comparing:
        token = self.identity.token
        self._hand_in = HandingIn(self.nature, self._gateway, self.loop, token, self.go)
        return reporter(place, gate, line.emit, marker, hand_in=self._hand_in)

    def _line(self, disk: Disk, place: Place, marker: TurnMarker) -> tuple[Line, Sequence[Said]]:
        session, attempt = self.identity.session, self.identity.attempt
        outbox = SentFrames(self, place.book, disk.runtime / "outbox", session, attempt)
        frame = outbox.open()
        conversation = Conversation(
            heartbeat=timedelta(seconds=self.identity.heartbeat_seconds),
            new_id=lambda: self.nature.new_id("frame"),
            frame=frame,
            marker=lambda: marker.prompt,
        )
        uniform = self.nature.rng.uniform
        times = Times(self.loop.time, Backoff(uniform), lambda: rollover(uniform))
        line = Line(conversation, outbox, cast("Dial", self._dial), times)
        return line, frame.events if frame else ()

    def _boot(
        self, around: Surroundings, place: Place, syncing: Syncing, record: BootRecord
    ) -> Boot:
        report = Report(around.emit, self.loop.time, around.redact)
        scripts: Any = Scripts(self.nature, report, place)
        return Boot(
            pairs=(),
            directories=(),
            sync=cast("Sync", syncing),
            hooks=scripts,
            harness=around.harness,
            gate=around.gate,
            record=record,
            report=report,
        )

    async def _dial(self) -> Socket:
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
