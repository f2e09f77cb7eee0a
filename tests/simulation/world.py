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
from shared.app.attempts import authenticate
from shared.domain.session.sandbox import Boot
from shared.domain.session.state import Session, SessionId
from shared.edge import bridge_socket, client_socket
from shared.edge.bridge_socket import BridgeSocket
from shared.edge.client_socket import ClientSocket
from shared.edge.task import run_step
from shared.edge.websocket import Routes, websocket
from shared.protocol.api import NewRepository, NewSession
from shared.protocol.change_bundles import ChangesTaken, NewChanges
from shared.wiring import sandboxes
from tests import build
from tests.fakes.access_tokens import InMemoryAccessTokens
from tests.fakes.changes import InMemoryChanges
from tests.fakes.connections import InMemoryConnections
from tests.fakes.environments import InMemoryEnvironments
from tests.fakes.forge_lists import InMemoryForgeLists
from tests.fakes.forges import FakeForges
from tests.fakes.identities import FakeSeal, InMemoryGrants, InMemoryIdentities
from tests.fakes.logins import InMemoryLogins
from tests.fakes.pull_requests import InMemoryPolicies
from tests.fakes.rates import InMemoryRates
from tests.fakes.repository_abouts import InMemoryRepositoryAbouts
from tests.fakes.sealing import FakeSealer
from tests.fakes.store_effects import InMemoryEffects
from tests.fakes.store_members import InMemoryMembers
from tests.fakes.store_memory import Memory
from tests.fakes.uploads import InMemoryObjects, InMemoryUploads
from tests.fakes.vault import InMemoryVault
from tests.fakes.vendors import FakeImages, FakeRepositories, FakeSecrets
from tests.fakes.workspace import (
    InMemoryRepositories,
    InMemorySettings,
    InMemoryTickets,
    InMemoryUsers,
)
from tests.simulation.book import Book
from tests.simulation.box import SETTLED
from tests.simulation.executions import Executions
from tests.simulation.gateway import Gateway
from tests.simulation.lambdas import (
    CONDUCTING,
    MAKING,
    POSTING,
    PROVIDING,
    READING,
    WRITING,
    Ended,
    Guarded,
    Lambdas,
)
from tests.simulation.must import must
from tests.simulation.nature import Nature
from tests.simulation.people import ADA, People
from tests.simulation.provider import IMAGE, Provider
from tests.simulation.shown import Shown
from tests.simulation.store import PatientSessions, PatientTimeline, WriteFaults
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
        self.objects = InMemoryObjects()
        self.memory.faults = WriteFaults(lambdas)
        self.bridges = Gateway(lambdas, up="bridge", down="server")
        self.clients = Gateway(lambdas, up="client", down="client")
        self.provider = Provider(
            nature,
            self.bridges,
            lambda _: self.book,
            root,
            stored=lambda: self.stored,
        )
        self.book.work_beside = self.provider.work_beside
        self.book.promised = self._promised
        self.book.older = self.provider.older
        self.executions = Executions(definition(), lambdas, self._run_step, self.book.done)
        self.timers = Timers(lambdas, self._poke, self.book.done)
        settings = replace(
            SETTINGS,
            sandbox_lifetime=nature.rng.choice(LIFETIMES),
            sandbox_inactivity_timeout=nature.rng.choice(IDLE),
        )
        ports = self._ports()
        self.app = wiring.build(settings, ports)
        _push_inline(self.app.sessions.aftermath.audiences)
        provider: Any = Guarded(
            self.provider, lambdas, PROVIDING, create=MAKING, resume=MAKING, snapshot=MAKING
        )
        self.reaper = sandboxes.build_reaper(settings, ports, self.app, provider)
        self.lives = sandboxes.build_lives(settings, ports, self.app.sessions, provider)
        self._open_the_doors()
        self.session = self._open_session()
        self.book.log = self.memory.logs[self.session]
        self.watcher = self._watcher()
        self.shown = Shown(self.app.changes, self.memory, self.session, self.book)
        self.people = People(self.app, lambdas, self.session, self.book, self.watcher)

    def _ports(self) -> wiring.Ports:
        memory, lambdas, nature = self.memory, self.lambdas, self.nature
        store: Any = Guarded(
            PatientSessions(memory, nature, self.book), lambdas, READING, commit=WRITING
        )
        timeline: Any = Guarded(PatientTimeline(memory, nature), lambdas, READING, append=WRITING)
        effects: Any = Guarded(InMemoryEffects(memory), lambdas, WRITING, due=READING)
        members: Any = Guarded(InMemoryMembers(memory), lambdas, READING, put=WRITING)
        connections: Any = Guarded(InMemoryConnections(memory), lambdas, WRITING, audience=READING)
        changes: Any = Guarded(InMemoryChanges(memory), lambdas, WRITING, load=READING)
        objects: Any = Guarded(self.objects, lambdas, WRITING, get=READING)
        rates: Any = Guarded(InMemoryRates(memory), lambdas, WRITING)
        workflow: Any = Guarded(self.executions, lambdas, CONDUCTING)
        timers: Any = Guarded(self.timers, lambdas, CONDUCTING)
        return wiring.Ports(
            store=store,
            members=members,
            effects=effects,
            timeline=timeline,
            connections=connections,
            users=InMemoryUsers(memory),
            access_tokens=InMemoryAccessTokens(memory),
            tickets=InMemoryTickets(memory),
            logins=InMemoryLogins(memory),
            identities=InMemoryIdentities(memory),
            grants=InMemoryGrants(memory),
            seal=FakeSeal(),
            identity_providers={},
            settings=InMemorySettings(memory),
            secrets=FakeSecrets(),
            vault=InMemoryVault(memory),
            sealer=FakeSealer(),
            repositories=FakeRepositories(),
            forges=FakeForges(),
            forge_lists=InMemoryForgeLists(memory),
            abouts=InMemoryRepositoryAbouts(memory),
            remembered=InMemoryRepositories(memory),
            policies=InMemoryPolicies(memory),
            environments=InMemoryEnvironments(memory),
            images=self._images(),
            uploads=InMemoryUploads(memory),
            changes=changes,
            objects=objects,
            rates=rates,
            workflow=workflow,
            timers=timers,
            client_sockets=_sockets(self.clients, lambdas),
            bridge_sockets=_sockets(self.bridges, lambdas),
            clock=nature.clock,
            sleep=lambdas.sleep,
            new_id=nature.new_id,
        )

    def _images(self) -> FakeImages:
        """For some, what they begin with was built before; for a few of those, it is gone."""
        images = FakeImages()
        fate = self.nature.rng.random()
        if fate < 0.3:
            images.register((build.repository(),), IMAGE)
        if fate < 0.25:
            self.provider.copies[IMAGE] = {SETTLED: b""}
        return images

    def _open_the_doors(self) -> None:
        app, bridges = self.app, self.bridges
        socket = BridgeSocket(app.bridges, app.bridge_sockets)
        routes = Routes(socket.connect, socket.disconnect, socket.message)
        bridges.authorize = lambda event: bridge_socket.authorize(event, app.store)
        bridges.handle = websocket(lambda: routes)
        bridges.watch = self._watch_answers
        bridges.take = self._take
        desk = ClientSocket(app.viewers, app.sessions, app.desk, app.client_sockets)
        doors = Routes(desk.connect, desk.disconnect, desk.message)
        self.clients.authorize = lambda event: client_socket.authorize(event, app.viewers)
        self.clients.handle = websocket(lambda: doors)

    def _take(self, token: str, new: NewChanges) -> Ended[ChangesTaken]:
        def hand_in() -> ChangesTaken:
            return self.app.changes.hand_in(authenticate(self.app.store, token), new)

        return self.lambdas.call("changes", hand_in)

    def _watcher(self) -> Watcher:
        user, _ = self.app.accounts.ensure_owner("ada")
        return Watcher(self.lambdas, self.clients, self.app.viewers, self.session, user)

    def _watch_answers(self, _connection: str, message: str) -> None:
        frame = message.partition('"id":"')[2].partition('"')[0]
        if message.startswith('{"type":"ack"'):
            self.book.acknowledge(frame, self.memory.logs[self.session])
        elif message.startswith('{"type":"refused"'):
            self.book.refused.add(frame)

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
        self.lambdas.call("reaper", self.reaper.reap, limit=300.0)

    @property
    def stored(self) -> Session:
        return self.memory.partitions[self.session].session

    def _promised(self) -> set[int]:
        """In the place of a sandbox that does not boot: what is in the copy, or what was pushed."""
        attempt = self.stored.attempt
        if attempt is None or not attempt.beside:
            return self.book.work
        return self.provider.copied() if attempt.boot is Boot.RESTORE else set()

    def unowned(self) -> list[str]:
        """What the provider keeps for us, runs for us, and the session does not know."""
        workspace = self.stored.workspace
        named = {IMAGE, workspace.base, workspace.snapshot.id if workspace.snapshot else None}
        boxes = [box for box in self.provider.machines if box != workspace.provider_id]
        running = [box.name for box in self.provider.boxes.values() if box.runs]
        return [*boxes, *running, *(copy for copy in self.provider.copies if copy not in named)]

    def check(self) -> None:
        self.book.check(self.memory.partitions[self.session], self.memory.logs[self.session])
        copy = self.stored.workspace.snapshot
        kept = copy is None or copy.id in self.provider.copies or self.provider.lost > 0
        must(kept, "the copy of its files that the session counts on is gone")
        self.shown.check()

    def close(self) -> None:
        for box in self.provider.boxes.values():
            box.stop()
        shutil.rmtree(self.root, ignore_errors=True)


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
