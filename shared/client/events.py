"""The events of a timeline entry, as the types of the protocol."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from shared.protocol.api import EntryView
from shared.protocol.events import BridgeEvent, Pushed
from shared.protocol.server_events import PromptFinished, ServerEvent

type Event = BridgeEvent | ServerEvent

_EVENT: TypeAdapter[Event] = TypeAdapter(
    Annotated[BridgeEvent | ServerEvent, Field(discriminator="type")]
)


def known(raw: Mapping[str, object]) -> Event | None:
    """None for a type that this version does not know, or one that is not in its shape."""
    try:
        return _EVENT.validate_python(raw)
    except ValidationError:
        return None


def ending(entry: EntryView, prompt: int) -> PromptFinished | None:
    """What came of that prompt, if this entry says so."""
    for event in map(known, entry.events):
        if isinstance(event, PromptFinished) and event.prompt == prompt:
            return event
    return None


def pushes(entry: EntryView, prompt: int) -> list[Pushed]:
    """What the turn of that prompt has pushed, as far as this entry says."""
    said = map(known, entry.events)
    return [event for event in said if isinstance(event, Pushed) and event.prompt == prompt]
