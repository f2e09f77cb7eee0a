"""What is kept of a boot: how each phase ended, for each repository, and why it went wrong."""

from collections.abc import Iterable
from dataclasses import replace

from shared.domain.session.facts import BootPhase, Event
from shared.protocol.events import MAX_TAIL_BYTES

MAX_PHASES = 40
"""Of one attempt, as far as anybody is shown; a sandbox may say what it likes."""

MAX_PHASES_AT_ONCE = 20
MAX_NAME_CHARS = 300
MAX_REASON_CHARS = 1_000


def ended_phases(facts: Iterable[Event]) -> list[BootPhase]:
    """The last word on each, and no more of them than one commit can take."""
    last: dict[tuple[str, str | None], BootPhase] = {}
    for fact in facts:
        if isinstance(fact, BootPhase) and fact.status != "started":
            last.pop(place := (fact.phase, fact.repository), None)
            last[place] = _bounded(fact)
    return list(last.values())[-MAX_PHASES_AT_ONCE:]


def _bounded(fact: BootPhase) -> BootPhase:
    wrong = fact.status == "failed" or bool(fact.warning)
    return replace(
        fact,
        phase=fact.phase[:MAX_NAME_CHARS],
        repository=_start(fact.repository, MAX_NAME_CHARS),
        warning=_start(fact.warning, MAX_REASON_CHARS),
        error=_start(fact.error, MAX_REASON_CHARS),
        tail=_end(fact.tail) if fact.tail and wrong else None,
    )


def _start(text: str | None, chars: int) -> str | None:
    return None if text is None else text[:chars]


def _end(text: str) -> str:
    return text.encode(errors="replace")[-MAX_TAIL_BYTES:].decode(errors="ignore")
