"""Everything of the outside world that the app stands on, in one value."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from shared.app.ports.access_tokens import AccessTokens
from shared.app.ports.changes import ChangesStore
from shared.app.ports.connections import Connections, Sockets
from shared.app.ports.environments import EnvironmentStore
from shared.app.ports.forge_lists import ForgeListStore
from shared.app.ports.forges import Forges
from shared.app.ports.grants import Grants, Seal
from shared.app.ports.identities import Identities
from shared.app.ports.identity_providers import IdentityProvider
from shared.app.ports.images import Images
from shared.app.ports.logins import Logins
from shared.app.ports.members import Members
from shared.app.ports.pull_request_policies import Policies
from shared.app.ports.rates import Rates
from shared.app.ports.repositories import RememberedRepositories, Repositories
from shared.app.ports.repository_abouts import RepositoryAbouts
from shared.app.ports.sandbox_settings import SettingsStore
from shared.app.ports.sealing import Sealer
from shared.app.ports.sessions import EffectStore, SessionStore
from shared.app.ports.timeline import Timeline
from shared.app.ports.uploads import Objects, Uploads
from shared.app.ports.vault import Vault
from shared.app.ports.workflow import Lives as Workflow
from shared.app.ports.workflow import Timers
from shared.app.ports.workspace import Secrets, Tickets, Users


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """Everything of the outside world that the app stands on: real here, fakes in tests."""

    store: SessionStore
    members: Members
    effects: EffectStore
    timeline: Timeline
    connections: Connections
    users: Users
    access_tokens: AccessTokens
    tickets: Tickets
    logins: Logins
    identities: Identities
    grants: Grants
    seal: Seal | None
    identity_providers: Mapping[str, IdentityProvider]
    settings: SettingsStore
    secrets: Secrets
    vault: Vault
    sealer: Sealer
    repositories: Repositories
    environments: EnvironmentStore
    abouts: RepositoryAbouts
    forge_lists: ForgeListStore
    remembered: RememberedRepositories
    forges: Forges
    policies: Policies
    images: Images
    uploads: Uploads
    changes: ChangesStore
    objects: Objects
    rates: Rates
    workflow: Workflow
    timers: Timers
    client_sockets: Sockets
    bridge_sockets: Sockets
    clock: Callable[[], datetime]
    sleep: Callable[[float], None]
    new_id: Callable[[], str]
