"""Bodies that cannot even be read, refused before the frame that would fail over them."""

import json
import re
from base64 import b64decode
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from shared.edge.log import logger
from shared.protocol.api import ErrorView

_PART = re.compile(r"/attachments/[^/]+/parts/[^/]+$")
"""Where the body is bytes of a file, and never read as anything else."""

type Event = Mapping[str, Any]


def unreadable(event: Event) -> dict[str, Any] | None:
    """The answer to a body that is none; None: it can be read, or says by itself what is wrong."""
    why = _why(event)
    if why is None:
        return None
    logger.info("malformed", field="body")
    view = ErrorView(code="invalid", message=f"body: {why}", field="body")
    return {
        "statusCode": HTTPStatus.UNPROCESSABLE_ENTITY,
        "headers": {"content-type": "application/json"},
        "body": view.model_dump_json(),
        "isBase64Encoded": False,
    }


def _why(event: Event) -> str | None:
    body: str = event.get("body") or ""
    if not body or _PART.search(event.get("rawPath") or ""):
        return None
    kind = _content_type(event)
    if kind and not kind.startswith("application/json"):
        return "it has to be application/json"
    try:
        json.loads(b64decode(body) if event.get("isBase64Encoded") else body)
    except json.JSONDecodeError:
        return None  # the frame says where
    except (ValueError, RecursionError):
        return "it is no JSON that we can read"
    return None


def _content_type(event: Event) -> str:
    headers: Mapping[str, str] = event.get("headers") or {}
    found = (value for name, value in headers.items() if name.lower() == "content-type")
    return next(found, "").strip().lower()
