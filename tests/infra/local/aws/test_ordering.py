"""A narrowed query answers what the emulator's own would, and reads no more than it must."""

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ministack.services import dynamodb

from infra.local.aws import ordering

_TABLE = "ordering-things"

unhurried = settings(deadline=None, max_examples=25)


@pytest.fixture(scope="module")
def queries() -> Iterator[tuple[Any, Any]]:
    """The emulator's query before and after the adapter is installed, in this process."""
    names = ("_query", "_set_item", "_remove_item", "_items_replaced")
    stock = {name: getattr(dynamodb, name) for name in names}
    ordering.install()
    yield stock["_query"], dynamodb._query
    for name, function in stock.items():
        setattr(dynamodb, name, function)
    dynamodb._tables.pop(_TABLE, None)


def _new_table(items: list[dict[str, Any]], sort_type: str = "S") -> None:
    dynamodb._tables.pop(_TABLE, None)
    dynamodb._create_table({
        "TableName": _TABLE,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": _schema("PK", "SK"),
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": kind}
            for name, kind in {"PK": "S", "SK": sort_type, "group": "S", "rank": "N"}.items()
        ],
        "GlobalSecondaryIndexes": [{
            "IndexName": "ranked",
            "KeySchema": _schema("group", "rank"),
            "Projection": {"ProjectionType": "ALL"},
        }],
    })  # fmt: skip
    for item in items:
        dynamodb._put_item({"TableName": _TABLE, "Item": item})


def _schema(partition: str, sort: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": partition, "KeyType": "HASH"},
        {"AttributeName": sort, "KeyType": "RANGE"},
    ]


_sort_keys = st.text("abcé\U0001f600#", min_size=1, max_size=3)
_numbers = st.integers(-20, 20)
_comparisons = st.sampled_from(["=", "<", "<=", ">", ">="])


@st.composite
def _items(draw: st.DrawFn) -> list[dict[str, Any]]:
    keys = draw(st.lists(_sort_keys, min_size=40, max_size=45, unique=True))
    return [
        {
            "PK": {"S": "p"},
            "SK": {"S": key},
            "group": {"S": "g"},
            "rank": {"N": str(draw(_numbers))},
        }
        for key in keys
    ]


@st.composite
def _condition(draw: st.DrawFn, name: str, kind: str, values: st.SearchStrategy[Any]) -> Any:
    """A key condition on the sort key, in one of the ways a client writes it."""
    low, high = sorted([draw(values), draw(values)])
    shapes = ["compare", "between", *(["prefix"] if kind == "S" else [])]
    match draw(st.sampled_from(shapes)):
        case "compare":
            return f"#sk {draw(_comparisons)} :low", {":low": {kind: str(low)}}
        case "between":
            bounds = {":low": {kind: str(low)}, ":high": {kind: str(high)}}
            return "#sk BETWEEN :low AND :high", bounds
        case _:
            return "begins_with (#sk, :low)", {":low": {kind: str(low)}}


@st.composite
def _query(draw: st.DrawFn, index: bool) -> dict[str, Any]:
    partition, sort = ("group", "rank") if index else ("PK", "SK")
    kind, values = ("N", _numbers) if index else ("S", _sort_keys)
    expression, given_values = draw(_condition(sort, kind, values))
    form = draw(st.sampled_from(["#pk = :pk AND {}", "(#pk = :pk) AND ({})", "(#pk = :pk AND {})"]))
    return {
        "TableName": _TABLE,
        **({"IndexName": "ranked"} if index else {}),
        "KeyConditionExpression": form.format(expression),
        "ExpressionAttributeNames": {"#pk": partition, "#sk": sort},
        "ExpressionAttributeValues": {**given_values, ":pk": {"S": "g" if index else "p"}},
        "ScanIndexForward": draw(st.booleans()),
        **draw(st.sampled_from([{}, {"Limit": 3}, {"Limit": 7}, {"Limit": 100}])),
    }


def _pages(query: Any, request: dict[str, Any]) -> list[Any]:
    pages: list[Any] = []
    cursor: dict[str, Any] = {}
    while True:
        status, _, body = query({**request, **cursor})
        page = json.loads(body)
        pages.append((status, page))
        if "LastEvaluatedKey" not in page:
            return pages
        cursor = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


@unhurried
@given(items=_items(), request_=_query(index=False))
def test_a_table_is_paged_through_as_before(
    queries: tuple[Any, Any], items: list[Any], request_: Any
) -> None:
    stock, narrowed = queries
    _new_table(items)

    assert _pages(narrowed, request_) == _pages(stock, request_)


@unhurried
@given(items=_items(), request_=_query(index=True))
def test_an_index_is_paged_through_as_before(
    queries: tuple[Any, Any], items: list[Any], request_: Any
) -> None:
    stock, narrowed = queries
    _new_table(items)

    assert _pages(narrowed, request_) == _pages(stock, request_)


@unhurried
@given(items=_items(), gone=st.sets(st.integers(0, 39), max_size=20), request_=_query(index=True))
def test_sorted_keys_follow_every_write(
    queries: tuple[Any, Any], items: list[Any], gone: set[int], request_: Any
) -> None:
    stock, narrowed = queries
    _new_table(items)
    narrowed(request_)  # from here on the sorted keys are kept up to date, not made anew

    for number in gone:
        key = {name: items[number][name] for name in ("PK", "SK")}
        dynamodb._delete_item({"TableName": _TABLE, "Key": key})
    for item in items[::3]:
        dynamodb._put_item({"TableName": _TABLE, "Item": {**item, "rank": {"N": "0"}}})

    assert _pages(narrowed, request_) == _pages(stock, request_)


def test_numbers_sort_as_numbers(queries: tuple[Any, Any]) -> None:
    stock, narrowed = queries
    items = [{"PK": {"S": "p"}, "SK": {"N": str(number)}} for number in range(50)]
    _new_table(items, sort_type="N")
    request = {
        "TableName": _TABLE,
        "KeyConditionExpression": "PK = :p AND SK >= :n",
        "ExpressionAttributeValues": {":p": {"S": "p"}, ":n": {"N": "9"}},
    }

    answer = _pages(narrowed, request)

    assert answer == _pages(stock, request)
    assert answer[0][1]["Count"] == 41


@pytest.mark.parametrize("expression", ["PK = :p AND :n < SK", "PK = :p AND size(SK) > :n", "PK"])
def test_what_is_not_understood_is_left_to_the_emulator(
    queries: tuple[Any, Any], expression: str
) -> None:
    stock, narrowed = queries
    _new_table([{"PK": {"S": "p"}, "SK": {"S": f"{number:02}"}} for number in range(50)])
    request = {
        "TableName": _TABLE,
        "KeyConditionExpression": expression,
        "ExpressionAttributeValues": {":p": {"S": "p"}, ":n": {"S": "1"}},
    }

    assert narrowed(request)[0] == stock(request)[0]


@pytest.mark.parametrize(
    ("condition", "most"),
    [("SK > :sk", 11), ("begins_with(SK, :sk)", 11), ("SK BETWEEN :sk AND :sk", 1)],
)
def test_a_query_costs_the_same_in_a_partition_of_any_size(
    queries: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch, condition: str, most: int
) -> None:
    _, narrowed = queries
    evaluated: list[int] = []
    evaluate = dynamodb._evaluate_condition

    def counting(*arguments: Any, **options: Any) -> Any:
        evaluated[-1] += 1
        return evaluate(*arguments, **options)

    monkeypatch.setattr(dynamodb, "_evaluate_condition", counting)
    for size in (100, 20_000):
        _new_table([])
        table = dynamodb._tables[_TABLE]
        table["items"] = defaultdict(dict)
        for number in range(size):
            key = f"LOG#{number:06}"
            table["items"]["p"][key] = {"PK": {"S": "p"}, "SK": {"S": key}}
        dynamodb._items_replaced(table)
        evaluated.append(0)
        narrowed({
            "TableName": _TABLE,
            "KeyConditionExpression": f"PK = :p AND {condition}",
            "ExpressionAttributeValues": {":p": {"S": "p"}, ":sk": {"S": f"LOG#{size // 2:06}"}},
            "Limit": 10,
        })  # fmt: skip

    assert evaluated[0] == evaluated[1] <= most


def test_a_page_without_a_limit_ends_at_a_megabyte(queries: tuple[Any, Any]) -> None:
    stock, narrowed = queries
    text = {"S": "x" * 30_000}
    _new_table([{"PK": {"S": "p"}, "SK": {"S": f"{n:03}"}, "text": text} for n in range(100)])
    request = {
        "TableName": _TABLE,
        "KeyConditionExpression": "PK = :p",
        "ExpressionAttributeValues": {":p": {"S": "p"}},
    }

    answer = _pages(narrowed, request)

    assert answer == _pages(stock, request)
    assert [page["Count"] for _, page in answer] == [34, 34, 32]
