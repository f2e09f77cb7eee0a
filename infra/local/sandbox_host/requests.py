"""What the routes have in common: bounded bodies, and whether a caller may."""

import base64
import hmac
import json
from collections.abc import AsyncIterator

from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from infra.local.sandbox_host.fleet import Fleet
from infra.local.sandbox_host.machine import USER
from infra.local.sandbox_host.refusals import Malformed, NotOffered, TooLarge, Unauthorized
from infra.local.sandbox_host.running import Running

MOST_JSON_BYTES = 1 << 20


def check_api_key(request: Request) -> None:
    key: str = request.app.state.api_key
    if not _same(request.headers.get("x-api-key", ""), key):
        raise Unauthorized("the header X-API-KEY must hold this host's key")


def running_sandbox(request: Request) -> Running:
    """Whom an envd request is for, which the real provider's edge decides by a header, too."""
    fleet: Fleet = request.app.state.fleet
    sandbox_id = request.headers.get("e2b-sandbox-id", "")
    running = fleet.running(sandbox_id)
    token = fleet.catalogue.sandbox(sandbox_id).access_token
    if not _same(request.headers.get("x-access-token", ""), token):
        raise Unauthorized("the header X-Access-Token must hold this sandbox's token")
    _check_user(request)
    return running


async def chunks(request: Request, most: int) -> AsyncIterator[bytes]:
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > most:
            raise TooLarge(f"a body of this request may have {most} bytes")
        yield chunk


async def body(request: Request, most: int = MOST_JSON_BYTES) -> bytes:
    return b"".join([chunk async for chunk in chunks(request, most)])


async def parsed[M: BaseModel](request: Request, model: type[M]) -> M:
    """An empty body asks for the defaults."""
    return checked(await body(request) or b"{}", model)


def checked[M: BaseModel](raw: bytes, model: type[M]) -> M:
    """Raises Malformed, or NotOffered for what the model does not know."""
    try:
        return model.model_validate_json(raw)
    except ValidationError as error:
        raise _refusal(error) from error


def canonical(model: BaseModel) -> bytes:
    """Equal for requests that ask for the same, however they are spelled."""
    return json.dumps(model.model_dump(mode="json"), sort_keys=True).encode()


def _refusal(error: ValidationError) -> Malformed | NotOffered:
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    unknown = [
        ".".join(map(str, one["loc"])) for one in problems if one["type"] == "extra_forbidden"
    ]
    if unknown:
        return NotOffered(f"this host does not offer {', '.join(unknown)}")
    said = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in problems)
    return Malformed(said.removeprefix(": "))


def _check_user(request: Request) -> None:
    """There is one user in these sandboxes, and no way to be root."""
    asked = request.query_params.get("username") or _basic_user(request) or USER
    if asked != USER:
        raise NotOffered(f"sandboxes of this host have one user, {USER!r}, and not {asked!r}")


def _basic_user(request: Request) -> str:
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return ""
    try:
        return base64.b64decode(value, validate=True).decode().partition(":")[0]
    except ValueError as error:
        raise Malformed("the header Authorization is no Basic one") from error


def _same(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode(), expected.encode())
