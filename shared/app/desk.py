"""What people ask for over HTTP or a socket: new sessions, prompts, and the rest of the list."""

import base64
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from shared.app.attachments import Attachments, user_asks
from shared.app.catalogue import Catalogue
from shared.app.ports.environments import EnvironmentStore
from shared.app.ports.repositories import Remembered, RememberedRepositories, Repositories
from shared.app.ports.sessions import Request, SessionStore
from shared.app.ports.workspace import User, Users
from shared.app.sandbox_settings import SettingsOfSandboxes
from shared.app.sessions import Sessions
from shared.domain.attachment import Attachment
from shared.domain.errors import (
    Contended,
    Invalid,
    NotFound,
    Unauthenticated,
    Unavailable,
)
from shared.domain.repository_url import directory
from shared.domain.session.commands import Choose, SubmitPrompt, Warm
from shared.domain.session.conversation import check_room, check_text, checked_title
from shared.domain.session.state import (
    Author,
    EnvironmentId,
    Provenance,
    Repository,
    Session,
    SessionId,
    UserId,
)
from shared.domain.session.target import check_target
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
    environments: EnvironmentStore
    remembered: RememberedRepositories
    catalogue: Catalogue
    settings: SettingsOfSandboxes
    attachments: Attachments
    clock: Callable[[], datetime]

    def open_session(self, user: UserId, asked: NewSession) -> Session:
        """Safe to repeat: the same user's request id is the same session.

        Raises `Invalid`, `NotFound` for a repository that nothing answers for or an environment
        that is gone, `Conflict`, `Rejected` for settings of sandboxes that do not go together.
        """
        choice = self.catalogue.choose(asked.model, asked.effort)
        session_id = _session_id(user, asked.request_id)
        try:
            target, environment = self._wanted(asked)
        except NotFound as missing:
            return self._opened_before(session_id, asked, missing)
        now = self.clock()
        session = Session(
            id=session_id,
            owner=user,
            target=target,
            model=choice.model,
            effort=choice.effort,
            settings=self.settings.of_session(target),
            environment=environment,
            title=checked_title(asked.title) if asked.title else "",
            created_at=now,
            updated_at=now,
        )
        opened = self.store.create(session, fingerprint(_opening(asked)))
        return self.warm(opened.id) if asked.warm else opened

    def _opened_before(
        self, session_id: SessionId, asked: NewSession, missing: NotFound
    ) -> Session:
        """What it was opened from may have gone since. Raises `missing` when it was not opened."""
        with suppress(NotFound):
            before = self.store.load(session_id)
            return self.store.create(before, fingerprint(_opening(asked)))
        raise missing

    def _wanted(
        self, asked: NewSession | NewChoice
    ) -> tuple[tuple[Repository, ...], Provenance | None]:
        """What is present decides; an environment is copied as it is now."""
        if (asked.environment is None) == (asked.repositories is None):
            raise Invalid("repositories", "name either repositories or an environment")
        if asked.environment is None:
            return self._target(asked.repositories or ()), None
        environment = self.environments.get(EnvironmentId(asked.environment))
        if environment is None:
            raise NotFound(f"no environment {asked.environment!r}")
        return self._reached(environment.repositories), environment.provenance

    def _target(self, asked: Sequence[NewRepository]) -> tuple[Repository, ...]:
        return self._reached(tuple(repository_of(repository) for repository in asked))

    def _reached(self, target: tuple[Repository, ...]) -> tuple[Repository, ...]:
        check_target(target)
        self._check_reachable(target)
        return target

    def _check_reachable(self, target: Sequence[Repository]) -> None:
        """All at once: each is a call to a server that may take its time."""
        if not target:
            return
        with ThreadPoolExecutor(max_workers=len(target)) as pool:
            for _ in pool.map(self.repositories.check, [each.url for each in target]):
                pass

    def choose(self, session_id: SessionId, asked: NewChoice) -> Session:
        """Raises `Rejected` once something was asked of the session, and what `open_session` does.

        A sandbox that was warmed for the old choice is let go, and one is warmed for the new.
        """
        session = self.sessions.load(session_id)
        as_it_was = asked.repositories is None and asked.environment is None
        target, environment = (None, None) if as_it_was else self._wanted(asked)
        same_model = asked.model in {None, session.model}
        effort = asked.effort or (session.effort if same_model else None)
        choice = self.catalogue.choose(asked.model or session.model, effort)
        settings = None if target is None else self.settings.of_session(target)
        chosen = Choose(
            target=target,
            environment=environment,
            settings=settings,
            model=choice.model,
            effort=choice.effort,
        )
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


def _opening(asked: NewSession) -> str:
    """As it was before there were environments, so that an update meets its own request again."""
    return asked.model_dump_json(exclude=None if asked.environment else {"environment"})


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
