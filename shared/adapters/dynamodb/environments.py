"""Environments: an item each, and one beside it by which its name is taken.

What is left of one that was deleted is an item of its key without an environment, which expires.
"""

from collections.abc import Sequence
from datetime import datetime

from pynamodb.expressions.operand import Path

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.database import Refusals, Step
from shared.adapters.dynamodb.keys import ENVIRONMENTS, SK
from shared.adapters.dynamodb.table import Query, Table
from shared.adapters.dynamodb.writes import (
    ABSENT,
    Delete,
    Item,
    Put,
    Update,
    assign,
    equals,
    item,
    number,
    text,
)
from shared.domain.environment import Environment, name_key
from shared.domain.errors import Conflict, Contended, NotFound
from shared.domain.session.state import EnvironmentId

OUTDATED = "this environment has changed since it was read; read it again"


class DynamoEnvironments:
    def __init__(self, workspace: Table) -> None:
        self._workspace = workspace

    def create(self, environment: Environment, fingerprint: str) -> Environment:
        new = item(
            *_key(environment.id),
            version=text(environment.version),
            environment=text(values.dump(environment)),
            fingerprint=text(fingerprint),
        )
        taken = self._workspace.step("name", _name(environment))
        steps = (self._workspace.step("environment", Put(new, ABSENT)), taken)
        refusals = self._workspace.database.transact(steps)
        if (there := refusals.get("environment")) is not None:
            if there["fingerprint"] != text(fingerprint):
                raise Conflict("this request id was used before, with other content")
            if not _is_there(there):
                raise NotFound(f"environment {environment.name!r} was deleted since")
            return _to_environment(there)
        _check_name(environment, refusals)
        return environment

    def get(self, environment_id: EnvironmentId) -> Environment | None:
        found = self._workspace.get(*_key(environment_id))
        return _to_environment(found) if found and _is_there(found) else None

    def all(self) -> Sequence[Environment]:
        where = Path(SK).startswith(keys.environment(""))
        found = filter(_is_there, self._workspace.items(Query(partition=ENVIRONMENTS, where=where)))
        return sorted(map(_to_environment, found), key=lambda each: name_key(each.name))

    def replace(self, environment: Environment, *, instead_of: str) -> None:
        before = self.get(environment.id)
        if before is None:
            raise NotFound(f"no environment {environment.id!r}")
        if before.version == environment.version:
            return  # this very call, whose answer was lost
        if before.version != instead_of:
            raise Conflict(OUTDATED)
        steps = (self._changed(environment, instead_of), *self._renamed(before, environment))
        refusals = self._workspace.database.transact(steps)
        if "environment" in refusals:
            raise Conflict(OUTDATED)
        _check_name(environment, refusals)

    def delete(self, environment_id: EnvironmentId, remembered_until: datetime) -> None:
        found = self._workspace.get(*_key(environment_id))
        if found is None or not _is_there(found):
            return
        before = _to_environment(found)
        left = item(
            *_key(environment_id),
            fingerprint=found["fingerprint"],
            expires_at=number(int(remembered_until.timestamp())),
        )
        put = Put(left, equals("version", text(before.version)))
        steps = (self._workspace.step("environment", put), self._freed(before))
        if self._workspace.database.transact(steps) and self.get(environment_id) is not None:
            raise Contended(f"{before.name!r} is being changed by somebody else")

    def _changed(self, environment: Environment, instead_of: str) -> Step:
        """The fingerprint stays."""
        change = assign(
            version=text(environment.version), environment=text(values.dump(environment))
        )
        unchanged = equals("version", text(instead_of))
        update = Update(*_key(environment.id), change, unchanged)
        return self._workspace.step("environment", update)

    def _renamed(self, before: Environment, after: Environment) -> tuple[Step, ...]:
        if name_key(before.name) == name_key(after.name):
            return ()
        return self._freed(before), self._workspace.step("name", _name(after))

    def _freed(self, environment: Environment) -> Step:
        return self._workspace.step("old name", Delete(*_name_key(environment)))


def _key(environment_id: EnvironmentId) -> tuple[str, str]:
    return ENVIRONMENTS, keys.environment(environment_id)


def _name_key(environment: Environment) -> tuple[str, str]:
    return ENVIRONMENTS, keys.environment_name(name_key(environment.name))


def _name(environment: Environment) -> Put:
    return Put(item(*_name_key(environment), of=text(environment.id)), ABSENT)


def _check_name(environment: Environment, refusals: Refusals) -> None:
    if refusals:
        raise Conflict(f"there is an environment {environment.name!r} already")


def _is_there(found: Item) -> bool:
    return "environment" in found


def _to_environment(found: Item) -> Environment:
    return values.load(Environment, found["environment"]["S"])
