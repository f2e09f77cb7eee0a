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
from shared.adapters.dynamodb.images import DynamoImages
from shared.adapters.dynamodb.patience import Patience
from shared.adapters.dynamodb.rates import DynamoRates
from shared.adapters.dynamodb.sandbox_settings import DynamoSettings
from shared.adapters.dynamodb.sessions import DynamoSessions
from shared.adapters.dynamodb.table import Table
from shared.adapters.dynamodb.tickets import DynamoTickets
from shared.adapters.dynamodb.timeline import DynamoTimeline
from shared.adapters.dynamodb.users import DynamoUsers
from shared.adapters.scheduler import SchedulerTimers, TimerTarget
from shared.adapters.secretsmanager import SecretsManagerSecrets
from shared.adapters.smart_http import SmartHttpRepositories
from shared.adapters.stepfunctions import StepFunctionsLives
from shared.app.accounts import Accounts
from shared.app.aftermath import Aftermath
from shared.app.app import App
from shared.app.audiences import Audiences
from shared.app.bridges import Bridges
from shared.app.catalogue import Catalogue
from shared.app.desk import Desk
from shared.app.effects import Effects
from shared.app.identity import Endpoints
from shared.app.idleness import Idleness
from shared.app.keeping import Keeper
from shared.app.launching import Launcher
from shared.app.lives import Lives
from shared.app.ports.connections import Connections, Sockets
from shared.app.ports.images import Images
from shared.app.ports.rates import Rates
from shared.app.ports.repositories import Repositories
from shared.app.ports.sandbox_settings import SettingsStore
from shared.app.ports.sandboxes import Sandboxes
from shared.app.ports.sessions import EffectStore, SessionStore
from shared.app.ports.timeline import Timeline
from shared.app.ports.workflow import Lives as Workflow
from shared.app.ports.workflow import Timers
from shared.app.ports.workspace import Secrets, Tickets, Users
from shared.app.reaper import Reaper
from shared.app.sandbox_settings import SettingsOfSandboxes
from shared.app.sessions import Sessions
from shared.app.viewers import Viewers
from shared.domain.rate import Rate
from shared.domain.sandbox_settings import SandboxSettings
from shared.domain.session.rules import Rules
from shared.settings import Settings

PUSH_THREADS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """Everything of the outside world that the app stands on: real here, fakes in tests."""

    store: SessionStore
    effects: EffectStore
    timeline: Timeline
    connections: Connections
    users: Users
    tickets: Tickets
    settings: SettingsStore
    secrets: Secrets
    repositories: Repositories
    images: Images
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
def lives() -> Lives:
    """The steps of the workflow: the one thing that needs a sandbox provider."""
    given, on = settings(), ports()
    return build_lives(given, on, app().sessions, _sandboxes(given, on.secrets))


@cache
def reaper() -> Reaper:
    given, on = settings(), ports()
    return build_reaper(given, on, app().sessions, _sandboxes(given, on.secrets))


@cache
def ports() -> Ports:
    return _real_ports(settings())


def build(given: Settings, on: Ports) -> App:
    audiences = Audiences(
        connections=on.connections,
        clients=on.client_sockets,
        bridges=on.bridge_sockets,
        pool=ThreadPoolExecutor(PUSH_THREADS, thread_name_prefix="push"),
    )
    effects = Effects(on.effects, on.workflow, on.timers, on.clock)
    sessions = Sessions(
        store=on.store,
        timeline=on.timeline,
        aftermath=Aftermath(effects, audiences),
        rules=_rules(given),
        clock=on.clock,
        new_id=on.new_id,
    )
    catalogue, viewers = _catalogue(given, on), _viewers(on, audiences)
    settings_of_sandboxes = _settings_of_sandboxes(given, on)
    return App(
        accounts=Accounts(on.users, on.clock),
        bridges=_bridges(on, sessions, audiences),
        catalogue=catalogue,
        desk=Desk(
            sessions=sessions,
            store=on.store,
            repositories=on.repositories,
            catalogue=catalogue,
            settings=settings_of_sandboxes,
            clock=on.clock,
        ),
        effects=effects,
        idleness=Idleness(sessions, viewers),
        sessions=sessions,
        settings=settings_of_sandboxes,
        viewers=viewers,
        store=on.store,
        timeline=on.timeline,
        client_sockets=on.client_sockets,
        bridge_sockets=on.bridge_sockets,
        clients_socket_url=given.clients_socket_url,
    )


def build_lives(given: Settings, on: Ports, sessions: Sessions, sandboxes: Sandboxes) -> Lives:
    launcher = Launcher(
        sessions=sessions,
        sandboxes=sandboxes,
        secrets=on.secrets,
        rates=on.rates,
        endpoints=Endpoints(
            bridges_socket_url=given.bridges_socket_url,
            demo_model_url=given.demo_model_url,
            heartbeat_seconds=given.bridge_heartbeat.total_seconds(),
        ),
        deployment=_deployment(given),
        lifetime=given.sandbox_lifetime,
        creations=Rate(given.sandbox_creation_interval),
        clock=on.clock,
        sleep=on.sleep,
    )
    return Lives(
        sessions=sessions,
        timeline=on.timeline,
        launcher=launcher,
        keeper=Keeper(sessions=sessions, sandboxes=sandboxes, deployment=_deployment(given)),
        images=on.images,
        clock=on.clock,
    )


def build_reaper(given: Settings, on: Ports, sessions: Sessions, sandboxes: Sandboxes) -> Reaper:
    return Reaper(
        sessions=sessions,
        store=on.store,
        sandboxes=sandboxes,
        workflow=on.workflow,
        deployment=_deployment(given),
        clock=on.clock,
    )


def _deployment(given: Settings) -> str:
    """Whose sandbox it is, where several deployments share a provider's key: a table has a name
    of its own, and keeps it.
    """
    return given.session_table


def now() -> datetime:
    return datetime.now(UTC)


def new_id() -> str:
    return secrets.token_hex(16)


def _catalogue(given: Settings, on: Ports) -> Catalogue:
    return Catalogue(
        secrets=on.secrets,
        clock=on.clock,
        default=given.default_model,
        demo_model_url=given.demo_model_url,
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
    sockets = partial(ApiGatewaySockets, session)
    return Ports(
        store=DynamoSessions(sessions),
        effects=DynamoEffects(sessions),
        timeline=DynamoTimeline(sessions),
        connections=DynamoConnections(sessions, workspace),
        users=DynamoUsers(workspace),
        tickets=DynamoTickets(workspace),
        settings=DynamoSettings(workspace),
        secrets=SecretsManagerSecrets(session, given.secrets_arn),
        repositories=SmartHttpRepositories(loopback=given.loopback),
        images=DynamoImages(workspace),
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


def _sandboxes(given: Settings, on: Secrets) -> Sandboxes:
    from shared.adapters.e2b_sandboxes.provider import (  # noqa: PLC0415  half a second
        E2BSandboxes,
    )

    return E2BSandboxes(
        api_key=on.all()["E2B_API_KEY"],
        template=given.sandbox_template,
        api_url=given.e2b_api_url or None,
        sandbox_url=given.e2b_sandbox_url or None,
    )
