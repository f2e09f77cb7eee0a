"""The composition root: the only module that knows which adapter stands behind which port.

The clock, random ids and the environment enter here. Vendors that only some functions need are
imported where they are built: a socket's first message waits for every import.
"""

import os
import random
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial

from botocore.session import Session as BotocoreSession

from shared.adapters.apigateway import ApiGatewaySockets
from shared.adapters.dynamodb import keys
from shared.adapters.dynamodb.connections import DynamoConnections
from shared.adapters.dynamodb.database import Database, connect
from shared.adapters.dynamodb.effects import DynamoEffects
from shared.adapters.dynamodb.forge_lists import DynamoForgeLists
from shared.adapters.dynamodb.images import DynamoImages
from shared.adapters.dynamodb.logins import DynamoLogins
from shared.adapters.dynamodb.members import DynamoMembers
from shared.adapters.dynamodb.patience import Patience
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
from shared.adapters.forges import forges
from shared.adapters.s3 import S3Objects
from shared.adapters.scheduler import SchedulerTimers, TimerTarget
from shared.adapters.secretsmanager import SecretsManagerSecrets
from shared.adapters.stepfunctions import StepFunctionsLives
from shared.app.accounts import Accounts
from shared.app.aftermath import Aftermath
from shared.app.app import App
from shared.app.attachments import Attachments
from shared.app.audiences import Audiences
from shared.app.bridges import Bridges
from shared.app.catalogue import Catalogue
from shared.app.desk import Desk
from shared.app.effects import Effects
from shared.app.forge_lists import ForgeLists
from shared.app.idleness import Idleness
from shared.app.inboxes import Inboxes
from shared.app.ports.connections import Connections, Sockets
from shared.app.ports.forge_lists import ForgeListStore
from shared.app.ports.forges import Forges
from shared.app.ports.images import Images
from shared.app.ports.logins import Logins
from shared.app.ports.members import Members
from shared.app.ports.rates import Rates
from shared.app.ports.repositories import RememberedRepositories, Repositories
from shared.app.ports.repository_abouts import RepositoryAbouts
from shared.app.ports.sandbox_settings import SettingsStore
from shared.app.ports.sessions import EffectStore, SessionStore
from shared.app.ports.timeline import Timeline
from shared.app.ports.uploads import Objects, Uploads
from shared.app.ports.workflow import Lives as Workflow
from shared.app.ports.workflow import Timers
from shared.app.ports.workspace import Secrets, Tickets, Users
from shared.app.sandbox_settings import SettingsOfSandboxes
from shared.app.screenshots import Screenshots
from shared.app.sessions import Sessions
from shared.app.sign_ins import SignIns
from shared.app.viewers import Viewers
from shared.domain.sandbox_settings import SandboxSettings
from shared.domain.session.rules import Rules
from shared.settings import Settings

PUSH_THREADS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """Everything of the outside world that the app stands on: real here, fakes in tests."""

    store: SessionStore
    members: Members
    effects: EffectStore
    timeline: Timeline
    connections: Connections
    users: Users
    tickets: Tickets
    logins: Logins
    settings: SettingsStore
    secrets: Secrets
    repositories: Repositories
    forges: Forges
    abouts: RepositoryAbouts
    forge_lists: ForgeListStore
    remembered: RememberedRepositories
    images: Images
    uploads: Uploads
    objects: Objects
    rates: Rates
    workflow: Workflow
    timers: Timers
    client_sockets: Sockets
    bridge_sockets: Sockets
    clock: Callable[[], datetime]
    sleep: Callable[[float], None]
    new_id: Callable[[], str]


@cache
def settings() -> Settings:
    return Settings.from_env(os.environ)


@cache
def app() -> App:
    """The app of this execution environment, built on first use."""
    return build(settings(), ports())


@cache
def ports() -> Ports:
    return _real_ports(settings())


def build(given: Settings, on: Ports) -> App:
    audiences = _audiences(on)
    inboxes = Inboxes(store=on.store, members=on.members, clock=on.clock)
    effects = Effects(on.effects, on.workflow, on.timers, inboxes, on.clock)
    sessions = Sessions(
        store=on.store,
        timeline=on.timeline,
        aftermath=Aftermath(effects, audiences),
        rules=_rules(given),
        clock=on.clock,
        new_id=on.new_id,
    )
    attachments = _attachments(on)
    catalogue, viewers = _catalogue(given, on), _viewers(on, audiences)
    settings_of_sandboxes = _settings_of_sandboxes(given, on)
    return App(
        abouts=on.abouts,
        accounts=Accounts(on.users, on.clock),
        attachments=attachments,
        bridges=_bridges(on, sessions, audiences),
        catalogue=catalogue,
        desk=_desk(on, sessions, catalogue, settings_of_sandboxes, attachments),
        effects=effects,
        forge_lists=ForgeLists(forges=on.forges, store=on.forge_lists, clock=on.clock),
        idleness=Idleness(sessions, viewers),
        images=on.images,
        inboxes=inboxes,
        screenshots=Screenshots(sessions, attachments),
        sessions=sessions,
        settings=settings_of_sandboxes,
        sign_ins=SignIns(on.logins, on.users, on.clock),
        viewers=viewers,
        store=on.store,
        timeline=on.timeline,
        client_sockets=on.client_sockets,
        bridge_sockets=on.bridge_sockets,
        clients_socket_url=given.clients_socket_url,
        loopback=given.loopback,
    )


def now() -> datetime:
    return datetime.now(UTC)


def new_id() -> str:
    return secrets.token_hex(16)


def _audiences(on: Ports) -> Audiences:
    return Audiences(
        connections=on.connections,
        clients=on.client_sockets,
        bridges=on.bridge_sockets,
        pool=ThreadPoolExecutor(PUSH_THREADS, thread_name_prefix="push"),
    )


def _desk(
    on: Ports,
    sessions: Sessions,
    catalogue: Catalogue,
    settings_of_sandboxes: SettingsOfSandboxes,
    attachments: Attachments,
) -> Desk:
    return Desk(
        sessions=sessions,
        store=on.store,
        users=on.users,
        repositories=on.repositories,
        remembered=on.remembered,
        catalogue=catalogue,
        settings=settings_of_sandboxes,
        attachments=attachments,
        clock=on.clock,
    )


def _catalogue(given: Settings, on: Ports) -> Catalogue:
    return Catalogue(
        secrets=on.secrets,
        clock=on.clock,
        default=given.default_model,
        demo_model_url=given.demo_model_url,
    )


def _attachments(on: Ports) -> Attachments:
    return Attachments(
        uploads=on.uploads, objects=on.objects, rates=on.rates, clock=on.clock, new_id=on.new_id
    )


def _settings_of_sandboxes(given: Settings, on: Ports) -> SettingsOfSandboxes:
    deployment = SandboxSettings(
        lifetime=given.sandbox_lifetime,
        final_buffer=given.final_snapshot_buffer,
        inactivity=given.sandbox_inactivity_timeout,
        tunnel_ports=(),
    )
    return SettingsOfSandboxes(
        store=on.settings, deployment=deployment, clock=on.clock, new_id=on.new_id
    )


def _viewers(on: Ports, audiences: Audiences) -> Viewers:
    return Viewers(
        store=on.store,
        timeline=on.timeline,
        connections=on.connections,
        tickets=on.tickets,
        audiences=audiences,
        sockets=on.client_sockets,
        clock=on.clock,
    )


def _bridges(on: Ports, sessions: Sessions, audiences: Audiences) -> Bridges:
    return Bridges(
        sessions=sessions,
        store=on.store,
        timeline=on.timeline,
        connections=on.connections,
        audiences=audiences,
        sockets=on.bridge_sockets,
        lives=on.workflow,
        clock=on.clock,
        sleep=on.sleep,
    )


def _rules(given: Settings) -> Rules:
    return Rules(
        connect_watchdog=given.connect_watchdog,
        boot_budget=given.sandbox_boot_timeout,
        heartbeat=given.heartbeat_timeout,
        inactivity=given.sandbox_inactivity_timeout,
        stop_confirmation=given.stop_confirmation,
        final_buffer=given.final_snapshot_buffer,
        save_interval=given.snapshot_interval,
    )


def _real_ports(given: Settings) -> Ports:
    database = Database(
        connect(), patience=Patience(sleep=time.sleep, random=random.random), new_token=new_id
    )
    sessions = Table(database, given.session_table, *keys.SESSION_INDEXES)
    workspace = Table(database, given.workspace_table)
    session = BotocoreSession()
    secrets_here = SecretsManagerSecrets(session, given.secrets_arn)
    hosts = forges(given, secrets_here, now)
    sockets = partial(ApiGatewaySockets, session)
    return Ports(
        store=DynamoSessions(sessions),
        members=DynamoMembers(sessions),
        effects=DynamoEffects(sessions),
        timeline=DynamoTimeline(sessions),
        connections=DynamoConnections(sessions, workspace),
        users=DynamoUsers(workspace),
        tickets=DynamoTickets(workspace),
        logins=DynamoLogins(workspace),
        settings=DynamoSettings(workspace),
        secrets=secrets_here,
        repositories=hosts,
        forges=hosts,
        abouts=DynamoRepositoryAbouts(workspace),
        forge_lists=DynamoForgeLists(workspace),
        remembered=DynamoRepositories(workspace),
        images=DynamoImages(workspace),
        uploads=DynamoUploads(sessions),
        objects=S3Objects(session, given.files_bucket),
        rates=DynamoRates(workspace),
        workflow=StepFunctionsLives(session, given.life_machine_arn),
        timers=SchedulerTimers(
            session,
            TimerTarget(given.timer_group, given.inactivity_function_arn, given.timer_role_arn),
        ),
        client_sockets=sockets(given.clients_api_url),
        bridge_sockets=sockets(given.bridges_api_url),
        clock=now,
        sleep=time.sleep,
        new_id=new_id,
    )
