"""The ports over one set of tables: in memory, or in DynamoDB behind a network that can be bad."""

from dataclasses import dataclass

from shared.adapters.dynamodb.connections import DynamoConnections
from shared.adapters.dynamodb.effects import DynamoEffects
from shared.adapters.dynamodb.forge_lists import DynamoForgeLists
from shared.adapters.dynamodb.images import DynamoImages
from shared.adapters.dynamodb.logins import DynamoLogins
from shared.adapters.dynamodb.members import DynamoMembers
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
from shared.app.ports.connections import Connections
from shared.app.ports.forge_lists import ForgeListStore
from shared.app.ports.images import Images
from shared.app.ports.logins import Logins
from shared.app.ports.members import Members
from shared.app.ports.rates import Rates
from shared.app.ports.repositories import RememberedRepositories
from shared.app.ports.repository_abouts import RepositoryAbouts
from shared.app.ports.sandbox_settings import SettingsStore
from shared.app.ports.sessions import EffectStore, SessionStore
from shared.app.ports.timeline import Timeline
from shared.app.ports.uploads import Uploads
from shared.app.ports.workspace import Tickets, Users
from tests.fakes.connections import InMemoryConnections
from tests.fakes.forge_lists import InMemoryForgeLists
from tests.fakes.logins import InMemoryLogins
from tests.fakes.rates import InMemoryRates
from tests.fakes.repository_abouts import InMemoryRepositoryAbouts
from tests.fakes.store import InMemorySessions
from tests.fakes.store_effects import InMemoryEffects
from tests.fakes.store_faults import Faults
from tests.fakes.store_members import InMemoryMembers
from tests.fakes.store_memory import Memory
from tests.fakes.store_timeline import InMemoryTimeline
from tests.fakes.uploads import InMemoryUploads
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
    tickets: Tickets
    logins: Logins
    rates: Rates
    images: Images
    forge_lists: ForgeListStore
    abouts: RepositoryAbouts
    uploads: Uploads
    settings: SettingsStore
    repositories: RememberedRepositories
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
        tickets=InMemoryTickets(memory),
        logins=InMemoryLogins(memory),
        rates=InMemoryRates(memory),
        images=FakeImages(),
        forge_lists=InMemoryForgeLists(memory),
        abouts=InMemoryRepositoryAbouts(memory),
        uploads=InMemoryUploads(memory),
        settings=InMemorySettings(memory),
        repositories=InMemoryRepositories(memory),
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
        tickets=DynamoTickets(workspace),
        logins=DynamoLogins(workspace),
        rates=DynamoRates(workspace),
        images=DynamoImages(workspace),
        forge_lists=DynamoForgeLists(workspace),
        abouts=DynamoRepositoryAbouts(workspace),
        uploads=DynamoUploads(sessions),
        settings=DynamoSettings(workspace),
        repositories=DynamoRepositories(workspace),
        faults=faults,
    )
