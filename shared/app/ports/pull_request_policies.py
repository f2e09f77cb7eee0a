"""How a team wants its pull requests: for all repositories, or for one."""

from dataclasses import dataclass
from typing import Protocol

from shared.domain.repository_url import RepositoryKey


@dataclass(frozen=True, slots=True)
class Policy:
    """`draft`: always, whoever asks. `label`: set when one is opened; empty: none."""

    draft: bool = False
    label: str = ""


NO_POLICY = Policy()


class Policies(Protocol):
    def get(self, repository: RepositoryKey | None) -> Policy | None:
        """Of this repository, or of all (None)."""
        ...

    def put(self, repository: RepositoryKey | None, policy: Policy | None) -> None:
        """The last one wins. None: it has none of its own any more."""
        ...
