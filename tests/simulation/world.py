"""A simulated world: everything real that has no wire, on fakes of everything that has one."""

import shutil
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, override

from infra.sandbox_life import definition
from shared import wiring
from shared.app.lives import Life
from shared.app.ports.sessions import Commit, Committed, VersionConflict
from shared.app.ports.timeline import Appended
from shared.domain.session.state import SessionId
from shared.domain.timeline import Frame
from shared.edge import bridge_socket, client_socket
from shared.edge.bridge_socket import BridgeSocket
from shared.edge.client_socket import ClientSocket
from shared.edge.task import run_step
from shared.edge.websocket import Routes, websocket
from shared.protocol.api import NewRepository, NewSession
from tests import build
from tests.fakes.connections import InMemoryConnections
from tests.fakes.store import InMemorySessions
from tests.fakes.store_effects import InMemoryEffects
from tests.fakes.store_faults import Fault, Faults
from tests.fakes.store_memory import Memory
from tests.fakes.store_timeline import InMemoryTimeline
from tests.fakes.vendors import FakeRepositories, FakeSecrets
from tests.fakes.workspace import InMemoryTickets, InMemoryUsers
from tests.simulation.book import Book
from tests.simulation.boxes import Provider
from tests.simulation.executions import Executions
from tests.simulation.gateway import Gateway
from tests.simulation.lambdas import (
    CONDUCTING,
    MAKING,
    POSTING,
    PROVIDING,
    READING,
    WRITING,
    Guarded,
    Lambdas,
    patiently,
)
from tests.simulation.nature import Nature
from tests.simulation.people import ADA, People
from tests.simulation.timers import Timers
from tests.simulation.watcher import Watcher
from tests.world import SETTINGS

LIFETIMES = (timedelta(minutes=20), timedelta(hours=2))
IDLE = (timedelta(minutes=2), timedelta(minutes=10))
"""Short ones bring their ends into a story of some hundred steps."""


class World:
    """One session and everything around it."""

    def __init__(self, nature: Nature, lambdas: Lambdas, root: Path) -> None:
        self.nature = nature
        self.lambdas = lambdas
        self.root = root
        self.book = Book()
        self.memory = Memory()
        self.memory.faults = _WriteFaults(lambdas)
        self.bridges = Gateway(lambdas, up="bridge", down="server")
        self.clients = Gateway(lambdas, up="client", down="client")
        self.provider = Provider(nature, self.bridges, lambda _: self.book, root)
        self.executions = Executions(definition(), lambdas, self._run_step)
        self.timers = Timers(lambdas, self._poke)
        settings = replace(
            SETTINGS,
            sandbox_lifetime=nature.rng.choice(LIFETIMES),
            sandbox_inactivity_timeout=nature.rng.choice(IDLE),
        )
        ports = self._ports()
        self.app = wiring.build(settings, ports)
        _push_inline(self.app.sessions.aftermath.audiences)
        sandboxes: Any = Guarded(
            self.provider, lambdas, PROVIDING, create=MAKING, resume=MAKING, snapshot=MAKING
        )
        self.lives = wiring.build_lives(settings, ports, self.app.sessions, sandboxes)
        self._open_the_doors()
        self.session = self._open_session()
        self.watcher = self._watcher()
        self.people = People(self.app, lambdas, self.session, self.book, self.watcher)

    def _ports(self) -> wiring.Ports:
        memory, lambdas, nature = self.memory, self.lambdas, self.nature
        store: Any = Guarded(_PatientSessions(memory, nature), lambdas, READING, commit=WRITING)
        timeline: Any = Guarded(_PatientTimeline(memory, nature), lambdas, READING, append=WRITING)
        effects: Any = Guarded(InMemoryEffects(memory), lambdas, WRITING, due=READING)
        connections: Any = Guarded(InMemoryConnections(memory), lambdas, WRITING, audience=READING)
        workflow: Any = Guarded(self.executions, lambdas, CONDUCTING)
        timers: Any = Guarded(self.timers, lambdas, CONDUCTING)
        return wiring.Ports(
            store=store,
            effects=effects,
            timeline=timeline,
            connections=connections,
            users=InMemoryUsers(memory),
            tickets=InMemoryTickets(memory),
            secrets=FakeSecrets(),
            repositories=FakeRepositories(),
            workflow=workflow,
            timers=timers,
            client_sockets=_sockets(self.clients, lambdas),
            bridge_sockets=_sockets(self.bridges, lambdas),
            clock=nature.clock,
            sleep=lambda _: None,
            new_id=nature.new_id,
        )

    def _open_the_doors(self) -> None:
        app, bridges = self.app, self.bridges
        socket = BridgeSocket(app.bridges, app.bridge_sockets)
        routes = Routes(socket.connect, socket.disconnect, socket.message)
        bridges.authorize = lambda event: bridge_socket.authorize(event, app.store)
        bridges.handle = websocket(lambda: routes)
        bridges.watch = self._watch_answers
        desk = ClientSocket(app.viewers, app.sessions, app.desk, app.client_sockets)
        doors = Routes(desk.connect, desk.disconnect, desk.message)
        self.clients.authorize = lambda event: client_socket.authorize(event, app.viewers)
        self.clients.handle = websocket(lambda: doors)

    def _watcher(self) -> Watcher:
        user, _ = self.app.accounts.ensure_owner("ada")
        return Watcher(self.lambdas, self.clients, self.app.viewers, self.session, user)

    def _watch_answers(self, _connection: str, message: str) -> None:
        if message.startswith('{"type":"ack"'):
            frame = message.split('"id":"', 1)[1].split('"', 1)[0]
            self.book.acknowledge(frame, self.memory.logs[self.session])

    def _open_session(self) -> SessionId:
        repository = NewRepository(url=build.repository().url)
        asked = NewSession(request_id="r1", repositories=[repository])
        return self.app.desk.open_session(ADA, asked).id

    def _run_step(self, asked: dict[str, Any]) -> Any:
        return run_step(asked, self.lives)

    def _poke(self, session: SessionId, attempt: int) -> None:
        self.app.idleness.poke(session, attempt)

    # What runs on a schedule.

    def sweep(self) -> None:
        self.lambdas.call("sweep", self.app.effects.sweep, limit=60.0)

    def reap(self) -> None:
        """Until the product has a reaper: an attempt whose workflow is over is told so."""
        attempt = self.memory.partitions[self.session].session.attempt
        if attempt is None:
            return
        running = self.executions.is_running(self.session, attempt.number, attempt.life)
        if running is False:
            life = Life(self.session, attempt.number)
            number = attempt.life
            self.lambdas.call("reaper", lambda: self.lives.life_ended(life, number))

    def check(self) -> None:
        self.book.check(self.memory.partitions[self.session], self.memory.logs[self.session])

    def close(self) -> None:
        for box in self.provider.boxes.values():
            box.stop()
        shutil.rmtree(self.root, ignore_errors=True)


class _WriteFaults(Faults):
    """One write of a transaction's protocol; others may come between it and the one before."""

    def __init__(self, lambdas: Lambdas) -> None:
        super().__init__()
        self._lambdas = lambdas

    @override
    def meet(self) -> Fault | None:
        return self._lambdas.at_a_write()


class _PatientSessions(InMemorySessions):
    def __init__(self, memory: Memory, nature: Nature) -> None:
        super().__init__(memory)
        self._nature = nature

    @override
    def commit(self, commit: Commit) -> Committed:
        try:
            return patiently(self._nature, lambda: super(_PatientSessions, self).commit(commit))
        except VersionConflict:
            self._nature.chaos.struck["race lost"] += 1
            raise


class _PatientTimeline(InMemoryTimeline):
    def __init__(self, memory: Memory, nature: Nature) -> None:
        super().__init__(memory)
        self._nature = nature

    @override
    def append(self, session_id: SessionId, frame: Frame, **where: Any) -> Appended:
        append = super().append
        return patiently(self._nature, lambda: append(session_id, frame, **where))


class _Inline(ThreadPoolExecutor):
    """Pushes happen where they are asked for: a seed is one order of everything."""

    @override
    def submit[**P, T](self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def _push_inline(audiences: Any) -> None:
    object.__setattr__(audiences, "pool", _Inline(1))


def _sockets(gateway: Gateway, lambdas: Lambdas) -> Any:
    return Guarded(gateway, lambdas, POSTING)
