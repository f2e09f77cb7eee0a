"""DynamoDB on this machine, as a subprocess of the tests, and a network that can be made bad."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
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


@contextmanager
def served() -> Generator[str]:
    """The endpoint of a MiniStack of our own."""
    port = _free_port()
    environment = {
        **os.environ,
        "GATEWAY_PORT": str(port),
        "BIND_HOST": "127.0.0.1",
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        "LOG_LEVEL": "WARNING",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "ministack"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _await(f"http://127.0.0.1:{port}/_ministack/health", process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=30)


@dataclass
class BadNetwork:
    """Between the adapter's client and DynamoDB: loses requests and answers as `faults` says.

    It also counts what is sent.
    """

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


class _Body:
    def __init__(self, content: bytes) -> None:
        self._content = content

    def stream(self, *_: Any, **__: Any) -> Iterator[bytes]:
        yield self._content


def _conflict(request: AWSRequest, operation: str) -> AWSResponse:
    """As DynamoDB says that another transaction is at one of the items."""
    answer: dict[str, Any] = {"__type": "TransactionConflictException", "message": "conflict"}
    if operation == "TransactWriteItems":
        others = len(json.loads(request.body or "")["TransactItems"]) - 1
        reasons = [{"Code": "TransactionConflict"}, *({"Code": "None"},) * others]
        answer = {"__type": "TransactionCanceledException", "CancellationReasons": reasons}
    headers = {"content-type": "application/x-amz-json-1.0"}
    return AWSResponse(request.url, 400, headers, _Body(json.dumps(answer).encode()))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _await(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"MiniStack ended with {process.returncode}")
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("MiniStack did not come up in 60 seconds")
