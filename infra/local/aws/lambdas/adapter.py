"""Functions run in our workers, and fail as on AWS.

MiniStack reports every failing function as Runtime.HandlerError and ends its worker, so Retry and
Catch by class name never match; it waits 50 ms for log lines after each call, runs all messages of
a WebSocket route through one worker, keeps log lines and metrics in memory for ever, and shows the
text of an exception to the HTTP client.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ministack.core import lambda_runtime
from ministack.services import lambda_svc

from infra.local.aws import emulator
from infra.local.aws.lambdas.deployed import Machine
from infra.local.aws.lambdas.pool import Pool

assert emulator.VERSION == "1.5.33", "written for the private names of this MiniStack"


def install(machine: Machine, pool: Pool, before_functions: Callable[[], None]) -> None:
    """`before_functions` is called when a function is deployed, well before its first call."""

    def execute(record: Any, event: Any, request_id: str) -> Any:
        answer = pool.invoke(machine.function(record), event, request_id)
        if answer.error is not None:
            return {"body": answer.error, "error": True, "function_error": "Unhandled", "log": ""}
        return {"body": answer.result, "log": ""}

    def retire(name: str, *_: Any, **__: Any) -> None:
        pool.retire(name)
        before_functions()

    lambda_svc._execute_function_warm = execute
    lambda_svc.invalidate_worker = lambda_runtime.invalidate_worker = retire
    lambda_runtime.get_or_create_worker = _socket_route(machine, pool)
    _say_nothing_of_the_error(lambda_svc.lambda_execute_result_to_api_proxy_response)
    _keep_no_telemetry()


@dataclass(frozen=True, slots=True)
class _SocketRoute:
    """Stands where MiniStack expects the one worker of a WebSocket route."""

    machine: Machine
    pool: Pool
    record: Any

    def invoke(self, event: Any, request_id: str) -> Any:
        answer = self.pool.invoke(self.machine.function(self.record), event, request_id)
        if answer.error is None:
            return {"status": "ok", "result": answer.result}
        body = {
            "message": "Internal server error",
            "connectionId": event["requestContext"]["connectionId"],
            "requestId": request_id,
        }
        return {"status": "ok", "result": {"statusCode": 500, "body": json.dumps(body)}}


def _socket_route(machine: Machine, pool: Pool) -> Callable[..., _SocketRoute]:
    def route(_name: str, config: Any, code_zip: bytes, **_: Any) -> _SocketRoute:
        return _SocketRoute(machine, pool, {"config": config, "code_zip": code_zip})

    return route


def _say_nothing_of_the_error(to_response: Callable[[Any], Any]) -> None:
    def respond(outcome: Any) -> Any:
        if not outcome.get("error"):
            return to_response(outcome)
        body = json.dumps({"message": "Internal Server Error"})
        headers = {"Content-Type": "application/json"}
        return {"statusCode": 500, "headers": headers, "body": body}, None

    lambda_svc.lambda_execute_result_to_api_proxy_response = respond


def _keep_no_telemetry() -> None:
    def nothing(*_: Any, **__: Any) -> None:
        pass

    lambda_svc._emit_lambda_logs = lambda_svc._emit_lambda_metrics = nothing
