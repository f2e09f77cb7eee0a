"""What is sent to DynamoDB, counted on the wire: requests by operation, and what AWS would bill."""

import json
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil
from threading import Lock
from typing import Any

from botocore.awsrequest import AWSPreparedRequest
from pynamodb.connection import Connection

READS = ("GetItem", "Query", "BatchGetItem")
_WRITE_UNIT, _READ_UNIT = 1024, 4 * 1024


@dataclass(slots=True)
class Count:
    operations: Counter[str] = field(default_factory=Counter[str])
    write_units: int = 0
    """From the size of the requests, which are a little larger than the items that they write."""
    read_units: int = 0
    """From the size of the answers, all taken for consistent reads."""
    _lock: Lock = field(default_factory=Lock)

    @property
    def reads(self) -> int:
        return sum(self.operations[name] for name in READS)

    def _sent(self, request: AWSPreparedRequest, event_name: str, **_: Any) -> None:
        operation = event_name.rpartition(".")[2]
        units = 0 if operation in READS else _written(operation, request.body or b"")
        with self._lock:
            self.operations[operation] += 1
            self.write_units += units

    def _answered(self, http_response: Any, event_name: str, **_: Any) -> None:
        if event_name.rpartition(".")[2] in READS:
            with self._lock:
                self.read_units += max(1, ceil(len(http_response.content) / _READ_UNIT))


@contextmanager
def counted(connection: Connection) -> Generator[Count]:
    count = Count()
    events = connection.client.meta.events
    hooks = {"before-send.dynamodb": count._sent, "after-call.dynamodb": count._answered}
    for event, hook in hooks.items():
        events.register(event, hook)
    try:
        yield count
    finally:
        for event, hook in hooks.items():
            events.unregister(event, hook)


def _written(operation: str, body: bytes | str) -> int:
    """A transaction's writes cost twice as much."""
    if operation != "TransactWriteItems":
        return ceil(len(body) / _WRITE_UNIT)
    steps = json.loads(body)["TransactItems"]
    return sum(2 * ceil(len(json.dumps(step)) / _WRITE_UNIT) for step in steps)
