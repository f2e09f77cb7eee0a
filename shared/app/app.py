"""Everything an entry point may use."""

from dataclasses import dataclass

from shared.app.accounts import Accounts
from shared.app.attachments import Attachments
from shared.app.bridges import Bridges
from shared.app.catalogue import Catalogue
from shared.app.desk import Desk
from shared.app.effects import Effects
from shared.app.forge_lists import ForgeLists
from shared.app.idleness import Idleness
from shared.app.inboxes import Inboxes
from shared.app.ports.connections import Sockets
from shared.app.ports.images import Images
from shared.app.ports.repository_abouts import RepositoryAbouts
from shared.app.ports.sessions import SessionStore
from shared.app.ports.timeline import Timeline
from shared.app.sandbox_settings import SettingsOfSandboxes
from shared.app.screenshots import Screenshots
from shared.app.sessions import Sessions
from shared.app.sign_ins import SignIns
from shared.app.viewers import Viewers


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    abouts: RepositoryAbouts
    accounts: Accounts
    attachments: Attachments
    bridges: Bridges
    catalogue: Catalogue
    desk: Desk
    effects: Effects
    forge_lists: ForgeLists
    idleness: Idleness
    images: Images
    inboxes: Inboxes
    screenshots: Screenshots
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
