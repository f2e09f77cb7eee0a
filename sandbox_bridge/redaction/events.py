"""Whatever a bridge says goes through here: no known secret is in an event that comes out.

The bridge's own words, and what the server told it, stay as they are, whatever is in them: `type`
and the others in `_OURS`. All other text is looked through, however deep it is and keys as well,
and so are `part` and `call`, which a harness chose: an id with a secret in it becomes another one,
always the same.

What grows is told as far as it is certain, and the rest when it is, or before its turn ends.
"""

from collections.abc import Callable
from typing import Any, Final, cast

from sandbox_bridge.redaction.redactor import Redactor
from sandbox_bridge.redaction.stream import Stream
from shared.protocol.events import (
    BridgeEvent,
    ExecutionComplete,
    Reasoning,
    Text,
    TextDelta,
    Tool,
    Warned,
)

_OURS: Final = frozenset(
    (
        *("type", "phase", "status", "kind", "harness", "runtime_version", "isolation"),
        *("repository", "branch", "commit"),
    )
)

type _Emit = Callable[[BridgeEvent], None]
type _Key = tuple[int, str, str]


def hidden(event: BridgeEvent, redact: Redactor) -> BridgeEvent:
    """The same event without secrets."""
    said = {name: getattr(event, name) for name in type(event).model_fields if name not in _OURS}
    try:
        shown = tree(said, redact)
    except RecursionError:
        return Warned(message=f"an event of type {event.type!r} could not be written down")
    return event if shown == said else event.model_copy(update=shown)


def tree(value: Any, redact: Redactor) -> Any:
    """The same of anything that JSON can hold."""
    match value:
        case str():
            return redact(value)
        case dict():
            pairs = cast("dict[object, object]", value).items()
            return {tree(name, redact): tree(each, redact) for name, each in pairs}
        case list() | tuple():
            return [tree(each, redact) for each in cast("list[object]", value)]
        case _:
            return value


class Discreet:
    """An `Emit` in front of another one."""

    def __init__(self, emit: _Emit, redact: Redactor) -> None:
        self._emit = emit
        self._redact = redact
        self._streams: dict[tuple[int, str], Stream] = {}
        self._uncertain: dict[_Key, BridgeEvent] = {}
        """Told without their end, until they are told again."""

    def __call__(self, event: BridgeEvent) -> None:
        match event:
            case TextDelta():
                stream = self._streams.setdefault((event.prompt, event.part), Stream(self._redact))
                self._tell(event, "delta", stream.feed(event.delta))
            case Text():
                self._replace(event)
            case Reasoning():
                self._tell_so_far(event, "text", (event.prompt, event.type, event.part))
            case Tool(status="pending" | "running"):
                self._tell_so_far(event, "output", (event.prompt, event.type, event.call))
            case Tool():
                self._uncertain.pop((event.prompt, event.type, event.call), None)
                self._emit(hidden(event, self._redact))
            case ExecutionComplete():
                self._flush(event.prompt)
                self._emit(hidden(event, self._redact))
            case _:
                self._emit(hidden(event, self._redact))

    def _tell(self, event: BridgeEvent, field: str, certain: str) -> None:
        """`certain` was looked through; the rest of the event was not."""
        if certain or not isinstance(event, TextDelta):
            rest = hidden(event.model_copy(update={field: ""}), self._redact)
            self._emit(rest.model_copy(update={field: certain}))

    def _replace(self, event: Text) -> None:
        """A final text has all that its part still held back."""
        self._streams.pop((event.prompt, event.part), None)
        if event.final:
            self._emit(hidden(event, self._redact))
            return
        stream = self._streams[event.prompt, event.part] = Stream(self._redact)
        self._tell(event, "text", stream.feed(event.text))

    def _tell_so_far(self, event: Reasoning | Tool, field: str, key: _Key) -> None:
        text: str = getattr(event, field)
        certain, end = self._redact.settled(text, 0)
        self._uncertain.pop(key, None)
        if end < len(text):
            self._uncertain[key] = event
        self._tell(event, field, certain)

    def _flush(self, prompt: int) -> None:
        for of, part in [key for key in self._streams if key[0] == prompt]:
            rest = self._streams.pop((of, part)).flush()
            self._tell(TextDelta(prompt=of, part=part, delta=rest), "delta", rest)
        for key in [key for key in self._uncertain if key[0] == prompt]:
            self._emit(hidden(self._uncertain.pop(key), self._redact))
