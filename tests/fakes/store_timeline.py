"""The timeline in memory: reads where the tail is, then writes, and others may come in between."""

from collections.abc import Callable, Sequence
from datetime import datetime

from shared.app.ports.timeline import Appended
from shared.domain.session.state import SessionId
from shared.domain.timeline import Entry, Frame
from tests.fakes.store_memory import Memory


class InMemoryTimeline:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def append(self, session_id: SessionId, frame: Frame, *, after: int, now: datetime) -> Appended:
        log = self._memory.logs[session_id]

        def put(slot: int) -> bool:
            with self._memory.writing():
                return put_in(log, slot, frame, now)

        entry, already = place(log, frame, after, put)
        return Appended(entry, already)

    def after(self, session_id: SessionId, seq: int, *, limit: int) -> Sequence[Entry]:
        return self._memory.logs[session_id][seq : seq + limit]

    def before(self, session_id: SessionId, seq: int | None, *, limit: int) -> Sequence[Entry]:
        log = self._memory.logs[session_id]
        below = log if seq is None else log[: max(seq - 1, 0)]
        return below[-limit:]


def put_in(log: list[Entry], slot: int, frame: Frame, now: datetime) -> bool:
    """False: the slot is taken. Times are kept in milliseconds."""
    assert len(log) >= slot - 1, "a cursor to a slot that does not exist"
    if len(log) >= slot:
        return False
    at = now.replace(microsecond=now.microsecond // 1000 * 1000)
    log.append(Entry(slot, at, frame))
    return True


def place(
    log: Sequence[Entry], frame: Frame, after: int, put: Callable[[int], bool]
) -> tuple[Entry, bool]:
    """Where the frame is now, and whether it was there before."""
    slot = after + 1
    while not put(slot):
        for entry in log[after:]:
            if entry.frame.id == frame.id:
                return entry, True
        slot = len(log) + 1
    return log[slot - 1], False
