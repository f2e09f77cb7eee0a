"""Everything an entry point may use."""

from dataclasses import dataclass

from shared.app.access_tokens import PersonalTokens
from shared.app.accounts import Accounts
from shared.app.attachments import Attachments
from shared.app.bridges import Bridges
from shared.app.catalogue import Catalogue
from shared.app.changes import Changes
from shared.app.connected_accounts import ConnectedAccounts
from shared.app.departures import Departures
from shared.app.desk import Desk
from shared.app.effects import Effects
from shared.app.environments import Environments
from shared.app.forge_lists import ForgeLists
from shared.app.git_credentials import GitCredentials
from shared.app.github_webhooks import GitHubWebhooks
from shared.app.idleness import Idleness
from shared.app.inboxes import Inboxes
from shared.app.ports.connections import Sockets
from shared.app.ports.images import Images
from shared.app.ports.repository_abouts import RepositoryAbouts
from shared.app.ports.sessions import SessionStore
from shared.app.ports.timeline import Timeline
from shared.app.provider_sign_ins import ProviderSignIns
from shared.app.pull_request_news import PullRequestNews
from shared.app.pull_requests import PullRequests
from shared.app.sandbox_settings import SettingsOfSandboxes
from shared.app.screenshots import Screenshots
from shared.app.secret_store import SecretStore
from shared.app.sessions import Sessions
from shared.app.sign_ins import SignIns
from shared.app.user_tokens import KeptTokens
from shared.app.viewers import Viewers


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    abouts: RepositoryAbouts
    accounts: Accounts
    attachments: Attachments
    bridges: Bridges
    catalogue: Catalogue
    departures: Departures
    changes: Changes
    connected_accounts: ConnectedAccounts
    desk: Desk
    effects: Effects
    git_credentials: GitCredentials
    environments: Environments
    forge_lists: ForgeLists
    idleness: Idleness
    images: Images
    inboxes: Inboxes
    pull_request_news: PullRequestNews
    pull_requests: PullRequests
    github_webhooks: GitHubWebhooks
    personal_tokens: PersonalTokens
    screenshots: Screenshots
    secret_store: SecretStore
    sessions: Sessions
    settings: SettingsOfSandboxes
    sign_ins: SignIns
    viewers: Viewers
    store: SessionStore
    timeline: Timeline
    client_sockets: Sockets
    bridge_sockets: Sockets
    clients_socket_url: str
    loopback: bool
    provider_sign_ins: ProviderSignIns
    user_tokens: KeptTokens
