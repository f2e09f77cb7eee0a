"""GitHub's REST API: its headers, and its several ways to ask for fewer requests."""

from collections.abc import Callable, Mapping
from datetime import datetime
from http import HTTPStatus

from shared.adapters.rest import Answer, Rest, message, seconds
from shared.app.ports.forges import ForgeLimited

VERSION = "2022-11-28"
NAME = "GitHub"

_HEADERS = {
    "accept": "application/vnd.github+json",
    "user-agent": "outboard",
    "x-github-api-version": VERSION,
}


def rest(api_url: str, clock: Callable[[], datetime]) -> Rest:
    return Rest(NAME, api_url.rstrip("/"), _HEADERS, lambda answer: _limited(answer, clock()))


def bearer(token: str) -> Mapping[str, str]:
    return {"authorization": f"Bearer {token}"}


def _limited(answer: Answer, now: datetime) -> ForgeLimited | None:
    if answer.status not in {HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS}:
        return None
    spent = answer.headers.get("x-ratelimit-remaining") == "0"
    after = seconds(answer.headers.get("retry-after"))
    if after is None and spent:
        after = _until(answer.headers.get("x-ratelimit-reset"), now)
    secondary = "secondary rate limit" in message(answer.content).lower()
    known = spent or secondary or after is not None
    if not known and answer.status != HTTPStatus.TOO_MANY_REQUESTS:
        return None
    return ForgeLimited("GitHub wants fewer requests from us for a while", after)


def _until(reset: str | None, now: datetime) -> float | None:
    moment = seconds(reset)
    return None if moment is None else max(0.0, moment - now.timestamp())
