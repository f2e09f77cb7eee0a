"""State other than items is on disk before a call that changed it is answered.

MiniStack writes its state files on a graceful stop only, one service after the other. Here each
service is one row, written when a call that is not a mere question has been handled, and all rows
of a stack operation are written in one transaction when the operation is over: a crash in the
middle leaves the stack and everything in it as they were before.
"""

import asyncio
import functools
import hashlib
import importlib
import json
from collections.abc import Awaitable, Callable, Iterable
from typing import Any
from urllib.parse import parse_qs

from ministack import app
from ministack.core import persistence

from infra.local.aws import emulator
from infra.local.aws.ledger import Ledger

assert emulator.VERSION == "1.5.33", "written for the private names of this MiniStack"

type Handler = Callable[..., Awaitable[Any]]

_QUESTIONS = ("BatchGet", "Describe", "Get", "Head", "List", "Query", "Scan", "Test", "Validate")
# Written row by row elsewhere (items, executions), or by the end of the stack operation they start.
_ELSEWHERE = {
    "dynamodb": frozenset({
        *("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"),
        *("ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction", "TransactGetItems"),
    }),
    "states": frozenset({
        *("StartExecution", "StopExecution"),
        *("SendTaskSuccess", "SendTaskFailure", "SendTaskHeartbeat"),
    }),
    "cloudformation": frozenset({"CreateStack", "UpdateStack", "DeleteStack", "ExecuteChangeSet"}),
}  # fmt: skip


_CLOUDFORMATION = "cloudformation"


class Snapshots:
    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._written: dict[str, bytes] = {}

    def restore(self) -> None:
        """All but CloudFormation, which brings every other service's code with it (1.3 s)."""
        for (service,) in self._ledger.read("SELECT service FROM snapshot"):
            if service != _CLOUDFORMATION:
                self.restore_one(service)

    def restore_one(self, service: str) -> None:
        module = app._get_module(app._state_map[service])
        for (body,) in self._ledger.read("SELECT body FROM snapshot WHERE service = ?", service):
            module.load_persisted_state(json.loads(body, object_hook=persistence._json_object_hook))
            self._written[service] = _digest(body)

    def save(self, services: Iterable[str]) -> None:
        with self._ledger.transaction():
            for service, get_state in app._build_persistence_save_dict().items():
                if service in services:
                    self._write(service, get_state())

    def save_stacks(self) -> None:
        """After a stack operation, which may have changed every service; no note is true now."""
        with self._ledger.transaction():
            self.save({row for service in app.SERVICE_HANDLERS for row in _rows(service)})
            self._ledger.write("DELETE FROM deployment")

    def _write(self, service: str, state: Any) -> None:
        if not (state and any(state.values())) and service not in self._written:
            return  # a service that nobody uses need not be imported at the next start
        body = json.dumps(state, default=persistence._json_default)
        if self._written.get(service) != _digest(body):
            self._ledger.write("INSERT OR REPLACE INTO snapshot VALUES (?, ?)", service, body)
            self._written[service] = _digest(body)


def install(snapshots: Snapshots) -> None:
    for service, handler in app.SERVICE_HANDLERS.items():
        app.SERVICE_HANDLERS[service] = _saving(snapshots, service, handler)
    cloudformation = app.SERVICE_HANDLERS[_CLOUDFORMATION]
    app.SERVICE_HANDLERS[_CLOUDFORMATION] = _restored_at_first_use(snapshots, cloudformation)


def _restored_at_first_use(snapshots: Snapshots, handler: Handler) -> Handler:
    awake = asyncio.Lock()
    modules: list[Any] = []

    def wake() -> None:
        snapshots.restore_one(_CLOUDFORMATION)
        for name in ("changesets", "handlers"):
            module: Any = importlib.import_module(f"ministack.services.cloudformation.{name}")
            start = module._create_stack_task_in_region
            module._create_stack_task_in_region = functools.partial(_in_one_piece, snapshots, start)
            modules.append(module)
        for adapter in ("stack_lifecycle", "stack_secrets", "stack_ttl"):
            importlib.import_module(f"infra.local.aws.{adapter}").install()

    async def handle(*request: Any) -> Any:
        async with awake:
            if not modules:
                await asyncio.to_thread(wake)
        return await handler(*request)

    return handle


def _rows(service: str) -> set[str]:
    config: Any = app.SERVICE_REGISTRY[service]
    return {config.get("state_key", config["module"]), *config.get("sub_modules", ())}


def _saving(snapshots: Snapshots, service: str, handler: Handler) -> Handler:
    async def handle(method: str, path: str, headers: Any, body: bytes, query: Any) -> Any:
        answer = await handler(method, path, headers, body, query)
        if changes_state(service, method, path, action(headers, body, query)):
            snapshots.save(_rows(service))
        return answer

    return handle


def action(headers: Any, body: bytes, query: Any) -> str:
    """The operation's name where the protocol names it (JSON and query protocols), else empty."""
    target = headers.get("x-amz-target", "")
    if target:
        return target.rpartition(".")[2]
    if "Action" in query:
        return query["Action"][0]
    if headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return parse_qs(body.decode(errors="replace")).get("Action", [""])[0]
    return ""


def changes_state(service: str, method: str, path: str, operation: str) -> bool:
    if operation:
        asks = operation.startswith(_QUESTIONS)
        return not asks and operation not in _ELSEWHERE.get(service, frozenset())
    invokes = service == "lambda" and path.rstrip("/").endswith("/invocations")
    return method not in {"GET", "HEAD"} and not invokes


def _in_one_piece(
    snapshots: Snapshots, start: Callable[..., None], operation: Awaitable[None], *where: Any
) -> None:
    async def saved() -> None:
        try:
            await operation
        finally:
            snapshots.save_stacks()

    start(saved(), *where)


def _digest(body: str) -> bytes:
    return hashlib.blake2b(body.encode(), digest_size=16).digest()
