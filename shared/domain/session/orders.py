"""What the bridge of an attempt should be doing: the answer to every hello and heartbeat.

Never sent once and hoped for: it is read from the session each time, until the bridge's own event
makes it something else.
"""

from dataclasses import dataclass
from typing import Literal

from shared.domain.session.state import Session


@dataclass(frozen=True, slots=True)
class Orders:
    do: Literal["idle", "run", "stop", "retire"]
    prompt: int | None = None


IDLE = Orders("idle")
RETIRE = Orders("retire")


def orders(session: Session, attempt: int) -> Orders:
    living = session.current(attempt)
    if living is None or living.ending is not None:
        return RETIRE
    if session.running is None:
        return IDLE
    return Orders("stop" if session.running.stopping else "run", session.running.prompt.number)
