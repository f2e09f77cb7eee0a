"""What an order asks for now, given what has been done. Pure: orders come late, twice, or never.

order     no record                  turn runs here    left by a dead bridge    done
run n     start, once that can be    nothing           it failed                say what is owed
stop n    it is stopped, unstarted   interrupt it      it is stopped            say what is owed
"""

from dataclasses import dataclass
from typing import Literal

from sandbox_bridge.turns.record import Record
from shared.protocol.bridge import Orders


@dataclass(frozen=True, slots=True)
class Start:
    prompt: int


@dataclass(frozen=True, slots=True)
class Interrupt:
    prompt: int


@dataclass(frozen=True, slots=True)
class Close:
    """Answer for a prompt whose turn is not running: it never will be."""

    prompt: int
    status: Literal["failed", "stopped"]


@dataclass(frozen=True, slots=True)
class SayAgain:
    prompt: int


@dataclass(frozen=True, slots=True)
class Nothing:
    pass


type Step = Start | Interrupt | Close | SayAgain | Nothing


def next_step(
    orders: Orders, record: Record | None, *, running: int | None, can_start: bool
) -> Step:
    if orders.prompt is None or orders.do not in {"run", "stop"}:
        return Nothing()
    stop = orders.do == "stop"
    if record is None:
        return _unseen(orders.prompt, stop=stop, can_start=can_start and running is None)
    if record.is_done:
        return SayAgain(orders.prompt) if record.owed else Nothing()
    if running == orders.prompt:
        return Interrupt(orders.prompt) if stop else Nothing()
    return Close(orders.prompt, "stopped" if stop else "failed")


def _unseen(prompt: int, *, stop: bool, can_start: bool) -> Step:
    if stop:
        return Close(prompt, "stopped")
    return Start(prompt) if can_start else Nothing()
