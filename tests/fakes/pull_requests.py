"""What pull requests stand on: people's tokens, and how a team wants them."""

from dataclasses import dataclass, field

from shared.app.ports.pull_request_policies import Policy
from shared.domain.repository_url import RepositoryKey
from shared.domain.session.state import UserId
from tests.fakes.store_memory import Memory


@dataclass
class FakeUserTokens:
    tokens: dict[tuple[UserId, str], str] = field(default_factory=dict[tuple[UserId, str], str])
    failure: Exception | None = None

    def token(self, user: UserId, kind: str) -> str | None:
        if self.failure is not None:
            raise self.failure
        return self.tokens.get((user, kind))


class InMemoryPolicies:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def get(self, repository: RepositoryKey | None) -> Policy | None:
        return self._memory.policies.get(repository)

    def put(self, repository: RepositoryKey | None, policy: Policy | None) -> None:
        with self._memory.writing():
            if policy is None:
                self._memory.policies.pop(repository, None)
            else:
                self._memory.policies[repository] = policy
