"""How a session's attempts came up: their own items, and one for each phase that has ended.

A phase has its item to itself, so whatever a sandbox says again and again, no item outgrows its
bounds and nothing has to be read before it is written.
"""

from collections.abc import Sequence
from datetime import datetime
from itertools import islice

from pynamodb.expressions.operand import Path

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.keys import SK
from shared.adapters.dynamodb.table import Query, Table
from shared.adapters.dynamodb.writes import Item, Put, item, text
from shared.app.boots import MAX_PHASES, ended_phases
from shared.app.ports.boots import BootRecord
from shared.app.ports.sessions import Commit
from shared.domain.session.facts import BootPhase
from shared.domain.session.state import SessionId

MAX_ITEMS = 500
"""Read for one answer."""

_PAGE = 50


def phase_writes(commit: Commit) -> list[Put]:
    """Of the attempt that lives: a bridge speaks for no other."""
    if commit.before.attempt is None:
        return []
    attempt, moment = commit.before.attempt.number, keys.instant(commit.now)
    return [
        Put(
            item(
                keys.session(commit.after.id),
                keys.boot_phase(attempt, told.phase, told.repository),
                ended=text(f"{moment} {index:02d}"),
                told=text(values.dump(told)),
            ),
            condition=None,
        )
        for index, told in enumerate(ended_phases(commit.facts))
    ]


def boots(sessions: Table, session_id: SessionId, limit: int) -> Sequence[BootRecord]:
    """Backwards, where the phases of an attempt come before the attempt itself."""
    where = Path(SK).startswith(keys.ATTEMPT)
    query = Query(partition=keys.session(session_id), where=where, newest_first=True, limit=_PAGE)
    found: list[BootRecord] = []
    phases: list[Item] = []
    for row in islice(sessions.items(query), MAX_ITEMS):
        if "told" in row:
            phases.append(row)
            continue
        found.append(_to_record(row, phases))
        phases = []
        if len(found) == limit:
            break
    return found


def _to_record(row: Item, phases: Sequence[Item]) -> BootRecord:
    in_order = sorted(phases, key=lambda phase: phase["ended"]["S"])
    return BootRecord(
        attempt=int(row[SK]["S"].removeprefix(keys.ATTEMPT)),
        boot=_boot(row),
        status=_text(row, "status"),
        phase=_text(row, "phase"),
        started_at=_moment(row, "started_at"),
        launched_at=_moment(row, "launched_at"),
        connected_at=_moment(row, "connected_at"),
        ready_at=_moment(row, "ready_at"),
        ended_at=_moment(row, "ended_at"),
        retired_at=_moment(row, "retired_at"),
        ending=_text(row, "ending"),
        error=_text(row, "error"),
        phases=tuple(values.load(BootPhase, it["told"]["S"]) for it in in_order[:MAX_PHASES]),
    )


def _boot(row: Item) -> str:
    """Rows from before there were four ways say only whether the attempt resumed."""
    if "boot" in row:
        return row["boot"]["S"]
    return "resume" if row.get("resumed", {}).get("BOOL") else "fresh"


def _text(row: Item, name: str) -> str | None:
    return row[name]["S"] if name in row else None


def _moment(row: Item, name: str) -> datetime | None:
    return datetime.fromisoformat(row[name]["S"]) if name in row else None
