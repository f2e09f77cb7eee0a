"""Environments in memory."""

from collections.abc import Sequence
from datetime import datetime

from shared.domain.environment import Environment, name_key
from shared.domain.errors import Conflict, NotFound
from shared.domain.session.state import EnvironmentId
from tests.fakes.store_memory import Memory


class InMemoryEnvironments:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def create(self, environment: Environment, fingerprint: str) -> Environment:
        with self._memory.writing():
            if (there := self._memory.environments.get(environment.id)) is not None:
                if there[1] != fingerprint:
                    raise Conflict("this request id was used before, with other content")
                return there[0]
            if (gone := self._memory.deleted_environments.get(environment.id)) is not None:
                if gone != fingerprint:
                    raise Conflict("this request id was used before, with other content")
                raise NotFound(f"environment {environment.name!r} was deleted since")
            self._check_name(environment)
            self._memory.environments[environment.id] = (environment, fingerprint)
            return environment

    def get(self, environment_id: EnvironmentId) -> Environment | None:
        there = self._memory.environments.get(environment_id)
        return there[0] if there else None

    def all(self) -> Sequence[Environment]:
        found = [environment for environment, _ in self._memory.environments.values()]
        return sorted(found, key=lambda each: name_key(each.name))

    def replace(self, environment: Environment, *, instead_of: str) -> None:
        with self._memory.writing():
            there = self._memory.environments.get(environment.id)
            if there is None:
                raise NotFound(f"no environment {environment.id!r}")
            if there[0].version not in {instead_of, environment.version}:
                raise Conflict("this environment has changed since it was read")
            self._check_name(environment)
            self._memory.environments[environment.id] = (environment, there[1])

    def delete(self, environment_id: EnvironmentId, remembered_until: datetime) -> None:
        """It is remembered for ever."""
        with self._memory.writing():
            there = self._memory.environments.pop(environment_id, None)
            if there is not None:
                self._memory.deleted_environments[environment_id] = there[1]

    def _check_name(self, environment: Environment) -> None:
        wanted = name_key(environment.name)
        others = (each for each in self.all() if each.id != environment.id)
        if any(name_key(each.name) == wanted for each in others):
            raise Conflict(f"there is an environment {environment.name!r} already")
