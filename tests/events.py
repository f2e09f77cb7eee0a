"""The sample payloads of `events/`, with a test's own values put in."""

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1] / "events"


def sample(name: str, **values: str) -> dict[str, Any]:
    """`name` is `<function>/<file>`; `SESSION="x"` replaces that word wherever it stands."""
    text = (ROOT / f"{name}.json").read_text()
    for word, value in values.items():
        text = text.replace(word, value)
    return json.loads(text)


def request(
    method: str, path: str, token: str = "", body: object = None, **query: str
) -> dict[str, Any]:
    """A request as API Gateway's HTTP API hands it over."""
    event = sample("http_api/list_sessions", TOKEN=token)
    event["rawPath"] = event["requestContext"]["http"]["path"] = f"/api{path}"
    event["requestContext"]["http"]["method"] = method
    event["queryStringParameters"] = query
    event["rawQueryString"] = "&".join(f"{name}={value}" for name, value in query.items())
    if body is not None:
        event["body"] = body if isinstance(body, str) else json.dumps(body)
    return event
