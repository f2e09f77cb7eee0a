"""The frame around every WebSocket function: routes, logging, parsing, and errors as frames.

A WebSocket has no status codes: a refused message is answered with a frame over the socket, and
only an unexpected failure is let through to API Gateway.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from shared.app.ports.connections import Gone
from shared.domain.errors import DomainError
from shared.edge.errors import http_status
from shared.edge.log import logger

type Event = Mapping[str, Any]
type Answer = dict[str, Any]
type LambdaHandler = Callable[[dict[str, Any], Any], Answer]

MAX_LOGGED_REASON = 300


@dataclass(frozen=True, slots=True)
class Caller:
    """What the authorizer of `$connect` established; it comes with every message."""

    connection_id: str
    context: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Routes:
    """The three routes of a WebSocket API."""

    connect: Callable[[Caller, Event], None]
    disconnect: Callable[[Caller], None]
    message: Callable[[Caller, str], None]


def websocket(routes: Callable[[], Routes]) -> LambdaHandler:
    """Make the routes one Lambda handler; `routes` is called on each event and may be cached."""

    def lambda_handler(event: dict[str, Any], _context: Any) -> Answer:
        request = event["requestContext"]
        caller = Caller(request["connectionId"], request.get("authorizer") or {})
        logger.set_correlation_id(caller.connection_id)
        match request["eventType"]:
            case "CONNECT":
                return _connect(routes(), caller, event)
            case "DISCONNECT":
                routes().disconnect(caller)
            case _:
                _message(routes(), caller, event.get("body") or "")
        return {"statusCode": HTTPStatus.OK}

    return lambda_handler


def _message(routes: Routes, caller: Caller, body: str) -> None:
    try:
        routes.message(caller, body)
    except Gone:
        logger.info("nobody_to_answer")  # whoever asked has left: no failure, and no alarm


def _connect(routes: Routes, caller: Caller, event: Event) -> Answer:
    try:
        routes.connect(caller, event)
    except DomainError as error:
        logger.info("connect_refused", code=error.code, reason=str(error)[:MAX_LOGGED_REASON])
        return {"statusCode": http_status(error)}
    return {"statusCode": HTTPStatus.OK}


def header(event: Event, name: str) -> str | None:
    """A request header, whatever its case."""
    headers: Mapping[str, str] = event.get("headers") or {}
    return next((value for key, value in headers.items() if key.lower() == name), None)


def query(event: Event, name: str) -> str | None:
    parameters: Mapping[str, str] = event.get("queryStringParameters") or {}
    return parameters.get(name)


def allow(event: Event, principal: str, context: Mapping[str, str]) -> Answer:
    """The authorizer's yes: API Gateway hands `context` to every route of the connection."""
    return _policy("Allow", event, principal, context)


def deny(event: Event) -> Answer:
    return _policy("Deny", event, "nobody", {})


def _policy(effect: str, event: Event, principal: str, context: Mapping[str, str]) -> Answer:
    statement = {
        "Action": "execute-api:Invoke",
        "Effect": effect,
        "Resource": event["methodArn"],
    }
    return {
        "principalId": principal,
        "policyDocument": {"Version": "2012-10-17", "Statement": [statement]},
        "context": dict(context),
    }
