"""The status tables: complete, closed, and with no dead ends but the intended one."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.session.moves import SANDBOX_MOVES, SESSION_MOVES, IllegalMove, move
from shared.domain.session.sandbox import SandboxStatus
from shared.domain.session.state import SessionStatus


def test_every_status_has_its_row():
    assert set(SESSION_MOVES) == set(SessionStatus)
    assert set(SANDBOX_MOVES) == set(SandboxStatus)


def test_cancelled_is_the_only_end():
    ends = {status for status, after in SESSION_MOVES.items() if not after}

    assert ends == {SessionStatus.CANCELLED}
    assert all(SANDBOX_MOVES.values())


def test_every_status_can_be_reached_from_the_first():
    assert _reachable(SESSION_MOVES, SessionStatus.CREATED) == set(SessionStatus)
    assert _reachable(SANDBOX_MOVES, SandboxStatus.PENDING) == set(SandboxStatus)


def test_work_is_never_archived_and_every_open_session_can_be_cancelled():
    assert SessionStatus.ARCHIVED not in SESSION_MOVES[SessionStatus.ACTIVE]
    open_ones = set(SessionStatus) - {SessionStatus.CANCELLED}
    assert all(SessionStatus.CANCELLED in SESSION_MOVES[status] for status in open_ones)


def test_a_dead_sandbox_only_starts_again_and_never_just_comes_back():
    dead = (SandboxStatus.STOPPED, SandboxStatus.STALE, SandboxStatus.FAILED)

    assert {SANDBOX_MOVES[status] for status in dead} == {
        frozenset({SandboxStatus.WARMING, SandboxStatus.SPAWNING})
    }


@given(st.sampled_from(SessionStatus), st.sampled_from(SessionStatus))
def test_a_move_is_what_the_table_says_or_an_error(before: SessionStatus, after: SessionStatus):
    if after in SESSION_MOVES[before]:
        assert move(SESSION_MOVES, before, after) is after
    else:
        with pytest.raises(IllegalMove, match=f"{after} cannot follow {before}"):
            move(SESSION_MOVES, before, after)


def test_nothing_moves_to_where_it_is():
    assert not [status for status, after in SESSION_MOVES.items() if status in after]
    assert not [status for status, after in SANDBOX_MOVES.items() if status in after]


def _reachable[S](moves: Mapping[S, frozenset[S]], start: S) -> set[S]:
    found, fresh = {start}, [start]
    while fresh:
        new = moves[fresh.pop()] - found
        found |= new
        fresh.extend(new)
    return found
