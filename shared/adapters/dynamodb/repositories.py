"""The repositories that were worked on or registered: one item of the workspace table each."""

from collections.abc import Sequence
from datetime import datetime

from pynamodb.expressions.operand import Path

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.failures import Refused
from shared.adapters.dynamodb.keys import REPOSITORIES
from shared.adapters.dynamodb.table import Query, Table
from shared.adapters.dynamodb.writes import ABSENT, PRESENT, Item, Put, Update, assign, item, text
from shared.app.ports.repositories import Remembered
from shared.domain.repository_url import key
from shared.domain.session.state import Repository


class DynamoRepositories:
    def __init__(self, workspace: Table) -> None:
        self._workspace = workspace

    def register(self, repository: Repository, now: datetime) -> Remembered:
        used_at = Path("used_at")
        actions = assign(repository=text(values.dump(repository)))
        update = Update(*_key(repository), [*actions, used_at.set(used_at | _instant(now))])
        return _to_remembered(self._workspace.write(update))

    def use(self, repository: Repository, now: datetime) -> None:
        used = assign(used_at=_instant(now))
        try:
            self._workspace.write(Update(*_key(repository), used, PRESENT))
        except Refused:
            self._remember(repository, now)

    def all(self, *, limit: int) -> Sequence[Remembered]:
        found = map(_to_remembered, self._workspace.items(Query(partition=REPOSITORIES)))
        return sorted(found, key=lambda known: known.used_at, reverse=True)[:limit]

    def _remember(self, repository: Repository, now: datetime) -> None:
        written = {"repository": text(values.dump(repository)), "used_at": _instant(now)}
        try:
            self._workspace.write(Put(item(*_key(repository), **written), ABSENT))
        except Refused:
            return  # somebody else used it first, and just now


def _key(repository: Repository) -> tuple[str, str]:
    return REPOSITORIES, keys.repository_item(key(repository.url))


def _instant(moment: datetime) -> dict[str, str]:
    return {"S": keys.instant(moment)}


def _to_remembered(found: Item) -> Remembered:
    repository = values.load(Repository, found["repository"]["S"])
    return Remembered(repository, datetime.fromisoformat(found["used_at"]["S"]))
