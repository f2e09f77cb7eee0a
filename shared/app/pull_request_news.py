"""What becomes of pull requests: a webhook tells of one, or somebody looks, and the host is asked.

A session is found by the name of the head branch. The host's own time decides what is newer; of
two words of one tick of its clock it is asked which one holds.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from shared.app.ports.forges import Forges
from shared.app.ports.forges import PullRequest as Told
from shared.app.sessions import Sessions
from shared.domain.errors import DomainError, NotFound
from shared.domain.pull_request import MAX_TITLE_CHARS, PullRequest, PullRequestState
from shared.domain.repository_url import key
from shared.domain.session.commands import RecordPullRequest
from shared.domain.session.pull_requests import known_pull_request
from shared.domain.session.state import Repository, Session, SessionId, UserId

logger = logging.getLogger(__name__)

BRANCHES = "outboard/"
_LONGEST_ID = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequestNews:
    sessions: Sessions
    forges: Forges

    def refresh(self, session_id: SessionId) -> Session:
        """Ask the host about all that may still change. What it does not answer stays as it was."""
        session = self.sessions.load(session_id)
        for known in session.pull_requests:
            repository = named(session, known.repository)
            if known.state is PullRequestState.MERGED or repository is None:
                continue
            if (told := self._asked(repository, known.number)) is not None:
                session = self._record(session_id, repository, told, asked=True)
        return session

    def told(self, url: str, told: Told, *, asked: bool = False) -> bool:
        """Whether it is about a session. `asked`: it is the host's answer, and no webhook.

        Raises `Contended`, `Unavailable`: then it was not taken.
        """
        found = self._session(told.head)
        repository = found and _at(found.target, url)
        if found is None or repository is None:
            return False
        word = to_pull_request(repository.name, told)
        known = known_pull_request(found, word)
        if not asked and known is not None and known.is_unclear(word):
            answer = self._asked(repository, told.number)
            told, asked = (told, False) if answer is None else (answer, True)
        self._record(found.id, repository, told, asked=asked)
        return True

    def _session(self, head: str) -> Session | None:
        session_id = head.removeprefix(BRANCHES)
        if session_id in {head, ""} or len(session_id) > _LONGEST_ID:
            return None
        try:
            return self.sessions.load(SessionId(session_id))
        except NotFound:
            return None

    def _asked(self, repository: Repository, number: int) -> Told | None:
        try:
            return self.forges.of(repository.url).pull_request(repository.url, number)
        except DomainError as error:
            logger.info("pull_request_not_refreshed", extra={"code": error.code})
            return None

    def _record(
        self, session_id: SessionId, repository: Repository, told: Told, *, asked: bool
    ) -> Session:
        word = to_pull_request(repository.name, told)
        return self.sessions.handle(session_id, RecordPullRequest(word, asked=asked))


def named(session: Session, name: str) -> Repository | None:
    return next((known for known in session.target if known.name == name), None)


def to_pull_request(name: str, told: Told, by: UserId | None = None) -> PullRequest:
    return PullRequest(
        repository=name,
        number=told.number,
        url=told.url,
        title=told.title[:MAX_TITLE_CHARS],
        state=PullRequestState(told.state),
        draft=told.draft,
        head=told.head,
        base=told.base,
        head_commit=told.head_commit,
        updated_at=told.updated_at,
        author=by,
    )


def _at(target: Sequence[Repository], url: str) -> Repository | None:
    """Hosts that send webhooks do not tell upper from lower case in a path either."""
    wanted = key(url).lower()
    return next((known for known in target if key(known.url).lower() == wanted), None)
