"""The control plane's routes: sandboxes and snapshots, by an API key."""

import hashlib
import re
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from infra.local.sandbox_host import listing, wire
from infra.local.sandbox_host.fleet import Fleet
from infra.local.sandbox_host.records import Snapshot
from infra.local.sandbox_host.refusals import Malformed
from infra.local.sandbox_host.requests import canonical, check_api_key, parsed

TEAM = "local"
"""Names of snapshots are the team's."""

type Endpoint = Callable[[Request, Fleet], Awaitable[Response]]


async def create(request: Request, fleet: Fleet) -> Response:
    asked = await parsed(request, wire.CreateSandbox)
    key = request.headers.get("idempotency-key")
    if key is not None and not re.fullmatch(r"[a-z0-9-]{1,255}", key):
        raise Malformed("an Idempotency-Key is 1 to 255 of a-z, 0-9 and -")
    sandbox = await fleet.create(
        asked, key=_digest(key.encode()) if key else None, fingerprint=_digest(canonical(asked))
    )
    return JSONResponse(wire.created(sandbox), 201)


async def connect(request: Request, fleet: Fleet) -> Response:
    asked = await parsed(request, wire.ConnectSandbox)
    sandbox, booted = await fleet.connect(_id(request), timedelta(seconds=asked.timeout))
    return JSONResponse(wire.created(sandbox), 201 if booted else 200)


async def pause(request: Request, fleet: Fleet) -> Response:
    await parsed(request, wire.PauseSandbox)
    await fleet.pause(_id(request))
    return Response(status_code=204)


async def kill(request: Request, fleet: Fleet) -> Response:
    await fleet.kill(_id(request))
    return Response(status_code=204)


async def set_timeout(request: Request, fleet: Fleet) -> Response:
    asked = await parsed(request, wire.SetTimeout)
    await fleet.set_timeout(_id(request), timedelta(seconds=asked.timeout))
    return Response(status_code=204)


async def read(request: Request, fleet: Fleet) -> Response:
    sandbox = fleet.catalogue.sandbox(_id(request))
    return JSONResponse(wire.detail(sandbox, running=fleet.runs(sandbox.id)))


async def list_sandboxes(request: Request, fleet: Fleet) -> Response:
    query = listing.query(request.query_params)
    wanted = (
        sandbox
        for sandbox in fleet.catalogue.sandboxes
        if query.wants(sandbox, running=fleet.runs(sandbox.id))
    )
    page, token = listing.page(
        wanted, request.query_params, lambda one: (one.started_at.isoformat(), one.id)
    )
    rows = [wire.listed(sandbox, running=fleet.runs(sandbox.id)) for sandbox in page]
    return JSONResponse(rows, headers=token)


async def take_snapshot(request: Request, fleet: Fleet) -> Response:
    asked = await parsed(request, wire.SnapshotSandbox)
    name = f"{TEAM}/{asked.name}" if asked.name else None
    return JSONResponse(wire.snapshot(await fleet.snapshot(_id(request), name)), 201)


async def list_snapshots(request: Request, fleet: Fleet) -> Response:
    source = request.query_params.get("sandboxID")
    name = request.query_params.get("name")
    wanted = (
        snapshot
        for snapshot in fleet.catalogue.snapshots
        if source in (None, snapshot.source) and name in (None, snapshot.id, *_names(snapshot))
    )
    page, token = listing.page(
        wanted, request.query_params, lambda one: (one.taken_at.isoformat(), one.id)
    )
    return JSONResponse([wire.snapshot(snapshot) for snapshot in page], headers=token)


async def delete_snapshot(request: Request, fleet: Fleet) -> Response:
    fleet.delete_snapshot(_id(request))
    return Response(status_code=204)


def _keyed(endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    async def handle(request: Request) -> Response:
        check_api_key(request)
        return await endpoint(request, request.app.state.fleet)

    return handle


ROUTES = [
    Route(path, _keyed(endpoint), methods=[method])
    for method, path, endpoint in (
        ("POST", "/v2/sandboxes", create),
        ("GET", "/v2/sandboxes", list_sandboxes),
        ("POST", "/v2/sandboxes/{id}/connect", connect),
        ("GET", "/sandboxes/{id}", read),
        ("DELETE", "/sandboxes/{id}", kill),
        ("POST", "/sandboxes/{id}/pause", pause),
        ("POST", "/sandboxes/{id}/timeout", set_timeout),
        ("POST", "/sandboxes/{id}/snapshots", take_snapshot),
        ("GET", "/snapshots", list_snapshots),
        ("DELETE", "/templates/{id:path}", delete_snapshot),
    )
]


def _names(snapshot: Snapshot) -> Iterator[str]:
    """With and without the tag, with and without the team."""
    plain = snapshot.id.partition(":")[0]
    yield from (plain, plain.removeprefix(f"{TEAM}/"), snapshot.id.removeprefix(f"{TEAM}/"))


def _id(request: Request) -> str:
    return request.path_params["id"]


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
