"""What people ask for over HTTP or a socket: new sessions, prompts, and the rest of the list."""

import base64
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from shared.app.attachments import Attachments, user_asks
from shared.app.catalogue import Catalogue
from shared.app.ports.repositories import Remembered, RememberedRepositories, Repositories
from shared.app.ports.sessions import Request, SessionStore
from shared.app.ports.workspace import User, Users
from shared.app.sandbox_settings import SettingsOfSandboxes
from shared.app.sessions import Sessions
from shared.domain.attachment import Attachment
from shared.domain.errors import Contended, Unauthenticated, Unavailable
from shared.domain.repository_url import directory
from shared.domain.session.commands import Choose, SubmitPrompt, Warm
from shared.domain.session.conversation import check_room, check_text, checked_title
from shared.domain.session.state import Author, Repository, Session, SessionId, UserId
from shared.protocol.api import AuthorView, NewChoice, NewPrompt, NewRepository, NewSession

NO_ADDRESS = "users.outboard.invalid"
"""Git wants an address of everybody; RFC 2606 keeps this one from being anybody's."""
NO_REPLY_OF_GITHUB = "users.noreply.github.com"
logger = logging.getLogger(__name__)

MOST_REPOSITORIES = 200


@dataclass(frozen=True, slots=True)
class Submitted:
    prompt: int
    position: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    sessions: Sessions
    store: SessionStore
    users: Users
    repositories: Repositories
    remembered: RememberedRepositories
    catalogue: Catalogue
    settings: SettingsOfSandboxes
    attachments: Attachments
    clock: Callable[[], datetime]

    def open_session(self, user: UserId, asked: NewSession) -> Session:
        """Safe to repeat: the same user's request id is the same session.

        Raises `Invalid`, `NotFound` for a repository that nothing answers for, `Conflict`,
        `Rejected` for settings of sandboxes that do not go together.
        """
        choice = self.catalogue.choose(asked.model, asked.effort)
        target = self._target(asked.repositories)
        now = self.clock()
        session = Session(
            id=_session_id(user, asked.request_id),
            owner=user,
            target=target,
            model=choice.model,
            effort=choice.effort,
            settings=self.settings.of_session(target),
            title=checked_title(asked.title) if asked.title else "",
            created_at=now,
            updated_at=now,
        )
        opened = self.store.create(session, fingerprint(asked.model_dump_json()))
        return self.warm(opened.id) if asked.warm else opened

    def _target(self, asked: Sequence[NewRepository]) -> tuple[Repository, ...]:
        target = tuple(repository_of(repository) for repository in asked)
        for repository in target:
            self.repositories.check(repository.url)
        return target

    def choose(self, session_id: SessionId, asked: NewChoice) -> Session:
        """Raises `Rejected` once something was asked of the session, and what `open_session` does.

        A sandbox that was warmed for the old choice is let go, and one is warmed for the new.
        """
        session = self.sessions.load(session_id)
        target = self._target(asked.repositories) if asked.repositories else None
        same_model = asked.model in {None, session.model}
        effort = asked.effort or (session.effort if same_model else None)
        choice = self.catalogue.choose(asked.model or session.model, effort)
        settings = self.settings.of_session(target) if target else None
        chosen = Choose(target=target, settings=settings, model=choice.model, effort=choice.effort)
        return self.sessions.handle(session_id, chosen)

    def submit(self, session_id: SessionId, user: UserId, asked: NewPrompt) -> Submitted:
        """Safe to repeat: the same request id is the same prompt. Raises `Conflict`, `Rejected`."""
        check_text(asked.text, attached=len(asked.attachments))
        session = self.sessions.load(session_id)
        choice = self.catalogue.choose(asked.model or session.model, self._effort(session, asked))
        command = SubmitPrompt(
            author=self._author(user, asked.author),
            text=asked.text,
            model=choice.model,
            effort=choice.effort,
            attachments=self._kept(session, user, asked),
        )
        request = Request(asked.request_id, fingerprint(f"{user} {_content(asked)}"))
        changed = self.sessions.handle_once(session_id, command, request)
        assert changed.prompt is not None
        self._remember(session.target)
        return Submitted(changed.prompt, _position(changed.session, changed.prompt))

    def _remember(self, target: Sequence[Repository]) -> None:
        """Best effort: the prompt is queued, whatever becomes of this."""
        try:
            for repository in target:
                self.remembered.use(repository, self.clock())
        except (Contended, Unavailable):
            logger.exception("repository_not_remembered")

    def register(self, asked: NewRepository) -> Remembered:
        """Raises `Invalid`, `NotFound` for a repository that nothing answers for."""
        [repository] = self._target([asked])
        return self.remembered.register(repository, self.clock())

    def known_repositories(self) -> Sequence[Remembered]:
        return self.remembered.all(limit=MOST_REPOSITORIES)

    def warm(self, session_id: SessionId) -> Session:
        """Somebody is about to ask for something: have a sandbox ready by then."""
        return self.sessions.handle(session_id, Warm())

    def _author(self, user_id: UserId, named: AuthorView | None) -> Author:
        """Whom the prompt names, else who asks, as their profile has it."""
        if named is not None:
            return Author(user_id, named.name, named.email)
        user = self.users.get(user_id)
        if user is None:
            raise Unauthenticated("nobody knows you any more")
        return Author(user_id, user.shown_name, user.email or _address(user))

    def _kept(self, session: Session, user: UserId, asked: NewPrompt) -> tuple[Attachment, ...]:
        if asked.attachments and self.store.answered(session.id, asked.request_id) is None:
            check_room(session)  # sooner than in the commit: nothing is kept in vain
        return self.attachments.keep(user_asks(user), asked.attachments)

    def _effort(self, session: Session, asked: NewPrompt) -> str | None:
        same_model = asked.model in {None, session.model}
        return asked.effort or (session.effort if same_model else None)


def _address(user: User) -> str:
    """One that their commits are theirs by, where they have an account; else nobody's."""
    account = user.account
    if account is not None and account.provider == "github":
        return f"{account.id}+{account.login}@{NO_REPLY_OF_GITHUB}"
    return f"{user.name}@{NO_ADDRESS}"


def fingerprint(content: str) -> str:
    return sha256(content.encode()).hexdigest()


def _content(asked: NewPrompt) -> str:
    """As it was before there were attachments, so that an update meets its own request again."""
    return asked.model_dump_json(exclude=None if asked.attachments else {"attachments"})


def _session_id(user: UserId, request_id: str) -> SessionId:
    """Sixty random-looking bits that a repeated request finds again."""
    digest = sha256(f"{user}\n{request_id}".encode()).digest()
    return SessionId(base64.b32encode(digest).decode().lower()[:12])


def repository_of(asked: NewRepository) -> Repository:
    return Repository(
        url=asked.url, name=directory(asked.url), branch=asked.branch, label=asked.label
    )


def _position(session: Session, prompt: int) -> int | None:
    waiting: Sequence[int] = [queued.number for queued in session.queue]
    if prompt not in waiting:
        return None
    return waiting.index(prompt) + (session.running is not None)
