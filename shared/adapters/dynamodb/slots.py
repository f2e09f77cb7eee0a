"""The search for a frame's slot: the protocol that makes the timeline exact, whoever writes it.

Slots are immutable once taken, and each writer only puts directly behind slots that it has looked
at, all of them, back to where its frame may first stand. So two writers of one frame meet in the
same slot, and one of them finds the other's write there.
"""

from typing import Protocol

from shared.domain.errors import Contended
from shared.domain.timeline import Entry

MOVES = 100
"""Each move means that somebody else has stored a frame, so this many in a row is a flood."""


class Unsure(Exception):
    """A refusal that does not show what is there says nothing: put again."""


class Log(Protocol):
    def put(self, slot: int) -> Entry | None:
        """None: it is written. Else the slot was taken, by this entry. Raises `Unsure`."""
        ...

    def behind(self, slot: int) -> tuple[Entry | None, int]:
        """Our own frame, if it stands behind that slot; and the newest slot (at least that one)."""
        ...


def place(log: Log, frame_id: str, *, after: int) -> tuple[int, Entry | None]:
    """The slot that the frame is in now; with its entry if it stood there before we came.

    Raises `Contended`.
    """
    slot = after + 1
    for _ in range(MOVES):
        try:
            there = log.put(slot)
        except Unsure:
            continue
        if there is None:
            return slot, None
        if there.frame.id == frame_id:
            return slot, there
        own, tail = log.behind(slot)
        if own is not None:
            return own.seq, own
        slot = tail + 1
    raise Contended(f"{MOVES} others stored a frame first; try again")
