"""The ports over one set of tables: in memory, or in DynamoDB behind a network that can be bad."""

from dataclasses import dataclass

from shared.adapters.dynamodb.access_tokens import DynamoAccessTokens
from shared.adapters.dynamodb.changes import DynamoChanges
from shared.adapters.dynamodb.connections import DynamoConnections
from shared.adapters.dynamodb.effects import DynamoEffects
from shared.adapters.dynamodb.environments import DynamoEnvironments
from shared.adapters.dynamodb.forge_lists import DynamoForgeLists
from shared.adapters.dynamodb.identities import DynamoGrants, DynamoIdentities
from shared.adapters.dynamodb.images import DynamoImages
from shared.adapters.dynamodb.logins import DynamoLogins
from shared.adapters.dynamodb.members import DynamoMembers
from shared.adapters.dynamodb.policies import DynamoPolicies
from shared.adapters.dynamodb.rates import DynamoRates
from shared.adapters.dynamodb.repositories import DynamoRepositories
from shared.adapters.dynamodb.repository_abouts import DynamoRepositoryAbouts
from shared.adapters.dynamodb.sandbox_settings import DynamoSettings
from shared.adapters.dynamodb.sessions import DynamoSessions
from shared.adapters.dynamodb.table import Table
from shared.adapters.dynamodb.tickets import DynamoTickets
from shared.adapters.dynamodb.timeline import DynamoTimeline
from shared.adapters.dynamodb.uploads import DynamoUploads
from shared.adapters.dynamodb.users import DynamoUsers
from shared.adapters.dynamodb.vault import DynamoVault
from shared.app.ports.access_tokens import AccessTokens
from shared.app.ports.changes import ChangesStore
from shared.app.ports.connections import Connections
from shared.app.ports.environments import EnvironmentStore
from shared.app.ports.forge_lists import ForgeListStore
from shared.app.ports.grants import Grants
from shared.app.ports.identities import Identities
from shared.app.ports.images import Images
from shared.app.ports.logins import Logins
from shared.app.ports.members import Members
from shared.app.ports.pull_request_policies import Policies
from shared.app.ports.rates import Rates
from shared.app.ports.repositories import RememberedRepositories
from shared.app.ports.repository_abouts import RepositoryAbouts
from shared.app.ports.sandbox_settings import SettingsStore
from shared.app.ports.sessions import EffectStore, SessionStore
from shared.app.ports.timeline import Timeline
from shared.app.ports.uploads import Uploads
from shared.app.ports.vault import Vault
from shared.app.ports.workspace import Tickets, Users
from tests.fakes.access_tokens import InMemoryAccessTokens
from tests.fakes.changes import InMemoryChanges
from tests.fakes.connections import InMemoryConnections
from tests.fakes.environments import InMemoryEnvironments
from tests.fakes.forge_lists import InMemoryForgeLists
from tests.fakes.identities import InMemoryGrants, InMemoryIdentities
from tests.fakes.logins import InMemoryLogins
from tests.fakes.pull_requests import InMemoryPolicies
from tests.fakes.rates import InMemoryRates
from tests.fakes.repository_abouts import InMemoryRepositoryAbouts
from tests.fakes.store import InMemorySessions
from tests.fakes.store_effects import InMemoryEffects
from tests.fakes.store_faults import Faults
from tests.fakes.store_members import InMemoryMembers
from tests.fakes.store_memory import Memory
from tests.fakes.store_timeline import InMemoryTimeline
from tests.fakes.uploads import InMemoryUploads
from tests.fakes.vault import InMemoryVault
from tests.fakes.vendors import FakeImages
from tests.fakes.workspace import (
    InMemoryRepositories,
    InMemorySettings,
    InMemoryTickets,
    InMemoryUsers,
)


@dataclass(frozen=True, slots=True)
class World:
    sessions: SessionStore
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
    rates: Rates
    images: Images
    forge_lists: ForgeListStore
    abouts: RepositoryAbouts
    uploads: Uploads
    changes: ChangesStore
    settings: SettingsStore
    policies: Policies
    repositories: RememberedRepositories
    vault: Vault
    environments: EnvironmentStore
    faults: Faults


def in_memory() -> World:
    memory = Memory()
    return World(
        sessions=InMemorySessions(memory),
        members=InMemoryMembers(memory),
        effects=InMemoryEffects(memory),
        timeline=InMemoryTimeline(memory),
        connections=InMemoryConnections(memory),
        users=InMemoryUsers(memory),
        access_tokens=InMemoryAccessTokens(memory),
        tickets=InMemoryTickets(memory),
        logins=InMemoryLogins(memory),
        identities=InMemoryIdentities(memory),
        grants=InMemoryGrants(memory),
        rates=InMemoryRates(memory),
        images=FakeImages(),
        forge_lists=InMemoryForgeLists(memory),
        abouts=InMemoryRepositoryAbouts(memory),
        uploads=InMemoryUploads(memory),
        changes=InMemoryChanges(memory),
        settings=InMemorySettings(memory),
        policies=InMemoryPolicies(memory),
        repositories=InMemoryRepositories(memory),
        vault=InMemoryVault(memory),
        environments=InMemoryEnvironments(memory),
        faults=memory.faults,
    )


def in_dynamodb(sessions: Table, workspace: Table, faults: Faults) -> World:
    return World(
        sessions=DynamoSessions(sessions),
        members=DynamoMembers(sessions),
        effects=DynamoEffects(sessions),
        timeline=DynamoTimeline(sessions),
        connections=DynamoConnections(sessions, workspace),
        users=DynamoUsers(workspace),
        access_tokens=DynamoAccessTokens(workspace),
        tickets=DynamoTickets(workspace),
        logins=DynamoLogins(workspace),
        identities=DynamoIdentities(workspace),
        grants=DynamoGrants(workspace),
        rates=DynamoRates(workspace),
        images=DynamoImages(workspace),
        forge_lists=DynamoForgeLists(workspace),
        abouts=DynamoRepositoryAbouts(workspace),
        uploads=DynamoUploads(sessions),
        changes=DynamoChanges(sessions),
        settings=DynamoSettings(workspace),
        policies=DynamoPolicies(workspace),
        repositories=DynamoRepositories(workspace),
        vault=DynamoVault(workspace),
        environments=DynamoEnvironments(workspace),
        faults=faults,
    )
