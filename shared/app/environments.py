"""Environments: made, changed and deleted by anybody of the workspace, and told of a session."""

import base64
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from shared.app.desk import fingerprint, repository_of
from shared.app.ports.environments import EnvironmentStore
from shared.app.ports.repositories import Repositories
from shared.app.sessions import Sessions
from shared.domain.environment import (
    Environment,
    checked_description,
    checked_name,
    checked_repositories,
)
from shared.domain.errors import NotFound, Rejected
from shared.domain.repository_url import key
from shared.domain.session.state import EnvironmentId, Repository, Session, SessionId, UserId
from shared.protocol.environments import EnvironmentChange, NewEnvironment, NewEnvironmentOfSession

REMEMBERED = timedelta(days=30)
"""That there was one: as long as a request that is repeated is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Environments:
    store: EnvironmentStore
    sessions: Sessions
    repositories: Repositories
    clock: Callable[[], datetime]
    new_id: Callable[[], str]

    def create(self, by: UserId, asked: NewEnvironment) -> Environment:
        """Safe to repeat: the same user's request id is the same environment.

        Raises `Invalid`, `NotFound` for a repository that nothing answers for and when it was
        deleted since, `Conflict` also for a name that is taken.
        """
        repositories = [repository_of(each) for each in asked.repositories]
        return self._create(by, asked, repositories, fingerprint(asked.model_dump_json()))

    def save(
        self, by: UserId, session_id: SessionId, asked: NewEnvironmentOfSession
    ) -> Environment:
        """The repositories of a session under a name; the session stays what it is.

        Raises what `create` does, and `Rejected` for a session that works on none.
        """
        session = self.sessions.load(session_id)
        if not session.target:
            raise Rejected("this session works on no repository, so there is nothing to save")
        content = fingerprint(f"{session_id} {asked.model_dump_json()}")
        return self._create(by, asked, session.target, content)

    def edit(
        self, by: UserId, environment_id: EnvironmentId, asked: EnvironmentChange
    ) -> Environment:
        """Safe to repeat. Sessions that were opened from it keep what they have.

        Raises what `create` does, and `Conflict` when somebody else has changed it meanwhile.
        """
        before = self.get(environment_id)
        after = Environment(
            id=before.id,
            name=checked_name(asked.name),
            description=checked_description(asked.description),
            repositories=checked_repositories([repository_of(it) for it in asked.repositories]),
            created_at=before.created_at,
            created_by=before.created_by,
            updated_at=self.clock(),
            updated_by=by,
            version=self.new_id(),
        )
        if before.says(after):
            return before
        known = {key(each.url) for each in before.repositories}
        self._check([each for each in after.repositories if key(each.url) not in known])
        self.store.replace(after, instead_of=asked.version)
        return after

    def delete(self, environment_id: EnvironmentId) -> None:
        """Safe to repeat. Sessions that were opened from it go on."""
        self.store.delete(environment_id, self.clock() + REMEMBERED)

    def all(self) -> Sequence[Environment]:
        return self.store.all()

    def get(self, environment_id: EnvironmentId) -> Environment:
        """Raises `NotFound`."""
        environment = self.store.get(environment_id)
        if environment is None:
            raise NotFound(f"no environment {environment_id!r}")
        return environment

    def of_session(self, session: Session) -> Environment | None:
        """As it is now. None: it is gone, or the session never had one."""
        if session.environment is None:
            return None
        return self.store.get(session.environment.environment)

    def _create(
        self,
        by: UserId,
        asked: NewEnvironment | NewEnvironmentOfSession,
        repositories: Sequence[Repository],
        content: str,
    ) -> Environment:
        now = self.clock()
        environment = Environment(
            id=_environment_id(by, asked.request_id),
            name=checked_name(asked.name),
            description=checked_description(asked.description),
            repositories=checked_repositories(repositories),
            created_at=now,
            created_by=by,
            updated_at=now,
            updated_by=by,
            version=self.new_id(),
        )
        self._check(environment.repositories)
        return self.store.create(environment, content)

    def _check(self, repositories: Sequence[Repository]) -> None:
        """All at once: ten that are slow to answer are one that is. The first refusal counts."""
        if not repositories:
            return
        with ThreadPoolExecutor(len(repositories), thread_name_prefix="check") as pool:
            list(pool.map(self.repositories.check, [each.url for each in repositories]))


def _environment_id(user: UserId, request_id: str) -> EnvironmentId:
    """Eighty random-looking bits that a repeated request finds again."""
    digest = sha256(f"environment\n{user}\n{request_id}".encode()).digest()
    return EnvironmentId(f"env_{base64.b32encode(digest).decode().lower()[:16]}")
