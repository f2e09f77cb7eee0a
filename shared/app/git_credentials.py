"""Credentials for one git operation of a sandbox: asked for each time, and kept by nobody here.

What is asked for only chooses among the session's repositories: credentials are made for the
repository's own URL, as the session has it, and never for the one that came in.
"""

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from urllib.parse import urlsplit

from shared.app.ports.forges import Access, Credential, Forge, Forges
from shared.app.ports.rates import Rates
from shared.app.sessions import Sessions
from shared.app.tokens import SandboxClaim
from shared.domain.errors import DomainError, Forbidden, Invalid, Rejected, Unauthenticated
from shared.domain.rate import Rate
from shared.domain.repository_url import RepositoryKey, key
from shared.domain.session.state import Repository, Session

logger = logging.getLogger(__name__)

ASKING = Rate(timedelta(seconds=5), burst=60)
"""Of one attempt. A sandbox keeps what it got for most of an hour, so this is a loop's brake."""


_AMBIGUOUS = re.compile(r"[\\\s\x00-\x1f\x7f#]")


@dataclass(frozen=True, slots=True)
class HostCredential:
    host: str
    credential: Credential


@dataclass(frozen=True, slots=True, kw_only=True)
class GitCredentials:
    sessions: Sessions
    forges: Forges
    rates: Rates
    clock: Callable[[], datetime]

    def of_repository(
        self, by: SandboxClaim, url: str, access: Access, refused: str | None = None
    ) -> Credential | None:
        """None: git needs none there. Raises `Forbidden` for what is not the session's.

        And `Unauthenticated` of a dead attempt, `Rejected` when it asks too often, and what the
        repository's host has to say. `refused`: the digest of what the host no longer took.
        """
        repository = _chosen(self._session(by), url)
        forge = self.forges.of(repository.url)
        found = self._asked(forge, [repository], access)
        if found is None or sha256(found.password.encode()).hexdigest() != refused:
            return found
        forge.forget_credentials([repository.url])
        return self._asked(forge, [repository], access)

    def of_github(self, by: SandboxClaim, url: str | None = None) -> HostCredential | None:
        """For that one repository; else for all that the first one's owner has in the session.

        None: it is not on GitHub, or nothing is. Raises what `of_repository` does.
        """
        session = self._session(by)
        chosen = session.target if url is None else [_chosen(session, url)]
        on_github = [repository for repository in chosen if self._is_on_github(repository)]
        if not on_github:
            return None
        first = on_github[0]
        there = [each for each in on_github if _owner(each) == _owner(first)]
        credential = self._asked(self.forges.of(first.url), there, Access.WORK)
        return credential and HostCredential(_host(first), credential)

    def _is_on_github(self, repository: Repository) -> bool:
        try:
            return self.forges.of(repository.url).kind == "github"
        except Invalid:
            return False

    def _session(self, by: SandboxClaim) -> Session:
        session = self.sessions.load(by.session_id)
        if session.current(by.attempt) is None:
            raise Unauthenticated("this attempt is over")
        now = self.clock()
        name = f"credentials {by.session_id} {by.attempt}"
        if self.rates.reserve(name, now, ASKING, within=timedelta()) > now:
            raise Rejected("git asks for credentials too often; wait a few seconds")
        return session

    def _asked(
        self, forge: Forge, repositories: Sequence[Repository], access: Access
    ) -> Credential | None:
        told = {"repositories": [each.name for each in repositories], "access": access.value}
        try:
            credential = forge.credential([each.url for each in repositories], access)
        except DomainError as error:
            logger.info("no credential", extra={**told, "code": error.code})
            raise
        logger.info("credential", extra={**told, "needed": credential is not None})
        return credential


def _chosen(session: Session, url: str) -> Repository:
    asked = _key(url)
    for repository in session.target:
        if asked is not None and key(repository.url) == asked:
            return repository
    logger.info("no credential", extra={"session_id": session.id, "code": Forbidden.code})
    raise Forbidden("this is no repository of the session's, so there are no credentials for it")


def _key(url: str) -> RepositoryKey | None:
    """None for what programs do not agree on, too: where a host ends, for one."""
    try:
        return None if _AMBIGUOUS.search(url) else key(url)
    except Invalid:
        return None


def _owner(repository: Repository) -> str:
    """With the host: an installation of the App is for what one owner has."""
    return key(repository.url).rpartition("/")[0]


def _host(repository: Repository) -> str:
    return urlsplit(key(repository.url)).netloc
