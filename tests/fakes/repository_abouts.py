"""What people say about repositories, in memory."""

from shared.app.ports.repository_abouts import About
from shared.domain.repository_url import RepositoryKey
from tests.fakes.store_memory import Memory


class InMemoryRepositoryAbouts:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def get(self, repository: RepositoryKey) -> About:
        return self._memory.abouts.get(repository, About())

    def put(self, repository: RepositoryKey, about: About) -> None:
        with self._memory.writing():
            self._memory.abouts[repository] = about
