"""`.waitForTaskToken` as on AWS: heartbeats, computed timeouts, failing tasks, dead tokens.

MiniStack knows a literal TimeoutSeconds only: HeartbeatSeconds(Path) and TimeoutSecondsPath are
ignored, SendTaskHeartbeat changes nothing, a Lambda that raises while it is handed the token is
overlooked, a retry hands out the same token again, and a stopped execution waits on. `sandbox_life`
is made of these.
"""

import contextvars
import json
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from ministack.core.responses import error_response_json, json_response
from ministack.services import stepfunctions

from infra.local.aws import emulator

assert emulator.VERSION == "1.5.33", "written for the private names of this MiniStack"

_FOR_EVER = float("inf")
_PREFIX = "outboard-task-"

_execution: contextvars.ContextVar[Any] = contextvars.ContextVar("execution", default=None)


class _Ended(SystemExit):
    """Ends the thread of an execution that was stopped, past every Retry and Catch."""


@dataclass(slots=True)
class Wait:
    """One handed-out token: what it waits for, and until when."""

    execution: str
    timeout: float
    heartbeat: float
    started: float = field(default_factory=time.monotonic)
    beaten: float = field(default_factory=time.monotonic)
    outcome: Any = None
    """("success", text) | ("failure", error, cause) | ("ended",); set once."""
    changed: threading.Condition = field(default_factory=threading.Condition)

    def settle(self, *outcome: Any) -> bool:
        with self.changed:
            if self.outcome is not None:
                return False
            self.outcome = outcome
            self.changed.notify_all()
            return True

    def beat(self) -> bool:
        with self.changed:
            self.beaten = time.monotonic()
            return self.outcome is None

    def result(self) -> Any:
        """Blocks, without polling, until there is an outcome; a deadline is one too."""
        with self.changed:
            while self.outcome is None:
                now = time.monotonic()
                if now >= self.started + self.timeout:
                    self.outcome = ("failure", "States.Timeout", "")
                elif now >= self.beaten + self.heartbeat:
                    self.outcome = ("failure", "States.HeartbeatTimeout", "")
                else:
                    self.changed.wait(self._remaining(now))
            return self.outcome

    def _remaining(self, now: float) -> float | None:
        remaining = min(self.started + self.timeout, self.beaten + self.heartbeat) - now
        return None if remaining == _FOR_EVER else min(remaining, threading.TIMEOUT_MAX)


_waits: dict[str, Wait] = {}


def install() -> None:
    _read_deadlines()
    _new_token_for_each_attempt()
    stepfunctions._invoke_with_callback = invoke_with_callback
    stepfunctions._send_task_success = _send_task_success
    stepfunctions._send_task_failure = _send_task_failure
    stepfunctions._send_task_heartbeat = _send_task_heartbeat
    _end_waits_of_stopped_executions()


def invoke_with_callback(resource: str, request: Any, token: str, state: Any) -> Any:
    wait = Wait(
        execution=(_execution.get() or {}).get("executionArn", ""),
        timeout=state.get("TimeoutSeconds", _FOR_EVER),
        heartbeat=state.get("HeartbeatSeconds", _FOR_EVER),
    )
    with _open(token, wait):
        _hand_over(resource.replace(".waitForTaskToken", ""), request, wait)
        return _returned(wait.result())


def _returned(outcome: Any) -> Any:
    match outcome:
        case ("success", text):
            return json.loads(text)
        case ("failure", error, cause):
            raise stepfunctions._ExecutionError(error, cause)
        case _:
            raise _Ended


@contextmanager
def _open(token: str, wait: Wait) -> Generator[None]:
    _waits[token] = wait
    try:
        yield
    finally:
        del _waits[token]


def _hand_over(resource: str, request: Any, wait: Wait) -> None:
    """Invoke the task beside the wait: the callback, or a deadline, may come before it returns."""

    def invoke() -> None:
        try:
            stepfunctions._invoke_resource(resource, request)
        except stepfunctions._ExecutionError as error:
            wait.settle("failure", error.error, error.cause)

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(invoke,), daemon=True).start()


def _send_task_success(data: Any) -> Any:
    output = data.get("output", "")
    try:
        json.loads(output)
    except ValueError:
        return error_response_json("InvalidOutput", "the output is not JSON", 400)
    return _answer(data, "success", output)


def _send_task_failure(data: Any) -> Any:
    return _answer(data, "failure", data.get("error") or "", data.get("cause") or "")


def _answer(data: Any, *outcome: Any) -> Any:
    wait = _waits.get(data.get("taskToken", ""))
    return json_response({}) if wait and wait.settle(*outcome) else _refusal(data)


def _send_task_heartbeat(data: Any) -> Any:
    wait = _waits.get(data.get("taskToken", ""))
    return json_response({}) if wait and wait.beat() else _refusal(data)


def _refusal(data: Any) -> Any:
    if data.get("taskToken", "").startswith(_PREFIX):
        message = "Task Timed Out: 'Provided task does not exist anymore'"
        return error_response_json("TaskTimedOut", message, 400)
    return error_response_json("InvalidToken", "Invalid Token: 'Invalid token'", 400)


def _read_deadlines() -> None:
    execute_task = stepfunctions._execute_task

    def execute(state: Any, given: Any, execution: Any, context: Any) -> Any:
        _execution.set(execution)
        return execute_task(
            with_literal_deadlines(state, given, context), given, execution, context
        )

    stepfunctions._execute_task = execute


def with_literal_deadlines(state: Any, given: Any, context: Any) -> Any:
    """TimeoutSecondsPath and HeartbeatSecondsPath, replaced by what they select from the input."""
    literal = dict(state)
    for name in ("TimeoutSeconds", "HeartbeatSeconds"):
        path = literal.pop(f"{name}Path", None)
        if path is None:
            continue
        effective = stepfunctions._apply_input_path(state, given, context)
        seconds = stepfunctions._resolve_path_or_ctx(path, effective, context)
        if not isinstance(seconds, int) or seconds <= 0:
            cause = f"The {name}Path {path!r} does not select a positive integer"
            raise stepfunctions._ExecutionError("States.Runtime", cause)
        literal[name] = seconds
    return literal


def _new_token_for_each_attempt() -> None:
    """The emulator applies Parameters once per attempt, right before the token is used."""
    apply_parameters = stepfunctions._apply_parameters

    def apply(state: Any, data: Any, context: Any = None) -> Any:
        if ".waitForTaskToken" in state.get("Resource", ""):
            context["Task"] = {"Token": f"{_PREFIX}{uuid4()}"}
        return apply_parameters(state, data, context)

    stepfunctions._apply_parameters = apply


def _end_waits_of_stopped_executions() -> None:
    stop_execution = stepfunctions._stop_execution

    def stop(data: Any) -> Any:
        answer = stop_execution(data)
        for wait in list(_waits.values()):
            if wait.execution == data.get("executionArn"):
                wait.settle("ended")
        return answer

    stepfunctions._stop_execution = stop
