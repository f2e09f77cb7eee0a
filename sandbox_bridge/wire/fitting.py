"""Makes every event fit into a frame: words are split, anything else is cut in its middle."""

from collections.abc import Iterator
from typing import cast

from sandbox_bridge.wire.encoding import EVENT_BYTES, encoded, payload, writable
from shared.protocol.events import BridgeEvent, Text, TextDelta, Warned

WORTH_CUTTING = 200
"""A string up to this many characters is left whole: ids and names are not what makes it big."""


def fit(event: BridgeEvent, limit: int = EVENT_BYTES) -> tuple[BridgeEvent, ...]:
    """The same, in events of at most `limit` bytes.

    A long text becomes its beginning and deltas that append the rest.
    """
    event = writable(event)
    if len(encoded(payload(event))) <= limit:
        return (event,)
    match event:
        case Text():
            return _split_text(event, limit)
        case TextDelta():
            return tuple(_deltas(event.prompt, event.part, event.delta, limit))
        case _:
            return (_cut(event, limit),)


def _split_text(event: Text, limit: int) -> tuple[BridgeEvent, ...]:
    room = limit - len(encoded(payload(event.model_copy(update={"text": ""}))))
    first = _prefix(event.text, room)
    rest = event.text[len(first) :]
    beginning = event.model_copy(update={"text": first})
    return (beginning, *_deltas(event.prompt, event.part, rest, limit))


def _deltas(prompt: int, part: str, text: str, limit: int) -> Iterator[TextDelta]:
    room = limit - len(encoded(payload(TextDelta(prompt=prompt, part=part, delta=""))))
    while text:
        piece = _prefix(text, room)
        yield TextDelta(prompt=prompt, part=part, delta=piece)
        text = text[len(piece) :]


def _prefix(text: str, room: int) -> str:
    """The longest beginning, about, that takes at most `room` bytes as JSON."""
    piece = text[:room]
    while (size := len(encoded(piece)) - 2) > room:
        piece = piece[: max(1, len(piece) * room // size)]
        if len(piece) == 1:
            return piece
    return piece


def _cut(event: BridgeEvent, limit: int) -> BridgeEvent:
    body = payload(event)
    longest = limit
    while longest > WORTH_CUTTING:
        longest = longest * 3 // 4
        shorter = _shortened(body, longest)
        if len(encoded(shorter)) <= limit:
            return type(event).model_validate(shorter)
    return Warned(message=f"an event of type {event.type!r} was too large to be shown")


def _shortened(value: object, longest: int) -> object:
    """With no string and no container in it longer than `longest`."""
    match value:
        case str():
            return without_middle(value, longest)
        case list():
            entries = cast("list[object]", value)[:longest]
            return [_shortened(entry, longest) for entry in entries]
        case dict():
            pairs = list(cast("dict[str, object]", value).items())[:longest]
            return {key: _shortened(entry, longest) for key, entry in pairs}
        case _:
            return value


def without_middle(text: str, keep: int) -> str:
    """Beginning and end of `text`, at most `keep` characters in all if that is more than a few."""
    if len(text) <= keep:
        return text
    marker = f"\n… {len(text) - keep} characters left out …\n"
    head = (keep - len(marker)) // 2
    return text[:head] + marker + text[-head:]
