"""The choices about sandboxes: one item of the workspace table for each level."""

from collections.abc import Sequence

from pynamodb.expressions.operand import Path

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.failures import Refused
from shared.adapters.dynamodb.keys import SETTINGS, SK
from shared.adapters.dynamodb.table import Query, Table
from shared.adapters.dynamodb.writes import ABSENT, Delete, Item, Put, equals, item, text
from shared.app.ports.sandbox_settings import Chosen
from shared.domain.errors import Conflict
from shared.domain.repository_url import RepositoryKey

OUTDATED = "these settings have changed since they were read; read them again"


class DynamoSettings:
    def __init__(self, workspace: Table) -> None:
        self._workspace = workspace

    def get(self, repository: RepositoryKey | None) -> Chosen | None:
        found = self._workspace.get(SETTINGS, keys.sandbox_settings(repository))
        return None if found is None else _to_chosen(found)

    def of_repositories(self) -> Sequence[Chosen]:
        where = Path(SK).startswith(keys.SANDBOX_OF_REPOSITORY)
        found = map(_to_chosen, self._workspace.items(Query(partition=SETTINGS, where=where)))
        return sorted(found, key=lambda chosen: chosen.repository or "")

    def put(self, chosen: Chosen, *, instead_of: str | None) -> None:
        row = item(
            SETTINGS,
            keys.sandbox_settings(chosen.repository),
            version=text(chosen.version),
            chosen=text(values.dump(chosen)),
        )
        condition = ABSENT if instead_of is None else equals("version", text(instead_of))
        try:
            self._workspace.write(Put(row, condition))
        except Refused as refused:
            # Our own version is there when the answer to this very call was lost.
            if refused.item is None or refused.item["version"] != text(chosen.version):
                raise Conflict(OUTDATED) from None

    def remove(self, repository: RepositoryKey, version: str) -> None:
        key = keys.sandbox_settings(repository)
        try:
            self._workspace.write(Delete(SETTINGS, key, equals("version", text(version))))
        except Refused as refused:
            if refused.item is not None:
                raise Conflict(OUTDATED) from None


def _to_chosen(found: Item) -> Chosen:
    return values.load(Chosen, found["chosen"]["S"])
