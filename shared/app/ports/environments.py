"""Where the workspace's environments are kept: each under its id, and no two under one name."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from shared.domain.environment import Environment
from shared.domain.session.state import EnvironmentId


class EnvironmentStore(Protocol):
    def create(self, environment: Environment, fingerprint: str) -> Environment:
        """Safe to repeat: the same fingerprint is answered with what has become of it since.

        Raises `Conflict` when the name is taken, or the id by another fingerprint, and `NotFound`
        when it was deleted since.
        """
        ...

    def get(self, environment_id: EnvironmentId) -> Environment | None:
        """Consistent."""
        ...

    def all(self) -> Sequence[Environment]:
        """By name; consistent."""
        ...

    def replace(self, environment: Environment, *, instead_of: str) -> None:
        """Raises `NotFound`, and `Conflict` when that version is not the one there or the name
        belongs to another.
        """
        ...

    def delete(self, environment_id: EnvironmentId, remembered_until: datetime) -> None:
        """Gone is fine, and the name is free again. Raises `Contended`.

        Until then a creation that is repeated does not make it again.
        """
        ...
