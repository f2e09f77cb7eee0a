"""The host as an ASGI application: control plane and envd on one listener, told apart by path."""

import errno
from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from infra.local.sandbox_host import connect_rpc, control_plane, file_routes, processes
from infra.local.sandbox_host.channel import GuestGone
from infra.local.sandbox_host.choice import Choice
from infra.local.sandbox_host.fleet import Fleet
from infra.local.sandbox_host.refusals import NotRunning, Refusal
from infra.local.sandbox_host.unread import ReadToTheEnd

_FILE_STATUSES = {
    errno.ENOENT: 404,
    errno.ENOTDIR: 400,
    errno.EISDIR: 400,
    errno.EINVAL: 400,
    errno.EACCES: 403,
    errno.EPERM: 403,
    errno.ELOOP: 403,
    errno.ENOSPC: 507,
}


def application(
    fleet: Fleet, choice: Choice, api_key: str, more: Sequence[Middleware] = ()
) -> Starlette:
    app = Starlette(
        routes=[
            Route("/", about),
            *control_plane.ROUTES,
            *file_routes.ROUTES,
            *processes.ROUTES,
        ],
        middleware=[Middleware(ReadToTheEnd), *more],
        exception_handlers={
            Refusal: _refused,
            OSError: _failed_inside,
            GuestGone: _guest_gone,
            HTTPException: _not_offered,
            ClientDisconnect: _nobody_listens,
        },
    )
    app.state.fleet = fleet
    app.state.api_key = api_key
    app.state.choice = choice
    return app


async def about(request: Request) -> Response:
    """How safe this is, for whoever shows it; needs no key and tells no secret."""
    fleet: Fleet = request.app.state.fleet
    choice: Choice = request.app.state.choice
    return JSONResponse(
        {
            "service": "outboard-sandbox-host",
            "isolation": choice.isolation,
            "weakerBecause": choice.weaker_because,
            "sandboxUser": choice.user,
            "limit": fleet.limit,
        }
    )


def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    code = {"error_code": error.code} if error.code else {}
    answer = {"code": error.status, "message": error.message, **code}
    return JSONResponse(answer, error.status)


def _guest_gone(request: Request, _: Exception) -> Response:
    return _refused(request, NotRunning(request.headers.get("e2b-sandbox-id", "")))


def _failed_inside(request: Request, error: Exception) -> Response:
    """What the sandbox's own kernel answered, in the words of whichever protocol asked."""
    assert isinstance(error, OSError)
    message = connect_rpc.message_of(error)
    if request.url.path == "/files":
        status = _FILE_STATUSES.get(error.errno or 0, 500)
        return JSONResponse({"code": status, "message": message}, status)
    return connect_rpc.failure(connect_rpc.code_of(error), message)


def _nobody_listens(_: Request, _error: Exception) -> Response:
    """The client went away in the middle of its request; what it sent so far may be written."""
    return Response(status_code=400)


def _not_offered(request: Request, error: Exception) -> Response:
    """No such route: the real provider may well have it."""
    assert isinstance(error, HTTPException)
    message = f"this host does not offer {request.method} {request.url.path}"
    if request.url.path.startswith(("/process.", "/filesystem.")):
        return connect_rpc.failure("unimplemented", message)
    return JSONResponse({"code": 501, "message": message}, 501)
