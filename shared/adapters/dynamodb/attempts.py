"""The history of a session's attempts, for people who ask what happened to a sandbox.

Nothing decides by it: the living attempt is in META. Times are the commits'.
"""

from collections import defaultdict

from shared.adapters.dynamodb import keys
from shared.adapters.dynamodb.writes import Attribute, Update, assign, text
from shared.app.ports.sessions import Commit
from shared.domain.session.facts import (
    AttemptEnding,
    AttemptLaunched,
    AttemptRetired,
    AttemptStarted,
    BootChosen,
    BridgeConnected,
    BridgeReady,
    Event,
    PhaseReported,
    SandboxMoved,
)

_TIMES: dict[type, str] = {
    AttemptStarted: "started_at",
    AttemptLaunched: "launched_at",
    BridgeConnected: "connected_at",
    BridgeReady: "ready_at",
    AttemptEnding: "ended_at",
    AttemptRetired: "retired_at",
}


def attempt_writes(commit: Commit) -> list[Update]:
    """One for each attempt that the commit says something about."""
    current = 0 if commit.before.attempt is None else commit.before.attempt.number
    rows: defaultdict[int, dict[str, Attribute]] = defaultdict(dict)
    for fact in commit.facts:
        if isinstance(fact, AttemptStarted):
            current = fact.number
        if type(fact) in _TIMES:
            rows[current][_TIMES[type(fact)]] = text(keys.instant(commit.now))
        rows[current] |= _said(fact)
    return [
        Update(keys.session(commit.after.id), keys.attempt(attempt), assign(**row))
        for attempt, row in rows.items()
        if attempt and row
    ]


def _said(fact: Event) -> dict[str, Attribute]:
    match fact:
        case AttemptStarted(_, boot):
            return {"phase": text("starting"), "boot": text(boot)}
        case BootChosen(boot):
            return {"boot": text(boot)}
        case AttemptLaunched(provider_id):
            return {"provider_id": text(provider_id)}
        case PhaseReported(phase):
            return {"phase": text(phase)}
        case SandboxMoved(status, _, error):
            return {"status": text(status), **_error(error)}
        case AttemptEnding(ending, error):
            return {"ending": text(ending), **_error(error)}
        case _:
            return {}


def _error(error: str | None) -> dict[str, Attribute]:
    return {} if error is None else {"error": text(error)}
