"""API Gateway's HTTP API events say a request's cookies in a list of their own.

MiniStack leaves them in the header, where AWS has none, and the event without the list.
"""

from collections.abc import Callable
from typing import Any

from ministack.services import apigateway, lambda_svc

from infra.local.aws import emulator

assert emulator.VERSION == "1.5.33", "written for the private names of this MiniStack"

_PAYLOAD = "2.0"
"""Only HTTP APIs have it: events of sockets and of authorizers have no version or another."""


def install() -> None:
    apigateway.run_reentrant = _handing_over_cookies(apigateway.run_reentrant)


def _handing_over_cookies(run: Callable[..., Any]) -> Callable[..., Any]:
    def run_with_cookies(function: Any, *arguments: Any, **options: Any) -> Any:
        if function is lambda_svc._execute_function_with_config_scope:
            record, event, *rest = arguments
            arguments = (record, with_cookies(event), *rest)
        return run(function, *arguments, **options)

    return run_with_cookies


def with_cookies(event: Any) -> Any:
    if event.get("version") != _PAYLOAD or "cookie" not in event.get("headers", {}):
        return event
    headers = dict(event["headers"])
    cookies = [pair.strip() for pair in headers.pop("cookie").split(";")]
    return {**event, "headers": headers, "cookies": [pair for pair in cookies if pair]}
