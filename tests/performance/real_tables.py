"""The app as it is deployed, on DynamoDB as this machine has it; its other vendors are fakes."""

import random
import time
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Self, get_args
from uuid import uuid4

from pynamodb.connection import Connection

from infra.local.aws import emulator
from shared import wiring
from shared.adapters.dynamodb.connections import DynamoConnections
from shared.adapters.dynamodb.database import Database, connect
from shared.adapters.dynamodb.effects import DynamoEffects
from shared.adapters.dynamodb.keys import SESSION_INDEXES, definition
from shared.adapters.dynamodb.members import DynamoMembers
from shared.adapters.dynamodb.patience import Patience
from shared.adapters.dynamodb.repositories import DynamoRepositories
from shared.adapters.dynamodb.sessions import DynamoSessions
from shared.adapters.dynamodb.table import Table
from shared.adapters.dynamodb.tickets import DynamoTickets
from shared.adapters.dynamodb.timeline import DynamoTimeline
from shared.adapters.dynamodb.users import DynamoUsers
from shared.app.bridges import Caller
from shared.app.lives import Life
from shared.app.viewers import Watcher
from shared.domain.session.sandbox import Wait
from shared.domain.session.state import SessionId
from shared.protocol import bridge, client
from shared.protocol.events import Phase
from shared.wiring import sandboxes
from tests import build
from tests.local_aws import LocalAws
from tests.world import SETTINGS, World

PHASES: tuple[str, ...] = get_args(Phase.__value__)

type Said = dict[str, Any]


@dataclass
class RealTables(World):
    """One session; `boot` gives it a bridge that runs its first prompt.

    Time passes as it does, and besides whenever somebody says so.
    """

    aws: LocalAws = field(kw_only=True)
    cursor: str = ""
    asked: int = 0
    """How many messages the bridge sent."""
    answered: int = 0
    """How many were sent to it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.connection = _connection(self.aws)
        on = _on_dynamodb(self.ports, self.connection, self.aws)
        self.ports = replace(on, clock=lambda: datetime.now(UTC) + (self.now - build.NOW))
        self.sandboxes.now = self.ports.clock
        self.app = wiring.build(SETTINGS, self.ports)
        self.lives = sandboxes.build_lives(SETTINGS, self.ports, self.app.sessions, self.sandboxes)
        self.user, _ = self.owner()
        self.session: SessionId = self.open_session(uuid4().hex)
        self.life = Life(self.session, 1)
        self.caller = Caller(self.session, 1, "bridge")

    def boot(self) -> Self:
        """From the first prompt until it runs, in the order of the workflow."""
        self.submit(self.session)
        self.lives.prepare(self.life)
        self.lives.launch(self.life)
        self.lives.wait(self.life, Wait.CONNECT, "connecting")
        self.app.bridges.connect(self.caller)
        self.ask(bridge.Hello())
        self.lives.wait(self.life, Wait.READY, "booting")
        for phase in PHASES:
            self.tell(_progress(phase, "started"))
            self.tell(_progress(phase, "completed"))
        self.tell({"type": "ready"})
        self.lives.wait(self.life, Wait.SERVE, "serving")
        self.tell({"type": "prompt_started", "prompt": 1})
        return self

    def save(self, token: str) -> None:
        """After a turn, in the order of the workflow."""
        self.lives.checkpoint(self.life)
        self.lives.wait(self.life, Wait.SERVE, token)

    def tell(self, *events: Said) -> None:
        frame = bridge.FrameMessage(id=f"f{self.asked}", after=self.cursor, events=list(events))
        self.ask(frame)

    def ask(self, message: bridge.FromBridge) -> list[bridge.ToBridge]:
        """Hands the message to the app; keeps the cursor of the answer."""
        self.app.bridges.handle(self.caller, message)
        posted = self.bridge_sockets.take(self.caller.connection_id)
        self.asked += 1
        self.answered += len(posted)
        answers = [bridge.TO_BRIDGE.validate_json(text) for text in posted]
        for answer in answers:
            assert not isinstance(answer, bridge.Refused), answer
            if isinstance(answer, bridge.Welcome | bridge.Ack):
                self.cursor = answer.cursor
        return answers

    def open_socket(self, connection: str) -> Watcher:
        """What the authorizer and the route `$connect` do."""
        ticket, _ = self.app.viewers.issue_ticket(self.session, self.user)
        self.app.viewers.admit(ticket)
        watcher = self.watcher(connection)
        self.app.viewers.connect(watcher, ticket)
        return watcher

    def watcher(self, connection: str) -> Watcher:
        return Watcher(self.session, self.user.id, self.user.name, connection)

    def subscribe(self, watcher: Watcher) -> None:
        self.app.viewers.subscribe(watcher, client.Subscribe())


def text(words: str, part: str = "p1") -> Said:
    return {"type": "text_delta", "prompt": 1, "part": part, "delta": words}


def _progress(phase: str, status: str) -> Said:
    return {"type": "boot_progress", "phase": phase, "status": status}


def _connection(aws: LocalAws) -> Connection:
    return connect(
        region=emulator.REGION,
        endpoint=aws.endpoint,
        access_key_id=aws.key.id,
        secret_access_key=aws.key.secret,
    )


def _on_dynamodb(ports: wiring.Ports, connection: Connection, aws: LocalAws) -> wiring.Ports:
    names = (f"sessions-{uuid4().hex}", f"workspace-{uuid4().hex}")
    aws.client("dynamodb").create_table(**definition(names[0], *SESSION_INDEXES))
    aws.client("dynamodb").create_table(**definition(names[1]))
    patience = Patience(sleep=time.sleep, random=random.random)
    database = Database(connection, patience=patience, new_token=wiring.new_id)
    sessions = Table(database, names[0], *SESSION_INDEXES)
    workspace = Table(database, names[1])
    return replace(
        ports,
        store=DynamoSessions(sessions),
        members=DynamoMembers(sessions),
        effects=DynamoEffects(sessions),
        timeline=DynamoTimeline(sessions),
        connections=DynamoConnections(sessions, workspace),
        users=DynamoUsers(workspace),
        tickets=DynamoTickets(workspace),
        remembered=DynamoRepositories(workspace),
        new_id=wiring.new_id,
    )
