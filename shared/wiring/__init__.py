"""The composition root: the only module that knows which adapter stands behind which port.

The clock, random ids and the environment enter here. Vendors that only some functions need are
imported where they are built: a socket's first message waits for every import.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache

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
from shared.app.ports.user_tokens import UserTokens
from shared.app.pull_request_news import PullRequestNews
from shared.app.pull_requests import PullRequests
from shared.app.sandbox_settings import SettingsOfSandboxes
from shared.app.screenshots import Screenshots
from shared.app.secret_store import SecretStore
from shared.app.sessions import Sessions
from shared.app.sign_ins import SignIns
from shared.app.viewers import Viewers
from shared.domain.sandbox_settings import SandboxSettings
from shared.domain.session.rules import Rules
from shared.settings import Settings
from shared.wiring import sign_in
from shared.wiring.ports import Ports as Ports
from shared.wiring.real import new_id as new_id
from shared.wiring.real import real_ports

PUSH_THREADS = 16


@cache
def settings() -> Settings:
    return Settings.from_env(os.environ)


@cache
def app() -> App:
    """The app of this execution environment, built on first use."""
    return build(settings(), ports())


@cache
def ports() -> Ports:
    return real_ports(settings())


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
    news = PullRequestNews(sessions=sessions, forges=on.forges)
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
        connected_accounts=sign_in.connected_accounts(on, user_tokens),
        changes=_changes(on, sessions, audiences),
        desk=_desk(on, sessions, catalogue, settings_of_sandboxes, attachments),
        effects=effects,
        git_credentials=_git_credentials(on, sessions),
        environments=_environments(on, sessions),
        forge_lists=ForgeLists(forges=on.forges, store=on.forge_lists, clock=on.clock),
        idleness=Idleness(sessions, viewers),
        images=on.images,
        inboxes=inboxes,
        pull_request_news=news,
        pull_requests=pull_requests,
        github_webhooks=GitHubWebhooks(on.secrets, news),
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
    return SecretStore(
        vault=on.vault,
        environments=on.environments,
        sealer=on.sealer,
        clock=on.clock,
        new_id=on.new_id,
    )


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
