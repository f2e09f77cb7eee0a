"""Which status may follow which: everything that moves a status is checked against these tables.

A status that is not a key here does not exist; a move that is not in its row is a bug in `decide`,
and `evolve` raises instead of storing it.
"""

from collections.abc import Mapping
from types import MappingProxyType

from shared.domain.session.sandbox import SandboxStatus
from shared.domain.session.state import SessionStatus

type Moves[S] = Mapping[S, frozenset[S]]


class IllegalMove(AssertionError):
    """A decision asked for a status that cannot follow the present one."""


def _table[S](moves: Mapping[S, set[S]]) -> Moves[S]:
    return MappingProxyType({status: frozenset(after) for status, after in moves.items()})


_S = SessionStatus
SESSION_MOVES: Moves[SessionStatus] = _table(
    {
        _S.CREATED: {_S.ACTIVE, _S.ARCHIVED, _S.CANCELLED},
        _S.ACTIVE: {_S.CREATED, _S.COMPLETED, _S.FAILED, _S.CANCELLED},
        _S.COMPLETED: {_S.ACTIVE, _S.ARCHIVED, _S.CANCELLED},
        _S.FAILED: {_S.ACTIVE, _S.ARCHIVED, _S.CANCELLED},
        _S.ARCHIVED: {_S.CREATED, _S.COMPLETED, _S.FAILED, _S.CANCELLED},
        _S.CANCELLED: set(),
    }
)

_B = SandboxStatus
SANDBOX_MOVES: Moves[SandboxStatus] = _table(
    {
        _B.PENDING: {_B.WARMING, _B.SPAWNING},
        _B.WARMING: {_B.SPAWNING, _B.CONNECTING, _B.STOPPED, _B.FAILED},
        _B.SPAWNING: {_B.CONNECTING, _B.STOPPED, _B.FAILED},
        _B.CONNECTING: {_B.READY, _B.STOPPED, _B.FAILED},
        _B.READY: {_B.SNAPSHOTTING, _B.STOPPED, _B.STALE, _B.FAILED},
        _B.SNAPSHOTTING: {_B.READY, _B.STOPPED, _B.STALE},
        _B.STOPPED: {_B.WARMING, _B.SPAWNING},
        _B.STALE: {_B.WARMING, _B.SPAWNING},
        _B.FAILED: {_B.WARMING, _B.SPAWNING},
    }
)


def move[S](table: Moves[S], before: S, after: S) -> S:
    """`after`, if it may follow `before`. Raises `IllegalMove`."""
    if after not in table[before]:
        raise IllegalMove(f"{after} cannot follow {before}")
    return after
