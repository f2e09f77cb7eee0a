"""What the in-memory fakes share, as the real ones share two tables."""

from collections import defaultdict
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from threading import RLock

from shared.app.ports.access_tokens import AccessToken
from shared.app.ports.boots import BootRecord
from shared.app.ports.changes import Compared
from shared.app.ports.connections import BridgeLink, Viewer
from shared.app.ports.forge_lists import Kept
from shared.app.ports.grants import KeptGrant
from shared.app.ports.logins import Code, Login
from shared.app.ports.pull_request_policies import Policy
from shared.app.ports.repositories import Remembered
from shared.app.ports.repository_abouts import About
from shared.app.ports.sandbox_settings import Chosen
from shared.app.ports.sealing import Sealed
from shared.app.ports.sessions import Answered, Artifact, PendingEffect, PromptRecord
from shared.app.ports.uploads import Upload
from shared.app.ports.vault import Contents
from shared.app.ports.workspace import Ticket, User
from shared.domain.attachment import AttachmentId
from shared.domain.environment import Environment
from shared.domain.errors import Contended, Unavailable
from shared.domain.inbox import Member
from shared.domain.repository_url import RepositoryKey
from shared.domain.secrets import Scope
from shared.domain.session.state import EnvironmentId, Session, SessionId, UserId
from shared.domain.timeline import Entry
from tests.fakes.store_faults import Fault, Faults


@dataclass(slots=True)
class Partition:
    """One session and what is beside it, but for the log, which appends reach without it."""

    session: Session
    fingerprint: str = ""
    prompts: dict[int, PromptRecord] = field(default_factory=dict)
    requests: dict[str, tuple[Answered, datetime]] = field(default_factory=dict)
    artifacts: dict[str, Artifact] = field(default_factory=dict)
    boots: dict[int, BootRecord] = field(default_factory=dict)
    members: dict[UserId, Member] = field(default_factory=dict)


class Memory:
    def __init__(self) -> None:
        self.faults = Faults()
        self.partitions: dict[SessionId, Partition] = {}
        self.logs: defaultdict[SessionId, list[Entry]] = defaultdict(list)
        self.effects: dict[tuple[SessionId, str], PendingEffect] = {}
        self.stuck: set[tuple[SessionId, str]] = set()
        self.bridges: dict[SessionId, BridgeLink] = {}
        self.viewers: defaultdict[SessionId, dict[str, Viewer]] = defaultdict(dict)
        self.tickets: dict[str, Ticket] = {}
        self.codes: dict[str, Code] = {}
        self.logins: dict[str, Login] = {}
        self.identities: dict[tuple[str, str], UserId] = {}
        self.grants: dict[tuple[UserId, str], KeptGrant] = {}
        self.users: dict[UserId, User] = {}
        self.tokens: dict[str, UserId] = {}
        self.environments: dict[EnvironmentId, tuple[Environment, str]] = {}
        self.deleted_environments: dict[EnvironmentId, str] = {}
        """With the fingerprint of its creation."""
        self.access_tokens: dict[tuple[UserId, str], AccessToken] = {}
        self.forge_lists: dict[str, Kept] = {}
        self.abouts: dict[RepositoryKey, About] = {}
        self.rates: dict[str, datetime] = {}
        self.repositories: dict[RepositoryKey, Remembered] = {}
        self.settings: dict[RepositoryKey | None, Chosen] = {}
        self.policies: dict[RepositoryKey | None, Policy] = {}
        self.contents: dict[Scope, Contents] = {}
        self.secrets: defaultdict[Scope, dict[str, Sealed]] = defaultdict(dict)
        self.uploads: dict[AttachmentId, Upload] = {}
        self.changes: dict[SessionId, Compared] = {}
        self._lock = RLock()

    @contextmanager
    def writing(self) -> Generator[None]:
        """One write, atomic, met by the next fault."""
        fault = self.faults.meet()
        if fault is Fault.DROPPED:
            raise Unavailable("dropped on its way")
        if fault is Fault.CONFLICT:
            raise Contended("met another transaction")
        with self._lock:
            yield
        if fault is Fault.LOST:
            raise Unavailable("its answer was lost")
