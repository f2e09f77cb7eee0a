"""The frame around the HTTP function: who asks, our errors as JSON, the API's own description."""

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response, content_types
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError
from aws_lambda_powertools.event_handler.openapi.models import (
    APIKey,
    HTTPBearer,
    SecurityScheme,
    Server,
)
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2

from shared.app.app import App
from shared.app.ports.workspace import User
from shared.domain.errors import DomainError, Invalid
from shared.edge.errors import http_status
from shared.edge.http import cookies
from shared.edge.http.reading import unreadable
from shared.edge.http.visit import Visit
from shared.edge.log import logger
from shared.protocol.api import ErrorView

TITLE = "Outboard"
VERSION = "0.1.0"
PREFIX = "/api"
"""Beside the pages, which have every other address of the same API Gateway."""

ALWAYS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "x-content-type-options": "nosniff",
}
"""Of an answer that does not say otherwise: nobody keeps it, and nothing in it is a page."""

_COOKIE = APIKey.model_validate({"in": "cookie", "name": cookies.name("", loopback=False)})

type Routes = APIGatewayHttpResolver


def resolver(*routers: APIGatewayHttpRouter) -> Routes:
    """A resolver with these routers, for `http` to make a handler of."""
    routes = APIGatewayHttpResolver(enable_validation=True, strip_prefixes=[PREFIX])
    for router in routers:
        routes.include_router(router)
    _answer_errors(routes)
    _describe(routes)
    return routes


def http(routes: Routes, app: Callable[[], App]) -> Callable[[dict[str, Any], Any], dict[str, Any]]:
    """Make the routes a Lambda handler; `app` is called on each event and may be cached."""

    def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
        if (problem := unreadable(event)) is not None:
            return problem
        visit = Visit(event, app(), _path(event))
        routes.append_context(app=app(), visit=visit)
        return _with_headers(routes.resolve(event, context), visit.set_cookies)

    return logger.inject_lambda_context(lambda_handler, clear_state=True)


def _path(event: Mapping[str, Any]) -> str:
    """As the routes have it: without the stage and the prefix."""
    path = APIGatewayProxyEventV2({**event}).path
    return path.removeprefix(PREFIX) if path.startswith(f"{PREFIX}/") else path


def app_of(router: APIGatewayHttpRouter) -> App:
    return router.context["app"]


def user_of(router: APIGatewayHttpRouter) -> User:
    """Who asks. Raises `Unauthenticated`, `Forbidden`."""
    return visit_of(router).asker()[0]


def visit_of(router: APIGatewayHttpRouter) -> Visit:
    return router.context["visit"]


def _with_headers(answer: dict[str, Any], set_cookies: Sequence[str]) -> dict[str, Any]:
    headers: Mapping[str, str] = answer.get("headers") or {}
    given = {name.lower(): value for name, value in headers.items()}
    return {
        **answer,
        "headers": ALWAYS | given,
        "cookies": [*(answer.get("cookies") or ()), *set_cookies],
    }


def as_sent(router: APIGatewayHttpRouter, name: str, value: str) -> str:
    """A query parameter as it came: the framework ends a value at its first comma."""
    return (router.current_event.query_string_parameters or {}).get(name, value)


def _answer_errors(routes: Routes) -> None:
    routes.exception_handler(DomainError)(_refused)
    routes.exception_handler(RequestValidationError)(_malformed)
    routes.exception_handler(NotFoundError)(_no_route)
    routes.exception_handler(Exception)(_failed)


def _refused(error: DomainError) -> Response[str]:
    logger.info("refused", code=error.code)
    field = error.field if isinstance(error, Invalid) else None
    return _error(http_status(error), error.code, str(error), field)


def _malformed(error: RequestValidationError) -> Response[str]:
    problem = error.errors()[0]
    field = _field(problem)
    logger.info("malformed", field=field)
    return _error(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", f"{field}: {problem['msg']}", field)


def _no_route(_: NotFoundError) -> Response[str]:
    return _error(HTTPStatus.NOT_FOUND, "not_found", "there is nothing at this address")


def _failed(_: Exception) -> Response[str]:
    logger.exception("failed")
    message = "something failed here; it was logged"
    return _error(HTTPStatus.INTERNAL_SERVER_ERROR, "internal", message)


def _field(problem: Mapping[str, Any]) -> str:
    """Where the problem is, without the `body` or `query` that it came in."""
    place = [str(part) for part in problem["loc"]]
    return ".".join(place[1:] or place)


def _error(status: HTTPStatus, code: str, message: str, field: str | None = None) -> Response[str]:
    return Response(
        status_code=status,
        content_type=content_types.APPLICATION_JSON,
        body=ErrorView(code=code, message=message, field=field).model_dump_json(exclude_none=True),
    )


def _describe(routes: Routes) -> None:
    def openapi() -> Response[str]:
        schemes: dict[str, SecurityScheme] = {"token": HTTPBearer(), "browser": _COOKIE}
        schema = routes.get_openapi_json_schema(
            title=TITLE,
            version=VERSION,
            servers=[Server(url=PREFIX)],
            security_schemes=schemes,
            security=[{"token": []}, {"browser": []}],
        )
        return Response(
            status_code=HTTPStatus.OK, content_type=content_types.APPLICATION_JSON, body=schema
        )

    routes.get("/openapi.json", include_in_schema=False)(openapi)
