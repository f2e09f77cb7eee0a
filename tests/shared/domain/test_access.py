"""Scopes: each holds all that is before it, and no more."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.access import SCOPES, Scope, Subject, check, covers, needed
from shared.domain.errors import Forbidden

SUBJECTS: tuple[Subject, ...] = get_args(Subject.__value__)
scopes = st.sampled_from(SCOPES)


@given(scopes, scopes, scopes)
def test_what_covers_a_scope_covers_all_that_it_covers(a: Scope, b: Scope, c: Scope):
    assert covers(a, a)
    assert covers(a, b) or covers(b, a)
    assert not (covers(a, b) and covers(b, c)) or covers(a, c)
    assert covers("admin", a)
    assert covers(a, "read")


@given(st.sampled_from(SUBJECTS))
def test_a_change_never_needs_less_than_a_look(subject: Subject):
    assert covers(needed(subject, changes=True), needed(subject, changes=False))
    assert needed(subject, changes=True) != "read"


@pytest.mark.parametrize("subject", [subject for subject in SUBJECTS if subject != "work"])
def test_nothing_but_work_is_changed_below_admin(subject: Subject):
    with pytest.raises(Forbidden):
        check("write", needed(subject, changes=True))
