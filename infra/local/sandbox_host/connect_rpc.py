"""The Connect protocol with JSON, as far as envd's clients use it.

A unary call is a JSON body each way, and an HTTP status with `{code, message}` when it failed. A
stream is framed: a flag byte, four bytes of length, JSON; the last, with flag 2, says how it ended.
"""

import errno
import json
import struct
from typing import Any

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse

from infra.local.sandbox_host.refusals import Malformed
from infra.local.sandbox_host.requests import body, checked

STREAM_TYPE = "application/connect+json"

_LAST = 2
_HEADER = struct.Struct(">BI")

_CODES = {
    errno.ENOENT: "not_found",
    errno.ESRCH: "not_found",
    errno.EEXIST: "already_exists",
    errno.EACCES: "permission_denied",
    errno.EPERM: "permission_denied",
    errno.ENOTDIR: "invalid_argument",
    errno.EISDIR: "invalid_argument",
    errno.EINVAL: "invalid_argument",
    errno.EPIPE: "failed_precondition",
    errno.ELOOP: "failed_precondition",
    errno.EMSGSIZE: "resource_exhausted",
    errno.ENOSPC: "resource_exhausted",
}
_STATUSES = {
    "not_found": 404,
    "already_exists": 409,
    "permission_denied": 403,
    "invalid_argument": 400,
    "failed_precondition": 400,
    "resource_exhausted": 429,
    "unimplemented": 501,
    "unavailable": 503,
}


def code_of(error: OSError) -> str:
    return _CODES.get(error.errno or 0, "internal")


def message_of(error: OSError) -> str:
    return error.strerror or str(error)


def failure(code: str, message: str) -> JSONResponse:
    return JSONResponse({"code": code, "message": message}, _STATUSES.get(code, 500))


def frame(message: dict[str, Any]) -> bytes:
    return _framed(0, message)


def last_frame(code: str | None = None, message: str = "") -> bytes:
    return _framed(_LAST, {"error": {"code": code, "message": message}} if code else {})


async def unary[M: BaseModel](request: Request, model: type[M]) -> M:
    return checked(await body(request) or b"{}", model)


async def streamed[M: BaseModel](request: Request, model: type[M]) -> M:
    """The one request of a server stream."""
    raw = await body(request)
    if len(raw) < _HEADER.size:
        raise Malformed("a stream's request is one frame")
    flag, length = _HEADER.unpack_from(raw)
    if flag != 0 or length != len(raw) - _HEADER.size:
        raise Malformed("a stream's request is one frame, not compressed")
    return checked(raw[_HEADER.size :] or b"{}", model)


def _framed(flag: int, message: dict[str, Any]) -> bytes:
    raw = json.dumps(message).encode()
    return _HEADER.pack(flag, len(raw)) + raw
