"""The whole app on fakes: what a test of a use case or an entry point stands on."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count

from shared import wiring
from shared.app.app import App
from shared.app.lives import Lives
from shared.app.ports.identity_providers import IdentityProvider
from shared.app.ports.workspace import User
from shared.app.reaper import Reaper
from shared.domain.session.state import SessionId, UserId
from shared.protocol.api import AuthorView, NewPrompt, NewRepository, NewSession
from shared.settings import Settings
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
from tests.fakes.pull_requests import FakeUserTokens, InMemoryPolicies
from tests.fakes.rates import InMemoryRates
from tests.fakes.repository_abouts import InMemoryRepositoryAbouts
from tests.fakes.sandboxes import FakeSandboxes, Machine
from tests.fakes.sealing import FakeSealer
from tests.fakes.store import InMemorySessions
from tests.fakes.store_effects import InMemoryEffects
from tests.fakes.store_members import InMemoryMembers
from tests.fakes.store_memory import Memory
from tests.fakes.store_timeline import InMemoryTimeline
from tests.fakes.uploads import InMemoryObjects, InMemoryUploads
from tests.fakes.vault import InMemoryVault
from tests.fakes.vendors import (
    FakeImages,
    FakeRepositories,
    FakeSecrets,
    FakeSockets,
    FakeTimers,
    FakeWorkflow,
)
from tests.fakes.workspace import (
    InMemoryRepositories,
    InMemorySettings,
    InMemoryTickets,
    InMemoryUsers,
)

SETTINGS = Settings(
    session_table="outboard-sessions",
    clients_socket_url="wss://clients.example.com/live",
    bridges_socket_url="wss://bridges.example.com/live",
    api_url="https://api.example.com",
    web_url="https://outboard.example.com",
    demo_model_url="http://127.0.0.1:1/v1",
)
AUTHOR = AuthorView(name="Ada Example", email="ada@example.com")


@dataclass
class World:
    """Time stands still until a test moves `now`."""

    memory: Memory = field(default_factory=Memory)
    now: datetime = build.NOW
    client_sockets: FakeSockets = field(default_factory=FakeSockets)
    bridge_sockets: FakeSockets = field(default_factory=FakeSockets)
    workflow: FakeWorkflow = field(default_factory=FakeWorkflow)
    timers: FakeTimers = field(default_factory=FakeTimers)
    repositories: FakeRepositories = field(default_factory=FakeRepositories)
    forges: FakeForges = field(default_factory=FakeForges)
    user_tokens: FakeUserTokens = field(default_factory=FakeUserTokens)
    images: FakeImages = field(default_factory=FakeImages)
    secrets: FakeSecrets = field(default_factory=FakeSecrets)
    sealer: FakeSealer = field(default_factory=FakeSealer)
    objects: InMemoryObjects = field(default_factory=InMemoryObjects)
    sandboxes: FakeSandboxes = field(default_factory=FakeSandboxes)
    identity_providers: dict[str, IdentityProvider] = field(
        default_factory=dict[str, IdentityProvider]
    )
    slept: list[float] = field(default_factory=list[float])
    """How long somebody would have waited, each time."""

    _ids: Iterator[int] = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        self.sandboxes.now = lambda: self.now
        self.ports = wiring.Ports(
            store=InMemorySessions(self.memory),
            members=InMemoryMembers(self.memory),
            effects=InMemoryEffects(self.memory),
            timeline=InMemoryTimeline(self.memory),
            connections=InMemoryConnections(self.memory),
            users=InMemoryUsers(self.memory),
            access_tokens=InMemoryAccessTokens(self.memory),
            tickets=InMemoryTickets(self.memory),
            logins=InMemoryLogins(self.memory),
            identities=InMemoryIdentities(self.memory),
            grants=InMemoryGrants(self.memory),
            seal=FakeSeal(),
            identity_providers=self.identity_providers,
            settings=InMemorySettings(self.memory),
            secrets=self.secrets,
            vault=InMemoryVault(self.memory),
            sealer=self.sealer,
            repositories=self.repositories,
            forges=self.forges,
            forge_lists=InMemoryForgeLists(self.memory),
            abouts=InMemoryRepositoryAbouts(self.memory),
            remembered=InMemoryRepositories(self.memory),
            policies=InMemoryPolicies(self.memory),
            environments=InMemoryEnvironments(self.memory),
            images=self.images,
            uploads=InMemoryUploads(self.memory),
            changes=InMemoryChanges(self.memory),
            objects=self.objects,
            rates=InMemoryRates(self.memory),
            workflow=self.workflow,
            timers=self.timers,
            client_sockets=self.client_sockets,
            bridge_sockets=self.bridge_sockets,
            clock=lambda: self.now,
            sleep=self.slept.append,
            new_id=lambda: f"id-{next(self._ids)}",
        )
        self.app: App = self._with_tokens(wiring.build(SETTINGS, self.ports))
        self.reaper: Reaper = sandboxes.build_reaper(SETTINGS, self.ports, self.app, self.sandboxes)
        self.lives: Lives = sandboxes.build_lives(
            SETTINGS, self.ports, self.app.sessions, self.sandboxes
        )

    def _with_tokens(self, app: App) -> App:
        """Pull requests are opened with what a test says that people have."""
        pull_requests = replace(app.pull_requests, user_tokens=self.user_tokens)
        return replace(app, pull_requests=pull_requests)

    def pass_time(self, by: timedelta) -> None:
        self.now += by

    def machine(self) -> Machine:
        """The only sandbox there is."""
        (machine,) = self.sandboxes.machines.values()
        return machine

    def owner(self) -> tuple[User, str]:
        user, token = self.app.accounts.ensure_owner("ada")
        assert token is not None
        return user, token

    def open_session(self, request_id: str = "r1") -> SessionId:
        url = build.repository().url
        asked = NewSession(request_id=request_id, repositories=[NewRepository(url=url)])
        return self.app.desk.open_session(UserId("ada"), asked).id

    def submit(self, session_id: SessionId, text: str = "do it", request_id: str = "p1") -> int:
        asked = NewPrompt(request_id=request_id, text=text, author=AUTHOR)
        return self.app.desk.submit(session_id, UserId("ada"), asked).prompt
