"""What happens to a message on its way: it is lost, comes twice, late, or behind a later one."""

from collections.abc import Callable
from typing import Literal

from tests.simulation.nature import Nature

type Wire = Literal["bridge", "server", "client"]

_FATES: dict[Wire, tuple[str, ...]] = {
    wire: tuple(f"{wire} message {fate}" for fate in ("lost", "duplicated", "delayed", "reordered"))
    for wire in ("bridge", "server", "client")
}


def send(nature: Nature, wire: Wire, name: str, deliver: Callable[[], None]) -> None:
    fate = (nature.chaos.one_of(_FATES[wire]) or "").rpartition(" ")[2]
    if fate:
        nature.tell(f"{name}: {fate}")
    delay = nature.within(0.002, 0.04)
    match fate:
        case "lost":
            return
        case "duplicated":
            nature.later(name, deliver, 0.002, 5.0)
        case "delayed":
            delay += nature.within(5.0, 100.0)
        case "reordered":
            delay += nature.within(0.05, 1.5)
        case _:
            pass
    nature.agenda.add(delay, name, deliver)
