"""Secrets in the workspace table: an item each, and one for the contents of each scope.

Every change goes with a new version of the contents, so that two of them at once can neither pass
the limits of a scope together nor leave it saying what it does not have.
"""

from collections.abc import Mapping, Sequence

from pynamodb.expressions.operand import Path

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.keys import SECRET, SECRETS, SK
from shared.adapters.dynamodb.table import Query, Table
from shared.adapters.dynamodb.writes import ABSENT, Delete, Item, Put, equals, item, text
from shared.app.ports.sealing import Sealed, SecretsUnavailable
from shared.app.ports.vault import Contents
from shared.domain.errors import Contended
from shared.domain.secrets import Scope

_LOOKS = 3
"""At contents and items, until both are of one version."""


class DynamoVault:
    def __init__(self, workspace: Table) -> None:
        self._workspace = workspace

    def contents(self, scope: Scope) -> Contents:
        found = self._workspace.get(SECRETS, keys.secret_scope(scope))
        return Contents(scope=scope) if found is None else _to_contents(found)

    def scopes(self) -> Sequence[Scope]:
        found = map(_to_contents, self._workspace.items(Query(partition=SECRETS)))
        return [contents.scope for contents in found if contents.entries]

    def sealed(self, scope: Scope) -> Mapping[str, Sealed]:
        for _ in range(_LOOKS):
            names = self.contents(scope).names
            found = self._items(scope) if names else {}
            if found.keys() == names:
                return found
        raise SecretsUnavailable(f"the secrets of {scope} are not complete")

    def change(self, before: Contents, after: Contents, put: Mapping[str, Sealed]) -> None:
        scope, version = keys.secret_scope(after.scope), text(after.version or "")
        contents = item(SECRETS, scope, version=version, contents=text(values.dump(after)))
        as_read = ABSENT if before.version is None else equals("version", text(before.version))
        step, partition = self._workspace.step, keys.secrets(after.scope)
        refusals = self._workspace.database.transact(
            (
                step("contents", Put(contents, as_read)),
                *(
                    step(name, Put(_item(partition, name, sealed), None))
                    for name, sealed in put.items()
                ),
                *(
                    step(name, Delete(partition, keys.secret(name)))
                    for name in before.names - after.names
                ),
            )
        )
        there = refusals.get("contents")
        # Our own version is there when the answer to this very call was lost.
        if refusals and (there is None or there["version"] != version):
            raise Contended(f"the secrets of {after.scope} are being changed by somebody else")

    def _items(self, scope: Scope) -> dict[str, Sealed]:
        where = Path(SK).startswith(SECRET)
        found = self._workspace.items(Query(partition=keys.secrets(scope), where=where))
        return {
            keys.secret_name(row[SK]["S"]): values.load(Sealed, row["sealed"]["S"]) for row in found
        }


def _item(partition: str, name: str, sealed: Sealed) -> Item:
    return item(partition, keys.secret(name), sealed=text(values.dump(sealed)))


def _to_contents(found: Item) -> Contents:
    return values.load(Contents, found["contents"]["S"])
