"""A table: items read consistently, pages of a query, single writes on a condition."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from pynamodb.connection.base import MetaTable
from pynamodb.expressions.condition import Condition

from shared.adapters.dynamodb import keys
from shared.adapters.dynamodb.database import Database, Step
from shared.adapters.dynamodb.failures import Unknown
from shared.adapters.dynamodb.keys import PK, SK, Index
from shared.adapters.dynamodb.writes import Check, Delete, Item, Put, Update, Write

_OPERATIONS = {Put: "PutItem", Update: "UpdateItem", Delete: "DeleteItem"}
_BATCH = 100
"""How many items one BatchGetItem takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Of one partition, of the table or of an index. Only the table's own is consistent."""

    partition: str
    where: Condition | None = None
    """On the sort key."""
    matching: Condition | None = None
    """On everything else, after reading: it saves no capacity."""
    index: Index | None = None
    newest_first: bool = False
    limit: int | None = None
    only: tuple[str, ...] | None = None
    """These attributes; None: all."""
    start: Item | None = None


@dataclass(frozen=True, slots=True)
class Page:
    items: Sequence[Item]
    next: Item | None
    """Where the next page starts; None: that was all."""


class Table:
    def __init__(self, database: Database, name: str, *indexes: Index) -> None:
        self.database = database
        self._name = name
        self._connection = database.connection
        self._connection.add_meta_table(MetaTable(keys.definition(name, *indexes)))

    def get(self, pk: str, sk: str) -> Item | None:
        answer = self.database.ask(
            partial(self._connection.get_item, self._name, pk, sk, consistent_read=True)
        )
        return answer.get("Item")

    def get_all(self, wanted: Sequence[tuple[str, str]]) -> list[Item]:
        """Those that are there, in any order. Eventually consistent."""
        found: list[Item] = []
        for start in range(0, len(wanted), _BATCH):
            found += self._batch([{PK: pk, SK: sk} for pk, sk in wanted[start : start + _BATCH]])
        return found

    def page(self, query: Query) -> Page:
        """At most 1 MB: a page that is shorter than its limit may have more behind it."""
        answer = self.database.ask(
            partial(
                self._connection.query,
                self._name,
                query.partition,
                range_key_condition=query.where,
                filter_condition=query.matching,
                attributes_to_get=list(query.only) if query.only else None,
                consistent_read=query.index is None,
                exclusive_start_key=query.start,
                index_name=query.index.name if query.index else None,
                limit=query.limit,
                scan_index_forward=not query.newest_first,
            )
        )
        return Page(answer["Items"], answer.get("LastEvaluatedKey"))

    def items(self, query: Query) -> Iterator[Item]:
        """All of them; the next page is asked for when the one before is used up."""
        page = self.page(query)
        yield from page.items
        while page.next is not None:
            page = self.page(replace(query, start=page.next))
            yield from page.items

    def write(self, write: Put | Update | Delete) -> Item:
        """The item as an update has left it or a delete has found it. Raises `Refused`."""
        request = self._request(write)
        if not isinstance(write, Put):
            request["ReturnValues"] = "ALL_NEW" if isinstance(write, Update) else "ALL_OLD"
        operation = _OPERATIONS[type(write)]
        answer = self.database.ask(partial(self._connection.dispatch, operation, request))
        return answer.get("Attributes", {})

    def step(self, name: str, write: Write) -> Step:
        return Step(name, type(write), self._request(write))

    def _request(self, write: Write) -> dict[str, Any]:
        """A refusal shall show what is there."""
        build = partial(
            self._connection.get_operation_kwargs,
            self._name,
            condition=write.condition,
            return_values_on_condition_failure=None if write.condition is None else "ALL_OLD",
        )
        match write:
            case Put(item):
                rest = {name: value for name, value in item.items() if name not in {PK, SK}}
                return build(item[PK]["S"], item[SK]["S"], key="Item", attributes=rest)
            case Update(pk, sk, actions):
                return build(pk, sk, actions=actions)
            case Delete(pk, sk) | Check(pk, sk):
                return build(pk, sk)

    def _batch(self, wanted: list[dict[str, str]]) -> list[Item]:
        found: list[Item] = []
        left: list[Any] = list(wanted)

        def send() -> None:
            answer = self._connection.batch_get_item(self._name, left)
            found.extend(answer["Responses"][self._name])
            left[:] = answer.get("UnprocessedKeys", {}).get(self._name, {}).get("Keys", [])
            if left:
                raise Unknown("UnprocessedKeys")

        self.database.ask(send)
        return found
