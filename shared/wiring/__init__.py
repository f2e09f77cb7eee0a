"""The composition root: the only module that knows which adapter stands behind which port.

The clock, random ids and the environment enter here. Vendors that only some functions need are
imported where they are built: a socket's first message waits for every import.
"""

import os
import random
import secrets
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial

from botocore.session import Session as BotocoreSession

from shared.adapters.apigateway import ApiGatewaySockets
from shared.adapters.dynamodb import keys
from shared.adapters.dynamodb.access_tokens import DynamoAccessTokens
from shared.adapters.dynamodb.changes import DynamoChanges
from shared.adapters.dynamodb.connections import DynamoConnections
from shared.adapters.dynamodb.database import Database, connect
from shared.adapters.dynamodb.effects import DynamoEffects
from shared.adapters.dynamodb.environments import DynamoEnvironments
from shared.adapters.dynamodb.forge_lists import DynamoForgeLists
from shared.adapters.dynamodb.identities import DynamoGrants, DynamoIdentities
from shared.adapters.dynamodb.images import DynamoImages
from shared.adapters.dynamodb.logins import DynamoLogins
from shared.adapters.dynamodb.members import DynamoMembers
from shared.adapters.dynamodb.patience import Patience
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
from shared.adapters.forges import forges
from shared.adapters.kms import KmsSealer
from shared.adapters.s3 import S3Objects
from shared.adapters.scheduler import SchedulerTimers, TimerTarget
from shared.adapters.secretsmanager import SecretsManagerSecrets
from shared.adapters.stepfunctions import StepFunctionsLives
from shared.app.access_tokens import PersonalTokens
from shared.app.accounts import Accounts
from shared.app.aftermath import Aftermath
from shared.app.app import App
from shared.app.attachments import Attachments
from shared.app.audiences import Audiences
from shared.app.bridges import Bridges
from shared.app.catalogue import Catalogue
from shared.app.changes import Changes
from shared.app.departures import Departures
from shared.app.desk import Desk
from shared.app.effects import Effects
from shared.app.environments import Environments
from shared.app.forge_lists import ForgeLists
from shared.app.git_credentials import GitCredentials
from shared.app.github_webhooks import GitHubWebhooks
from shared.app.idleness import Idleness
from shared.app.inboxes import Inboxes
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
from shared.app.ports.user_tokens import UserTokens
from shared.app.ports.vault import Vault
from shared.app.ports.workflow import Lives as Workflow
from shared.app.ports.workflow import Timers
from shared.app.ports.workspace import Secrets, Tickets, Users
from shared.app.pull_requests import PullRequests
from shared.app.sandbox_settings import SettingsOfSandboxes
from shared.app.screenshots import Screenshots
from shared.app.sealed_bytes import SealedBytes
from shared.app.secret_store import SecretStore
from shared.app.sessions import Sessions
from shared.app.sign_ins import SignIns
from shared.app.viewers import Viewers
from shared.domain.sandbox_settings import SandboxSettings
from shared.domain.session.rules import Rules
from shared.settings import Settings
from shared.wiring import sign_in

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
    sign_ins, personal_tokens = SignIns(on.logins, on.users, on.clock), _personal_tokens(on)
    user_tokens = sign_in.user_tokens(on)
    pull_requests = _pull_requests(given, on, sessions, user_tokens)
    return App(
        abouts=on.abouts,
        accounts=Accounts(on.users, on.clock),
        departures=Departures(
            users=on.users,
            sign_ins=sign_ins,
            personal_tokens=personal_tokens,
            connections=on.connections,
            audiences=audiences,
            clock=on.clock,
        ),
        personal_tokens=personal_tokens,
        attachments=attachments,
        bridges=_bridges(on, sessions, audiences),
        catalogue=catalogue,
        changes=_changes(on, sessions, audiences),
        desk=_desk(on, sessions, catalogue, settings_of_sandboxes, attachments),
        effects=effects,
        git_credentials=_git_credentials(on, sessions),
        environments=_environments(on, sessions),
        forge_lists=ForgeLists(forges=on.forges, store=on.forge_lists, clock=on.clock),
        idleness=Idleness(sessions, viewers),
        images=on.images,
        inboxes=inboxes,
        pull_requests=pull_requests,
        github_webhooks=GitHubWebhooks(on.secrets, pull_requests),
        screenshots=Screenshots(sessions, attachments),
        secret_store=secret_store(on),
        sessions=sessions,
        settings=settings_of_sandboxes,
        sign_ins=sign_ins,
        viewers=viewers,
        store=on.store,
        timeline=on.timeline,
        client_sockets=on.client_sockets,
        bridge_sockets=on.bridge_sockets,
        clients_socket_url=given.clients_socket_url,
        loopback=given.loopback,
        user_tokens=user_tokens,
        provider_sign_ins=sign_in.provider_sign_ins(given, on, sign_ins, user_tokens),
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
        environments=on.environments,
        remembered=on.remembered,
        catalogue=catalogue,
        settings=settings_of_sandboxes,
        attachments=attachments,
        clock=on.clock,
    )


def secret_store(on: Ports) -> SecretStore:
    return SecretStore(vault=on.vault, sealer=on.sealer, clock=on.clock, new_id=on.new_id)


def _environments(on: Ports, sessions: Sessions) -> Environments:
    return Environments(
        store=on.environments,
        sessions=sessions,
        repositories=on.repositories,
        clock=on.clock,
        new_id=on.new_id,
    )


def _personal_tokens(on: Ports) -> PersonalTokens:
    return PersonalTokens(store=on.access_tokens, users=on.users, clock=on.clock, new_id=on.new_id)


def _catalogue(given: Settings, on: Ports) -> Catalogue:
    return Catalogue(
        secrets=on.secrets,
        clock=on.clock,
        default=given.default_model,
        demo_model_url=given.demo_model_url,
        stored=secret_store(on).everywhere,
    )


def _attachments(on: Ports) -> Attachments:
    return Attachments(
        uploads=on.uploads, objects=on.objects, rates=on.rates, clock=on.clock, new_id=on.new_id
    )


def _changes(on: Ports, sessions: Sessions, audiences: Audiences) -> Changes:
    return Changes(
        sessions=sessions,
        store=on.changes,
        objects=on.objects,
        rates=on.rates,
        audiences=audiences,
        clock=on.clock,
        new_id=on.new_id,
    )


def _git_credentials(on: Ports, sessions: Sessions) -> GitCredentials:
    return GitCredentials(sessions=sessions, forges=on.forges, rates=on.rates, clock=on.clock)


def _pull_requests(
    given: Settings, on: Ports, sessions: Sessions, user_tokens: UserTokens
) -> PullRequests:
    return PullRequests(
        sessions=sessions,
        forges=on.forges,
        user_tokens=user_tokens,
        policies=on.policies,
        session_url=f"{given.web_url}/sessions/{{}}" if given.web_url else "",
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
        users=on.users,
        logins=on.logins,
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
    sealer = KmsSealer(session, given.secrets_key_arn)
    secrets_of_deployment = SecretsManagerSecrets(session, given.secrets_arn)
    hosts = forges(given, secrets_of_deployment, now)
    sockets = partial(ApiGatewaySockets, session)
    return Ports(
        store=DynamoSessions(sessions),
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
        seal=SealedBytes(sealer),
        identity_providers=sign_in.providers(given, secrets_of_deployment, now),
        settings=DynamoSettings(workspace),
        vault=DynamoVault(workspace),
        sealer=sealer,
        secrets=secrets_of_deployment,
        repositories=hosts,
        abouts=DynamoRepositoryAbouts(workspace),
        forge_lists=DynamoForgeLists(workspace),
        remembered=DynamoRepositories(workspace),
        forges=hosts,
        policies=DynamoPolicies(workspace),
        environments=DynamoEnvironments(workspace),
        images=DynamoImages(workspace),
        uploads=DynamoUploads(sessions),
        changes=DynamoChanges(sessions),
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
