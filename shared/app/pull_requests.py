"""Opens pull requests as the person who asked; `pull_request_news` follows what becomes of them.

The host is asked first whether one is open for this head and base, and refuses a second one
itself: two calls at once, and a call after one whose answer was lost, come to the same one.
"""

import logging
from dataclasses import dataclass, replace

from shared.app.ports.forges import Forge, Forges, NewPullRequest, PullRequestChange
from shared.app.ports.forges import PullRequest as Told
from shared.app.ports.pull_request_policies import NO_POLICY, Policies, Policy
from shared.app.ports.user_tokens import UserTokens
from shared.app.pull_request_news import named, to_pull_request
from shared.app.sessions import Sessions
from shared.domain.errors import Conflict, DomainError, Invalid, Rejected, Unauthenticated
from shared.domain.pull_request import (
    MAX_TITLE_CHARS,
    PullRequest,
    PullRequestOffer,
)
from shared.domain.repository_url import key
from shared.domain.session.commands import OfferPullRequest, RecordPullRequest
from shared.domain.session.state import Repository, Session, SessionId, UserId
from shared.protocol import pull_requests as wire

logger = logging.getLogger(__name__)

FOOTER = "Opened with [Outboard]"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One of the two; `updated`: it was open already."""

    pull_request: PullRequest | None = None
    offer: PullRequestOffer | None = None
    updated: bool = False
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Asked:
    """What was asked, made whole. `title` and `body` empty: none was given."""

    session: Session
    repository: Repository
    base: str
    title: str
    body: str
    draft: bool
    by: UserId

    @property
    def head(self) -> str:
        return self.session.session_branch


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequests:
    """`session_url`: a session's page, with `{}` where its id goes; empty: there are no pages."""

    sessions: Sessions
    forges: Forges
    user_tokens: UserTokens
    policies: Policies
    session_url: str

    def open(self, session_id: SessionId, asked: wire.NewPullRequest, by: UserId) -> Outcome:
        """Safe to repeat: there is one open pull request of a head and base.

        Raises `Invalid`, `NotFound`, `Rejected`, of which `ForgeRefused`, `Unavailable`.
        """
        session = self.sessions.load(session_id)
        repository = _repository(session, asked.repository)
        if session.pushed(repository.name) is None:
            raise Rejected(f"{repository.name}: nothing was pushed, so there is nothing to open")
        return self._open(session, repository, asked, by)

    def _open(
        self, session: Session, repository: Repository, asked: wire.NewPullRequest, by: UserId
    ) -> Outcome:
        forge = self.forges.of(repository.url)
        policy = self._policy(repository)
        whole = self._whole(session, repository, asked, policy, by)
        outcome = self._opened(forge, whole)
        if outcome.pull_request is None:
            return outcome
        known = self.sessions.handle(
            session.id, RecordPullRequest(outcome.pull_request, asked=True)
        )
        outcome = replace(outcome, pull_request=_as_known(known, outcome.pull_request))
        if outcome.updated or not policy.label:
            return outcome
        return self._labelled(forge, repository, outcome, policy.label)

    def open_as_running(
        self, session_id: SessionId, attempt: int, asked: wire.NewPullRequest
    ) -> Outcome:
        """For the agent: as the author of the prompt that runs, as it is stored.

        Its sandbox has just pushed, and the word of that may still be on its way: the host knows.
        """
        session = self.sessions.load(session_id)
        if session.current(attempt) is None:
            raise Unauthenticated("this attempt is over")
        if session.running is None:
            raise Rejected("no prompt is running: nobody has asked for a pull request")
        repository = _repository(session, asked.repository)
        return self._open(session, repository, asked, session.running.prompt.author.user)

    def _policy(self, repository: Repository) -> Policy:
        """The repository's, else everybody's; nothing is opened while it can't be read."""
        return self.policies.get(key(repository.url)) or self.policies.get(None) or NO_POLICY

    def _whole(
        self,
        session: Session,
        repository: Repository,
        asked: wire.NewPullRequest,
        policy: Policy,
        by: UserId,
    ) -> _Asked:
        base = asked.base or repository.branch or self._default_branch(repository)
        if base == session.session_branch:
            raise Invalid("base", "it is the session's own branch")
        draft = policy.draft if asked.draft is None else asked.draft or policy.draft
        title, body = _line(asked.title), asked.body if asked.body.strip() else ""
        return _Asked(session, repository, base, title, body, draft, by)

    def _default_branch(self, repository: Repository) -> str:
        return self.forges.of(repository.url).repository(repository.url).default_branch

    def _opened(self, forge: Forge, asked: _Asked) -> Outcome:
        url = asked.repository.url
        token = self.user_tokens.token(asked.by, forge.kind)
        known = forge.open_pull_request(url, asked.head, asked.base)
        if known is not None:
            return self._updated(forge, asked, known, token)
        if token is None:
            return self._offered(forge, asked)
        title = asked.title or _line(asked.session.title)
        if not title:
            raise Invalid("title", "a pull request needs one")
        new = NewPullRequest(
            title=title,
            body=self._with_footer(asked),
            head=asked.head,
            base=asked.base,
            draft=asked.draft,
        )
        try:
            told = forge.create_pull_request(url, new, token=token)
        except Conflict:
            known = forge.open_pull_request(url, asked.head, asked.base)
            if known is None:
                raise
            return self._updated(forge, asked, known, token)
        except Unauthenticated:
            return self._offered(forge, asked)
        return Outcome(to_pull_request(asked.repository.name, told, asked.by))

    def _updated(self, forge: Forge, asked: _Asked, known: Told, token: str | None) -> Outcome:
        """What is not given stays as it is, be it somebody's own words at the host."""
        change = PullRequestChange(
            title=asked.title or None, body=self._with_footer(asked) if asked.body else None
        )
        if change != PullRequestChange():
            known = _changed(forge, asked.repository.url, known.number, change, token)
        return Outcome(to_pull_request(asked.repository.name, known), updated=True)

    def _offered(self, forge: Forge, asked: _Asked) -> Outcome:
        link = forge.manual_link(asked.repository.url, head=asked.head, base=asked.base)
        if link is None:
            raise Rejected(f"{asked.repository.name}: its host has no pull requests")
        offer = PullRequestOffer(
            repository=asked.repository.name,
            head=asked.head,
            base=asked.base,
            url=link,
            at=self.sessions.clock(),
        )
        self.sessions.handle(asked.session.id, OfferPullRequest(offer))
        return Outcome(offer=offer)

    def _labelled(
        self, forge: Forge, repository: Repository, outcome: Outcome, label: str
    ) -> Outcome:
        assert outcome.pull_request is not None
        try:
            forge.label(repository.url, outcome.pull_request.number, label)
        except DomainError as error:
            return replace(outcome, warnings=(f"the label {label!r} was not set: {error}",))
        return outcome

    def _with_footer(self, asked: _Asked) -> str:
        if not self.session_url:
            return asked.body
        link = f"{FOOTER}({self.session_url.format(asked.session.id)})"
        return f"{asked.body.rstrip()}\n\n---\n{link}".lstrip()


def _changed(
    forge: Forge, url: str, number: int, change: PullRequestChange, token: str | None
) -> Told:
    """With a token that is not taken any more it is as with none."""
    try:
        return forge.update_pull_request(url, number, change, token=token)
    except Unauthenticated:
        return forge.update_pull_request(url, number, change, token=None)


def _line(text: str) -> str:
    return " ".join(text.split())[:MAX_TITLE_CHARS]


def _as_known(session: Session, told: PullRequest) -> PullRequest:
    """With whose it is; as told where a session knows of too many."""
    return next((known for known in session.pull_requests if known.key == told.key), told)


def _repository(session: Session, name: str | None) -> Repository:
    """Raises `Invalid`, `Rejected`."""
    if name is not None:
        repository = named(session, name)
        if repository is None:
            raise Invalid("repository", f"{name!r} is not in this session")
        return repository
    match session.target:
        case ():
            raise Rejected("this session has no repository")
        case (only,):
            return only
        case several:
            names = ", ".join(repository.name for repository in several)
            raise Invalid("repository", f"which one: {names}?")
