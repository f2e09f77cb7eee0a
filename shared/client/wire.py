"""JSON on its way in and out: read without trust, written so that any terminal may see it."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from shared.client.untrusted import without_surrogates
from shared.protocol.api import EntryView
from shared.protocol.client import TO_CLIENT, Frame, Item, ToClient


class Garbled(ValueError):
    """Not a message that this version knows."""


def read[M: BaseModel](model: type[M], text: str) -> M:
    """Raises `Garbled`."""
    try:
        return model.model_validate(_json(text))
    except ValidationError as error:
        raise Garbled(f"not a {model.__name__}") from error


def read_message(text: str | bytes) -> ToClient:
    """One message of the socket. Raises `Garbled`."""
    try:
        return TO_CLIENT.validate_python(_json(text))
    except ValidationError as error:
        raise Garbled("not a message of the client socket") from error


type _Json = str | float | bool | list[_Json] | dict[str, _Json] | None


def _json(text: str | bytes) -> _Json:
    try:
        return _scrubbed(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise Garbled("not JSON") from error


def _scrubbed(value: _Json) -> _Json:
    match value:
        case str():
            return without_surrogates(value)
        case dict():
            return {without_surrogates(key): _scrubbed(item) for key, item in value.items()}
        case list():
            return [_scrubbed(item) for item in value]
        case _:
            return value


def line(value: BaseModel | Mapping[str, Any]) -> str:
    """One line of `--json`: ASCII, so that nothing in it can drive a terminal."""
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json", by_alias=True)
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).replace("\x7f", "\\u007f")


def entry_of(frame: Frame) -> EntryView:
    """A frame as the HTTP API shows it: watchers' names unwrapped to the events they carry."""
    events = [_event(item) for item in frame.items]
    return EntryView(seq=frame.seq, at=frame.at, attempt=frame.attempt, events=events)


def _event(item: Item) -> dict[str, object]:
    return item.event if item.type == "sandbox_event" else {"type": item.type, **item.event}
