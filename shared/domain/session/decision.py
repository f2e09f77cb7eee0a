"""What a session answers: facts to keep, and work for the outside world."""

from dataclasses import dataclass
from datetime import datetime
from typing import Self

from shared.domain.session.facts import Event

# Effects: each has a unique key and is safe to perform twice.


@dataclass(frozen=True, slots=True)
class StartLife:
    """Start the workflow `<session>-<attempt>-<life>`; a running one of that name is the same."""

    attempt: int
    life: int


@dataclass(frozen=True, slots=True)
class CompleteTask:
    """Hand an outcome to a waiting workflow; one that waits no more ignores it.

    `seconds`: how long what it does next may take.
    """

    token: str
    outcome: str
    seconds: int | None = None


@dataclass(frozen=True, slots=True)
class ArmTimer:
    """Have the session poked about this attempt at `due`; a later call moves the time."""

    attempt: int
    due: datetime


@dataclass(frozen=True, slots=True)
class UpdateInboxes:
    """Bring the participants' lists of unread sessions in line with the session as it is."""


type Effect = StartLife | CompleteTask | ArmTimer | UpdateInboxes


@dataclass(frozen=True, slots=True)
class Decision:
    events: tuple[Event, ...] = ()
    effects: tuple[Effect, ...] = ()

    def __add__(self, then: Self) -> Self:
        return type(self)(self.events + then.events, self.effects + then.effects)


NOTHING = Decision()
"""The answer to everything late or repeated."""
