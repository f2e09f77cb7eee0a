"""Leases workers: one invocation at a time in each, a bounded number for each function."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from threading import Condition
from typing import Any

from infra.local.aws.lambdas.deployed import Function
from infra.local.aws.lambdas.process import Exited, InitFailed, TimedOut, Worker

_KEPT_IDLE = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Answer:
    result: Any = None
    error: Any = None
    """The payload of a function error: errorType, errorMessage, stackTrace; None if it returned."""


class Pool:
    """An invocation beyond the bound waits for its turn; a laptop is not an AWS account."""

    def __init__(self, spawn: Callable[[Function], Worker], limit: int) -> None:
        self._spawn = spawn
        self._limit = limit
        self._idle: dict[str, list[Worker]] = defaultdict(list)
        self._busy: Counter[str] = Counter()
        self._changed = Condition()

    def invoke(self, function: Function, event: Any, request_id: str) -> Answer:
        with self._turn(function):
            try:
                worker = self._worker(function)
            except InitFailed as failure:
                return Answer(error={**failure.error, "requestId": request_id})
            except (Exited, TimedOut) as failure:
                return Answer(error=_end_of_process(failure, function, request_id))
            return self._invoke(worker, event, request_id)

    def retire(self, name: str) -> None:
        """End the idle workers of a function; a busy one ends when its lease does."""
        with self._changed:
            workers = self._idle.pop(name, [])
        for worker in workers:
            worker.kill()

    def reap(self, kept: timedelta = _KEPT_IDLE) -> None:
        oldest = time.monotonic() - kept.total_seconds()
        with self._changed:
            old = [w for idle in self._idle.values() for w in idle if w.idle_since < oldest]
            for worker in old:
                self._idle[worker.function.name].remove(worker)
        for worker in old:
            worker.kill()

    @contextmanager
    def _turn(self, function: Function) -> Any:
        with self._changed:
            self._changed.wait_for(lambda: self._busy[function.name] < self._limit)
            self._busy[function.name] += 1
        try:
            yield
        finally:
            with self._changed:
                self._busy[function.name] -= 1
                self._changed.notify_all()

    def _worker(self, function: Function) -> Worker:
        """The one that was busy last, if it runs this revision; else a new one."""
        with self._changed:
            idle = self._idle[function.name]
            worker = idle.pop() if idle else None
        if worker is None:
            return self._spawn(function)
        if worker.function.revision != function.revision:
            worker.kill()
            return self._worker(function)
        return worker

    def _invoke(self, worker: Worker, event: Any, request_id: str) -> Answer:
        function = worker.function
        try:
            answer = worker.invoke(event, _context(function, request_id))
        except (Exited, TimedOut) as failure:
            worker.kill()
            return Answer(error=_end_of_process(failure, function, request_id))
        worker.idle_since = time.monotonic()
        with self._changed:
            self._idle[function.name].append(worker)
        return Answer(result=answer.get("result"), error=answer.get("error"))


def _context(function: Function, request_id: str) -> dict[str, Any]:
    return {
        "function_name": function.name,
        "function_version": "$LATEST",
        "invoked_function_arn": function.arn,
        "memory_limit_in_mb": str(function.memory),
        "aws_request_id": request_id,
        "log_group_name": function.log_group,
        "log_stream_name": function.name,
    }


def _end_of_process(failure: Exception, function: Function, request_id: str) -> dict[str, str]:
    if isinstance(failure, TimedOut):
        seconds = function.timeout.total_seconds()
        message = f"RequestId: {request_id} Error: Task timed out after {seconds:.2f} seconds"
        return {"errorType": "Sandbox.Timedout", "errorMessage": message}
    message = f"RequestId: {request_id} Error: Runtime exited without providing a reason"
    return {"errorType": "Runtime.ExitError", "errorMessage": message}
