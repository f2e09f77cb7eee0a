"""Which sandboxes and snapshots a list request is about, and how they come in pages."""

import base64
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import parse_qsl, unquote

from infra.local.sandbox_host.records import Sandbox
from infra.local.sandbox_host.refusals import Malformed

MOST_ON_A_PAGE = 100

type Position = tuple[str, str]
"""When it began and its id: in this order things are listed, and after it a page goes on."""


@dataclass(frozen=True, slots=True)
class Query:
    metadata: Mapping[str, str]
    states: frozenset[str]
    template: str | None
    started_after: datetime | None

    def wants(self, sandbox: Sandbox, *, running: bool) -> bool:
        return (
            ("running" if running else "paused") in self.states
            and self.metadata.items() <= sandbox.metadata.items()
            and self.template in (None, sandbox.template)
            and (self.started_after is None or sandbox.started_at >= self.started_after)
        )


def query(parameters: Mapping[str, str]) -> Query:
    """Raises Malformed."""
    return Query(
        metadata=_metadata(parameters.get("metadata", "")),
        states=frozenset(parameters.get("state", "running,paused").split(",")),
        template=parameters.get("template"),
        started_after=_moment(parameters.get("startedAfter")),
    )


def page[T](
    things: Iterable[T], parameters: Mapping[str, str], position: Callable[[T], Position]
) -> tuple[list[T], dict[str, str]]:
    """The page that was asked for, and the header that says where the next one begins."""
    ascending = parameters.get("order") == "asc"
    limit, after = _limit(parameters.get("limit")), _position(parameters.get("nextToken"))
    rest = [
        thing
        for thing in sorted(things, key=position, reverse=not ascending)
        if after is None or (position(thing) > after if ascending else position(thing) < after)
    ]
    if len(rest) <= limit:
        return rest, {}
    return rest[:limit], {"x-next-token": _token(position(rest[limit - 1]))}


def _metadata(encoded: str) -> dict[str, str]:
    # The SDK quotes each part before it encodes the whole, so there are two layers to undo.
    pairs = parse_qsl(encoded, keep_blank_values=True)
    return {unquote(name): unquote(value) for name, value in pairs}


def _moment(text: str | None) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text) if text else None
    except ValueError as error:
        raise Malformed(f"startedAfter is no moment: {text!r}") from error
    if moment and moment.tzinfo is None:
        raise Malformed("startedAfter needs a time zone")
    return moment


def _limit(text: str | None) -> int:
    if text is None:
        return MOST_ON_A_PAGE
    if not text.isdecimal() or not 1 <= int(text) <= MOST_ON_A_PAGE:
        raise Malformed(f"limit is 1 to {MOST_ON_A_PAGE}, not {text!r}")
    return int(text)


def _token(position: Position) -> str:
    return base64.urlsafe_b64encode(json.dumps(position).encode()).decode()


def _position(token: str | None) -> Position | None:
    if token is None:
        return None
    try:
        began, identifier = json.loads(base64.urlsafe_b64decode(token))
    except (ValueError, TypeError) as error:
        raise Malformed("nextToken is none of this host's") from error
    return str(began), str(identifier)
