"""The process that a function runs in: one invocation after the other, as Lambda's runtime does it.

It is forked from the nursery and speaks JSON lines over one socket. What the function prints goes
to the log file, each line an object that names the function.
"""

import importlib
import io
import json
import os
import socket
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TextIO

type Handler = Callable[[Any, "Context"], Any]


@dataclass(frozen=True)
class Context:
    """What Lambda hands to a handler beside the event."""

    function_name: str
    function_version: str
    invoked_function_arn: str
    memory_limit_in_mb: str
    aws_request_id: str
    log_group_name: str
    log_stream_name: str
    deadline: float
    identity: None = None
    client_context: None = None

    def get_remaining_time_in_millis(self) -> int:
        return max(0, round((self.deadline - time.time()) * 1000))


class StampedLines(io.TextIOBase):
    """A stream whose every line becomes one JSON object with the function's name in it."""

    encoding = "utf-8"

    def __init__(self, function: str, out: TextIO) -> None:
        self._stamp = json.dumps({"function": function})[:-1]
        self._out = out
        self._partial = ""

    def write(self, s: str) -> int:
        *lines, self._partial = (self._partial + s).split("\n")
        for line in filter(None, lines):
            # One write per line: the file is shared with the other workers and opened for append.
            self._out.write(f"{self._stamp}, {self._members(line)}\n")
            self._out.flush()
        return len(s)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._out.fileno()

    def _members(self, line: str) -> str:
        if line.startswith('{"') and line.endswith("}"):
            return line[1:]
        return f'"message": {json.dumps(line)}}}'


def run(channel: socket.socket, log: int) -> None:
    """Serve one function until the host closes the channel."""
    stream = channel.makefile("rw", encoding="utf-8", newline="\n")
    function = json.loads(stream.readline())
    _become(function, log)
    handler, failure = _load(function["handler"])
    _send(stream, {"failed": failure} if failure else {"ready": True})
    if handler is None:
        return
    for line in stream:
        request = json.loads(line)
        _send(stream, _invoke(handler, request["event"], Context(**request["context"])))


def _become(function: Any, log: int) -> None:
    os.dup2(log, 1)
    os.dup2(log, 2)
    out = os.fdopen(log, "w", encoding="utf-8", errors="replace")
    sys.stdout = sys.stderr = StampedLines(function["name"], out)
    os.environ.clear()
    os.environ.update(function["environment"])
    time.tzset()
    os.chdir(function["path"][0])
    sys.path[:0] = function["path"]


def _load(handler: str) -> tuple[Handler | None, Any]:
    module, _, name = handler.replace("/", ".").rpartition(".")
    try:
        loaded = importlib.import_module(module)
    except ImportError as error:
        failure = _failure(error, "", "Runtime.ImportModuleError")
        return None, {**failure, "errorMessage": f"Unable to import module '{module}': {error}"}
    except Exception as error:  # noqa: BLE001 - whatever a function's module raises is its answer
        return None, _failure(error, "")
    if not hasattr(loaded, name):
        missing = LookupError(f"Handler '{name}' missing on module '{module}'")
        return None, _failure(missing, "", "Runtime.HandlerNotFound")
    return getattr(loaded, name), None


def _invoke(handler: Handler, event: Any, context: Context) -> Any:
    try:
        result = handler(event, context)
    except Exception as error:  # noqa: BLE001 - whatever a handler raises is its answer
        return {"error": _failure(error, context.aws_request_id)}
    try:
        json.dumps(result)
    except (TypeError, ValueError) as error:
        message = f"Unable to marshal response: {error}"
        failure = _failure(error, context.aws_request_id, "Runtime.MarshalError")
        return {"error": {**failure, "errorMessage": message}}
    return {"result": result}


def _failure(error: Exception, request_id: str, error_type: str = "") -> dict[str, Any]:
    """The payload Lambda answers with; also logged, as Lambda does, since nobody else will."""
    failure = {
        "errorMessage": str(error),
        "errorType": error_type or type(error).__name__,
        "requestId": request_id,
        "stackTrace": traceback.format_tb(error.__traceback__),
    }
    sys.stderr.write(json.dumps({"level": "ERROR", **failure}) + "\n")
    return failure


def _send(stream: TextIO, answer: Any) -> None:
    stream.write(json.dumps(answer) + "\n")
    stream.flush()
