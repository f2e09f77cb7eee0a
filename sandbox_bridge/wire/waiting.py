"""What has been said and waits for a frame: gathered, merged where nothing is lost, and bounded.

While the server is away events pile up. Beyond `limit` bytes the oldest that only show running work
are left out first, then others that decide nothing; what changes the session's state never is.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from sandbox_bridge.wire.encoding import EVENT_BYTES, encoded, payload
from sandbox_bridge.wire.fitting import fit
from shared.protocol.bridge import MAX_FRAME_EVENTS
from shared.protocol.events import (
    CHANGES_STATE,
    BridgeEvent,
    Reasoning,
    Retrying,
    Text,
    TextDelta,
    Tool,
    Warned,
)

LIMIT_BYTES = 4 * 1024 * 1024
WARNING_BYTES = 256
"""Room that is kept in a frame for the warning about what was left out."""


@dataclass(frozen=True, slots=True)
class _Item:
    event: BridgeEvent
    raw: bytes


class Waiting:
    def __init__(self, limit: int = LIMIT_BYTES) -> None:
        self._items: deque[_Item] = deque()
        self._limit = limit
        self._bytes = 0
        self._left_out = 0

    def __bool__(self) -> bool:
        return bool(self._items)

    @property
    def fills_a_frame(self) -> bool:
        """To wait any longer would gather nothing more into the next one."""
        return len(self._items) >= MAX_FRAME_EVENTS or self._bytes >= EVENT_BYTES

    def add(self, event: BridgeEvent) -> None:
        for piece in fit(event, EVENT_BYTES - WARNING_BYTES):
            self._append(piece)
        if self._bytes > self._limit:
            self._relieve()

    def _append(self, event: BridgeEvent) -> None:
        if self._items:
            both = merged(self._items[-1].event, event)
            whole = () if both is None else fit(both, EVENT_BYTES - WARNING_BYTES)
            if len(whole) == 1:
                event = whole[0]
                self._bytes -= len(self._items.pop().raw)
        self._push(event)

    def _push(self, event: BridgeEvent) -> None:
        item = _Item(event, encoded(payload(event)))
        self._items.append(item)
        self._bytes += len(item.raw)

    def take(self, room: int = EVENT_BYTES, count: int = MAX_FRAME_EVENTS) -> list[bytes]:
        """The events of the next frame, as many as fit. Every single one fits."""
        taken = list(self._warning())
        room -= sum(len(raw) + 1 for raw in taken)
        while self._items and len(taken) < count and len(self._items[0].raw) < room:
            raw = self._items.popleft().raw
            self._bytes -= len(raw)
            room -= len(raw) + 1
            taken.append(raw)
        return taken

    def _warning(self) -> Iterator[bytes]:
        if self._left_out:
            message = f"{self._left_out} events of running work were left out: too many waited"
            self._left_out = 0
            yield encoded(payload(Warned(message=message, scope="timeline")))

    def _relieve(self) -> None:
        # Down to three quarters, so that the next events do not each walk the whole queue again.
        for droppable in (_shows_running_work, _decides_nothing):
            kept: deque[_Item] = deque()
            for item in self._items:
                if self._bytes > self._limit * 3 // 4 and droppable(item.event):
                    self._bytes -= len(item.raw)
                    self._left_out += 1
                else:
                    kept.append(item)
            self._items = kept


def _shows_running_work(event: BridgeEvent) -> bool:
    match event:
        case TextDelta() | Reasoning() | Retrying():
            return True
        case Text(final=final):
            return not final
        case Tool(status=status):
            return status in {"pending", "running"}
        case _:
            return False


def _decides_nothing(event: BridgeEvent) -> bool:
    return event.type not in CHANGES_STATE


def merged(before: BridgeEvent, after: BridgeEvent) -> BridgeEvent | None:
    """One event that says what these two neighbours say; None if they need both."""
    match before, after:
        case TextDelta(), TextDelta() if _same_part(before, after):
            return after.model_copy(update={"delta": before.delta + after.delta})
        case Text(final=False), Text() if _same_part(before, after):
            return after
        case Reasoning(), Reasoning() if _same_part(before, after):
            return after if after.text.startswith(before.text) else None
        case Tool(status="running"), Tool(status="running") if before.call == after.call:
            return after
        case _:
            return None


type _Part = Text | TextDelta | Reasoning


def _same_part(before: _Part, after: _Part) -> bool:
    return (before.prompt, before.part) == (after.prompt, after.part)
