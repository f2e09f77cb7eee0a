"""A query costs what it reads, not what its partition holds.

MiniStack evaluates a key condition on every item of the partition and sorts them each time: 0.3 s
for a page of 50 out of 20,000, with the one event loop blocked. Here a sorted list of keys is kept
for each partition that is queried, and MiniStack's own query runs on the part of the partition
that the condition, the cursor and the limit can reach. It still decides everything; whatever is
not understood here runs on the whole partition, as before.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ministack.services import dynamodb

from infra.local.aws import conditions, emulator
from infra.local.aws.conditions import Condition

assert emulator.VERSION == "1.5.33", "written for the private names of this MiniStack"

# Below this, sorting the partition again is cheaper than being clever.
_WORTH_IT = 32

type Place = tuple[Any, ...]
type Entry = tuple[Place, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Keys:
    """What an index of a table (or the table itself, index None) is partitioned and sorted by."""

    hash: str
    range: str
    order: tuple[tuple[str, str], ...]
    """Names and types that make a place: the sort key, then the table's own key to break ties."""

    def partition(self, item: Any) -> str | None:
        if self.hash not in item or self.range not in item:
            return None
        return dynamodb._extract_key_val(item[self.hash])

    def place(self, item: Any) -> Place:
        return tuple(dynamodb._index_order_value(item, name, kind) for name, kind in self.order)


def keys_of(table: Any, index: str | None) -> Keys | None:
    """None where there is no single sort key to go by."""
    if index is None:
        hashes, ranges = [table["pk_name"]], [table["sk_name"]]
    else:
        hashes, ranges = dynamodb._index_key_lists(dynamodb._index_def(table, index) or {})
    if len(hashes) != 1 or len(ranges) != 1 or not ranges[0]:
        return None
    if index is None:
        order = [(ranges[0], dynamodb._get_attr_type(table, ranges[0]))]
    else:
        order = dynamodb._index_order_keys(table, ranges)
    return Keys(hashes[0], ranges[0], tuple(order))


class SortedPartitions:
    """The sorted keys of every partition that has been queried since the start."""

    def __init__(self) -> None:
        self._indexes: dict[str, dict[str | None, tuple[Keys, dict[str, list[Entry]]]]] = {}

    def of(self, table: Any, index: str | None, keys: Keys, partition: str) -> list[Entry]:
        indexes = self._indexes.setdefault(table["TableId"], {})
        known, partitions = indexes.get(index, (None, {}))
        if known != keys:  # first seen, or made again with other keys
            partitions = {}
            indexes[index] = (keys, partitions)
        if partition not in partitions:
            partitions[partition] = sorted(_entries(table, index, keys, partition))
        return partitions[partition]

    def add(self, table: Any, key: tuple[str, str], item: Any) -> None:
        for keys, partitions in self._indexes.get(table["TableId"], {}).values():
            entries = partitions.get(keys.partition(item) or "")
            if entries is not None:
                insort(entries, (keys.place(item), key))

    def remove(self, table: Any, key: tuple[str, str], item: Any) -> None:
        for keys, partitions in self._indexes.get(table["TableId"], {}).values():
            entries = partitions.get(keys.partition(item) or "")
            if entries is not None:
                del entries[bisect_left(entries, (keys.place(item), key))]

    def forget(self, table: Any) -> None:
        self._indexes.pop(table["TableId"], None)


def _entries(table: Any, index: str | None, keys: Keys, partition: str) -> Iterator[Entry]:
    if index is None:
        for sk, item in table["items"].get(partition, {}).items():
            yield keys.place(item), (partition, sk)
        return
    members = dynamodb._index_members(table).get(index, {})
    for pk, sk in members.get(partition, ()):
        yield keys.place(table["items"][pk][sk]), (pk, sk)


def install() -> None:
    """Called under the ledger's lock only: `items` wraps these functions once more."""
    partitions = SortedPartitions()
    _follow_writes(partitions)
    stock_query = dynamodb._query

    def query(data: Any) -> Any:
        table = dynamodb._tables.get(dynamodb._normalize_table_name(data.get("TableName")))
        part = table and reachable(partitions, table, data)
        if not part:
            return stock_query(data)
        with _only(table, data.get("IndexName"), *part):
            return stock_query(data)

    dynamodb._query = query


def _follow_writes(partitions: SortedPartitions) -> None:
    set_item, remove_item = dynamodb._set_item, dynamodb._remove_item
    items_replaced = dynamodb._items_replaced

    def set_and_sort(table: Any, pk: Any, sk: Any, item: Any) -> Any:
        old = set_item(table, pk, sk, item)
        if old is not None:
            partitions.remove(table, (pk, sk), old)
        partitions.add(table, (pk, sk), item)
        return old

    def remove_and_sort(table: Any, pk: Any, sk: Any) -> Any:
        old = remove_item(table, pk, sk)
        if old is not None:
            partitions.remove(table, (pk, sk), old)
        return old

    def replace_and_forget(table: Any) -> None:
        items_replaced(table)
        partitions.forget(table)

    dynamodb._set_item, dynamodb._remove_item = set_and_sort, remove_and_sort
    dynamodb._items_replaced = replace_and_forget


def reachable(
    partitions: SortedPartitions, table: Any, data: Any
) -> tuple[str, list[tuple[str, str]]] | None:
    """The partition a query reads and the keys it can reach; None to leave it to MiniStack."""
    index = data.get("IndexName")
    keys = keys_of(table, index)
    given = conditions.parse(data)
    if keys is None or given is None or given.keys() - {keys.hash, keys.range}:
        return None
    partition = _equal_to(given.get(keys.hash))
    if partition is None or not _large(table, index, partition):
        return None
    entries = partitions.of(table, index, keys, partition)
    low, high = _bounds(entries, keys, given.get(keys.range))
    low, high = _after_cursor(entries, keys, data, low, high)
    return partition, _page(table, entries, low, high, data)


def _equal_to(condition: Condition | None) -> str | None:
    if condition is None or condition.operator != "=":
        return None
    return dynamodb._extract_key_val(condition.values[0])


def _large(table: Any, index: str | None, partition: str) -> bool:
    if index is None:
        return len(table["items"].get(partition, ())) >= _WORTH_IT
    members = dynamodb._index_members(table).get(index, {})
    return len(members.get(partition, ())) >= _WORTH_IT


def _bounds(entries: list[Entry], keys: Keys, condition: Condition | None) -> tuple[int, int]:
    if condition is None:
        return 0, len(entries)
    kind = keys.order[0][1]
    values = [dynamodb._sort_key_value(value, kind) for value in condition.values]
    before = bisect_left(entries, values[0], key=_sort_value)
    after = bisect_right(entries, values[-1], key=_sort_value)
    match condition.operator:
        case "<":
            return 0, before
        case "<=":
            return 0, after
        case ">":
            return after, len(entries)
        case ">=":
            return before, len(entries)
        case "begins_with":
            return before, bisect_right(entries, values[0], key=_sort_prefix(len(values[0])))
        case _:  # "=" and BETWEEN
            return before, after


def _sort_value(entry: Entry) -> Any:
    return entry[0][0]


def _sort_prefix(length: int) -> Callable[[Entry], Any]:
    return lambda entry: entry[0][0][:length]


def _after_cursor(
    entries: list[Entry], keys: Keys, data: Any, low: int, high: int
) -> tuple[int, int]:
    cursor = data.get("ExclusiveStartKey")
    if not cursor or any(name not in cursor for name, _ in keys.order):
        return low, high
    place = keys.place(cursor)
    if data.get("ScanIndexForward", True):
        return max(low, bisect_right(entries, place, key=_place)), high
    return low, min(high, bisect_left(entries, place, key=_place))


def _place(entry: Entry) -> Place:
    return entry[0]


def _page(
    table: Any, entries: list[Entry], low: int, high: int, data: Any
) -> list[tuple[str, str]]:
    """One more than the page can hold, so that MiniStack sees for itself that it stopped early."""
    forward = data.get("ScanIndexForward", True)
    limit, index = data.get("Limit"), data.get("IndexName")
    counts = index is None or _projects_all(table, index)
    keys: list[tuple[str, str]] = []
    size = 0
    for place in range(low, high) if forward else range(high - 1, low - 1, -1):
        pk, sk = entries[place][1]
        keys.append((pk, sk))
        size += dynamodb._item_size_bytes(table["items"][pk][sk]) if counts else 0
        if size > dynamodb._DDB_PAGE_SIZE_BYTES or len(keys) - 1 == limit:
            break
    return keys


def _projects_all(table: Any, index: str) -> bool:
    index_def = dynamodb._index_def(table, index) or {}
    return index_def.get("Projection", {}).get("ProjectionType") == "ALL"


@contextmanager
def _only(
    table: Any, index: str | None, partition: str, keys: list[tuple[str, str]]
) -> Generator[None]:
    """Let the table look as if it held these items and no others."""
    items, members = table["items"], table.get(dynamodb._INDEX_MEMBERS)
    few: dict[str, dict[str, Any]] = {}
    for pk, sk in keys:
        few.setdefault(pk, {})[sk] = items[pk][sk]
    table["items"] = few
    if index is not None:
        table[dynamodb._INDEX_MEMBERS] = {index: {partition: dict.fromkeys(keys)}}
    try:
        yield
    finally:
        table["items"] = items
        if index is not None:
            table[dynamodb._INDEX_MEMBERS] = members
