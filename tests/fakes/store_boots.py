"""The history of attempts in memory."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from shared.app.boots import MAX_PHASES, ended_phases
from shared.app.ports.boots import BootRecord
from shared.app.ports.sessions import Commit
from shared.domain.session import facts
from shared.domain.session.facts import BootPhase
from tests.fakes.store_memory import Partition


def keep_boots(partition: Partition, commit: Commit) -> None:
    living = commit.before.attempt
    number = living.number if living else 0
    for fact in commit.facts:
        if isinstance(fact, facts.AttemptStarted):
            number = fact.number
        said = _said(fact, commit.now)
        if number and said:
            known = partition.boots.get(number, BootRecord(attempt=number, boot="fresh"))
            partition.boots[number] = replace(known, **said)
    if living is not None and (ended := ended_phases(commit.facts)):
        known = partition.boots.get(living.number, BootRecord(attempt=living.number, boot="fresh"))
        phases = _with(known.phases, ended)
        partition.boots[living.number] = replace(known, phases=phases[:MAX_PHASES])


_TIMES: dict[type, str] = {
    facts.AttemptStarted: "started_at",
    facts.AttemptLaunched: "launched_at",
    facts.BridgeConnected: "connected_at",
    facts.BridgeReady: "ready_at",
    facts.AttemptEnding: "ended_at",
    facts.AttemptRetired: "retired_at",
}


def _said(fact: facts.Event, now: datetime) -> dict[str, Any]:
    time = {_TIMES[type(fact)]: now} if type(fact) in _TIMES else {}
    match fact:
        case facts.AttemptStarted(_, boot):
            return time | {"phase": "starting", "boot": boot.value}
        case facts.BootChosen(boot):
            return {"boot": boot.value}
        case facts.PhaseReported(phase):
            return {"phase": phase}
        case facts.AttemptEnding(ending, error):
            return time | {"ending": ending.value} | _error(error)
        case facts.SandboxMoved(status, _, error):
            return {"status": status.value} | _error(error)
        case _:
            return time


def _error(error: str | None) -> dict[str, str]:
    return {} if error is None else {"error": error}


def _with(known: tuple[BootPhase, ...], ended: list[BootPhase]) -> tuple[BootPhase, ...]:
    anew = {(phase.phase, phase.repository) for phase in ended}
    left = [phase for phase in known if (phase.phase, phase.repository) not in anew]
    return (*left, *ended)
