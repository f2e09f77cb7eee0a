"""DynamoDB items are on disk before a write is answered.

MiniStack keeps items in memory and saves them on a graceful stop only: `kill -9` would lose every
one since the start. Here one API call is one SQLite transaction, and one lock is held around each
operation, so a reader never sees half of a TransactWriteItems. The idempotency tokens of
transactions are kept too: an SDK that repeats a call after a crash must not apply it twice.
"""

import functools
import hashlib
import json
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ministack.core.responses import get_account_id, get_region
from ministack.services import dynamodb

from infra.local.aws import emulator
from infra.local.aws.ledger import Ledger

assert emulator.VERSION == "1.5.33", "written for the private names of this MiniStack"

type Operation = Callable[[Any], Any]

_OPERATIONS = (
    "_batch_execute_statement",
    "_batch_get_item",
    "_batch_write_item",
    "_create_table",
    "_delete_item",
    "_delete_table",
    "_execute_statement",
    "_execute_transaction",
    "_get_item",
    "_put_item",
    "_query",
    "_scan",
    "_transact_get_items",
    "_transact_write_items",
    "_update_item",
    "_update_table",
)

_PUT = "INSERT OR REPLACE INTO item VALUES (?, ?, ?, ?)"
_DELETE = "DELETE FROM item WHERE tbl = ? AND pk = ? AND sk = ?"


def restore(ledger: Ledger) -> int:
    """Fill the restored tables; items of tables that are gone go with them. Returns how many."""
    tables = {_table_id(table): table for table in dynamodb._tables.all_values()}
    for table in tables.values():
        table["items"] = defaultdict(dict)
    for (gone,) in ledger.read("SELECT DISTINCT tbl FROM item"):
        if gone not in tables:
            ledger.write("DELETE FROM item WHERE tbl = ?", gone)
    loaded = 0
    for table_id, pk, sk, body in ledger.read("SELECT tbl, pk, sk, body FROM item"):
        tables[table_id]["items"][pk][sk] = json.loads(body)
        loaded += 1
    for table in tables.values():
        dynamodb._items_replaced(table)
    _restore_tokens(ledger)
    return loaded


def install(ledger: Ledger) -> None:
    _write_through(ledger)
    _keep_tokens(ledger)
    dynamodb.get_state = functools.partial(_state_without_items, ledger, dynamodb.get_state)
    for name in _OPERATIONS:
        setattr(dynamodb, name, _one_transaction(ledger, getattr(dynamodb, name)))


def _one_transaction(ledger: Ledger, operation: Operation) -> Operation:
    @functools.wraps(operation)
    def in_transaction(data: Any) -> Any:
        with ledger.transaction():
            return operation(data)

    return in_transaction


def _write_through(ledger: Ledger) -> None:
    set_item, remove_item = dynamodb._set_item, dynamodb._remove_item
    items_replaced = dynamodb._items_replaced

    def set_and_write(table: Any, pk: Any, sk: Any, item: Any) -> Any:
        with ledger.transaction():
            ledger.write(_PUT, _table_id(table), pk, sk, _dumped(item))
            return set_item(table, pk, sk, item)

    def remove_and_write(table: Any, pk: Any, sk: Any) -> Any:
        with ledger.transaction():
            ledger.write(_DELETE, _table_id(table), pk, sk)
            return remove_item(table, pk, sk)

    def replace_and_write(table: Any) -> None:
        with ledger.transaction():
            ledger.write("DELETE FROM item WHERE tbl = ?", _table_id(table))
            for pk, partition in table["items"].items():
                for sk, item in partition.items():
                    ledger.write(_PUT, _table_id(table), pk, sk, _dumped(item))
            items_replaced(table)

    dynamodb._set_item = set_and_write
    dynamodb._remove_item = remove_and_write
    dynamodb._items_replaced = replace_and_write


def _state_without_items(ledger: Ledger, get_state: Callable[[], Any]) -> Any:
    """The definitions of the tables; the items are in the ledger already, one by one."""
    with ledger.transaction():
        tables = list(dynamodb._tables.all_values())
        held = [table["items"] for table in tables]
        try:
            for table in tables:
                table["items"] = {}
            return get_state()
        finally:
            for table, items in zip(tables, held, strict=True):
                table["items"] = items


@dataclass(frozen=True, slots=True, eq=False)
class _Fingerprint:
    """Stands for the request that a token was used with, of which MiniStack would keep it all."""

    digest: str

    @classmethod
    def of(cls, request: Any) -> "_Fingerprint":
        return cls(hashlib.blake2b(_dumped(request).encode(), digest_size=16).hexdigest())

    def __eq__(self, other: object) -> bool:
        return _Fingerprint.of(other).digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)


def _keep_tokens(ledger: Ledger) -> None:
    store = dynamodb._txn_token_store

    def store_and_write(token: str, entry: Any) -> None:
        entry["signature"] = _Fingerprint.of(entry["signature"])
        store(token, entry)
        body = _dumped({**entry, "signature": entry["signature"].digest})
        ledger.write(
            "INSERT OR REPLACE INTO request_token VALUES (?, ?, ?, ?, ?)",
            *(get_account_id(), get_region(), token, body, entry["completed_at"]),
        )

    dynamodb._txn_token_store = store_and_write


def _restore_tokens(ledger: Ledger) -> None:
    forget_tokens(ledger)
    for account, region, token, body in ledger.read(
        "SELECT account, region, token, body FROM request_token"
    ):
        entry = json.loads(body)
        entry["signature"] = _Fingerprint(entry["signature"])
        dynamodb._txn_idempotency.set_scoped(account, region, token, entry)


def forget_tokens(ledger: Ledger) -> None:
    """Drop the tokens that DynamoDB would no longer remember either."""
    oldest = time.time() - dynamodb._TXN_TOKEN_TTL
    ledger.write("DELETE FROM request_token WHERE completed_at < ?", oldest)


def _table_id(table: Any) -> str:
    """Not the name: a table that is deleted and made again starts empty."""
    return table["TableId"]


def _dumped(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
