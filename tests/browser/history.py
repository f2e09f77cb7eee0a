"""A session with a long past, told by the app's own use cases straight into a machine's tables.

What the past did outside of them (a sandbox, a workflow, sockets) is done by fakes, and it is over:
the machine finds a session whose sandbox has been put away.
"""

import random
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import batched
from typing import Self
from uuid import uuid4

from pynamodb.connection import Connection

from infra import names
from infra.local.aws import access, emulator
from infra.local.deploy import Target
from shared import wiring
from shared.adapters.dynamodb.connections import DynamoConnections
from shared.adapters.dynamodb.database import Database, connect
from shared.adapters.dynamodb.effects import DynamoEffects
from shared.adapters.dynamodb.keys import SESSION_INDEXES
from shared.adapters.dynamodb.members import DynamoMembers
from shared.adapters.dynamodb.patience import Patience
from shared.adapters.dynamodb.sessions import DynamoSessions
from shared.adapters.dynamodb.table import Table
from shared.adapters.dynamodb.timeline import DynamoTimeline, slot_write
from shared.adapters.dynamodb.writes import Item
from shared.app.bridges import Caller
from shared.app.lives import Life
from shared.domain.session.commands import Poke
from shared.domain.session.state import SessionId, UserId
from shared.domain.timeline import Frame
from shared.protocol import bridge
from shared.protocol.api import NewPrompt, NewRepository, NewSession
from shared.wiring import Ports, sandboxes
from tests.browser.turn import Said, turns
from tests.e2e.machine import Machine
from tests.world import AUTHOR, SETTINGS, World

MOST_AT_ONCE = 25
"""For DynamoDB."""

A_MINUTE = timedelta(minutes=1)
REPOSITORY = "https://git.example.com/acme/tool.git"


def told(machine: Machine, owner: str, events: int, title: str = "A long past") -> SessionId:
    """A session in which an agent has said so many events; the server's own come to them."""
    told = list(turns(events))
    began = datetime.now(UTC) - A_MINUTE * (len(told) + 5)
    past = _Past(machine, UserId(owner), title, began=began)
    for turn in told:
        past.tell(turn)
    past.end()
    return past.session


class _Past:
    """One session with one sandbox, which runs a prompt whenever it is told one."""

    def __init__(self, machine: Machine, owner: UserId, title: str, *, began: datetime) -> None:
        self.world, self.owner, self.cursor, self.prompts = World(now=began), owner, "", 0
        self.tables = _Tables.of(machine)
        ports = self.tables.behind(self.world.ports)
        self.app = wiring.build(SETTINGS, ports)
        self.lives = sandboxes.build_lives(SETTINGS, ports, self.app.sessions, self.world.sandboxes)
        repository = NewRepository(url=REPOSITORY)
        new = NewSession(request_id=uuid4().hex, repositories=[repository], title=title)
        self.session = self.app.desk.open_session(owner, new).id
        self.life, self.caller = Life(self.session, 1), Caller(self.session, 1, "bridge")

    def tell(self, turn: list[list[Said]]) -> None:
        self._submit()
        if self.prompts == 1:
            self._boot()
        self._say([{"type": "prompt_started", "prompt": self.prompts}])
        self._write_down(turn)
        self._say([{"type": "execution_complete", "prompt": self.prompts, "status": "completed"}])
        self.lives.checkpoint(self.life)
        self.world.pass_time(A_MINUTE)

    def end(self) -> None:
        """Nobody wants anything more: the sandbox is put away."""
        attempt = self.app.sessions.load(self.session).current(1)
        assert attempt is not None
        assert attempt.idle_due is not None
        self.world.now = attempt.idle_due
        self.app.sessions.handle(self.session, Poke(1, watched=False))
        self.lives.preserve(self.life)
        self.lives.retire(self.life)

    def _submit(self) -> None:
        self.prompts += 1
        prompt = NewPrompt(
            request_id=uuid4().hex, text=f"Go on, for the {self.prompts}th time", author=AUTHOR
        )
        self.app.desk.submit(self.session, self.owner, prompt)

    def _boot(self) -> None:
        self.lives.prepare(self.life)
        self.lives.launch(self.life)
        self.app.bridges.connect(self.caller)
        self._ask(bridge.Hello())
        self._say([{"type": "ready"}])

    def _write_down(self, frames: list[list[Said]]) -> None:
        """What changes no state: by the hundred, as no bridge could say it."""
        (newest,) = self.app.timeline.before(self.session, None, limit=1)
        now = self.world.now
        puts = [
            slot_write(self.session, slot, Frame(uuid4().hex, tuple(frame), 1), now).item
            for slot, frame in enumerate(frames, start=newest.seq + 1)
        ]
        self.tables.put_all(puts)

    def _say(self, events: list[Said]) -> None:
        self._ask(bridge.FrameMessage(id=uuid4().hex, after=self.cursor, events=events))

    def _ask(self, message: bridge.FromBridge) -> None:
        self.app.bridges.handle(self.caller, message)
        for text in self.world.bridge_sockets.take(self.caller.connection_id):
            answer = bridge.TO_BRIDGE.validate_json(text)
            assert not isinstance(answer, bridge.Refused), answer
            if isinstance(answer, bridge.Welcome | bridge.Ack):
                self.cursor = answer.cursor


@dataclass(frozen=True, slots=True)
class _Tables:
    connection: Connection
    sessions: str
    workspace: str

    @classmethod
    def of(cls, machine: Machine) -> Self:
        key = access.load_or_create(machine.state / "aws.key")
        endpoint = f"http://127.0.0.1:{machine.port}"
        _, deployed = Target(endpoint, key).ask("GET", f"deployments/{names.STACK}")
        connection = connect(
            region=emulator.REGION,
            endpoint=endpoint,
            access_key_id=key.id,
            secret_access_key=key.secret,
        )
        outputs = deployed["outputs"]
        return cls(connection, outputs["SessionTable"], outputs["WorkspaceTable"])

    def behind(self, ports: Ports) -> Ports:
        patience = Patience(sleep=time.sleep, random=random.random)
        database = Database(self.connection, patience=patience, new_token=wiring.new_id)
        sessions = Table(database, self.sessions, *SESSION_INDEXES)
        workspace = Table(database, self.workspace)
        return replace(
            ports,
            store=DynamoSessions(sessions),
            effects=DynamoEffects(sessions),
            timeline=DynamoTimeline(sessions),
            connections=DynamoConnections(sessions, workspace),
            members=DynamoMembers(sessions),
            new_id=wiring.new_id,
        )

    def put_all(self, items: Iterable[Item]) -> None:
        for some in batched(items, MOST_AT_ONCE):
            self.connection.batch_write_item(self.sessions, put_items=some)
