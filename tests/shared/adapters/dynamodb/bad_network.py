"""A network between the adapter and DynamoDB that can be made bad, and that counts."""

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import local
from typing import Any

from botocore.awsrequest import AWSRequest, AWSResponse
from botocore.exceptions import ConnectTimeoutError, ReadTimeoutError
from pynamodb.connection import Connection

from tests.fakes.store_faults import Fault, Faults

WRITES = ("PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems")


@dataclass
class BadNetwork:
    """Loses requests and answers of a client as `faults` says; `counts` what is sent."""

    faults: Faults
    counts: dict[str, int] = field(default_factory=dict)
    _thread: local = field(default_factory=local)

    @contextmanager
    def on(self, connection: Connection) -> Generator[None]:
        events = connection.client.meta.events
        hooks = {"before-send.dynamodb": self._sending, "response-received.dynamodb": self._heard}
        for event, hook in hooks.items():
            events.register(event, hook)
        try:
            yield
        finally:
            for event, hook in hooks.items():
                events.unregister(event, hook)

    def _sending(self, request: AWSRequest, event_name: str, **_: Any) -> AWSResponse | None:
        operation = event_name.rpartition(".")[2]
        fault = self.faults.meet() if operation in WRITES else None
        if fault is Fault.DROPPED:
            raise ConnectTimeoutError(endpoint_url=request.url)
        if fault is Fault.CONFLICT:
            return _conflict(request, operation)
        self.counts[operation] = self.counts.get(operation, 0) + 1
        self._thread.deaf = fault is Fault.LOST
        return None

    def _heard(self, **_: Any) -> None:
        if getattr(self._thread, "deaf", False):
            self._thread.deaf = False
            raise ReadTimeoutError(endpoint_url="dynamodb")


def answer(request: AWSRequest, status: int, body: dict[str, Any]) -> AWSResponse:
    """As it comes from DynamoDB, without DynamoDB."""
    headers = {"content-type": "application/x-amz-json-1.0"}
    return AWSResponse(request.url, status, headers, _Body(json.dumps(body).encode()))


class _Body:
    def __init__(self, content: bytes) -> None:
        self._content = content

    def stream(self, *_: Any, **__: Any) -> Iterator[bytes]:
        yield self._content


def _conflict(request: AWSRequest, operation: str) -> AWSResponse:
    """As DynamoDB says that another transaction is at one of the items."""
    body: dict[str, Any] = {"__type": "TransactionConflictException", "message": "conflict"}
    if operation == "TransactWriteItems":
        others = len(json.loads(request.body or "")["TransactItems"]) - 1
        reasons = [{"Code": "TransactionConflict"}, *({"Code": "None"},) * others]
        body = {"__type": "TransactionCanceledException", "CancellationReasons": reasons}
    return answer(request, 400, body)
