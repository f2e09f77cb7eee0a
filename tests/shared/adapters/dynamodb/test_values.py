"""What is stored comes back equal, also by code that is older or newer than what stored it."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.adapters.dynamodb.values import compact, dump, load, plain, restored
from shared.app.ports.connections import BridgeLink, Viewer
from shared.app.ports.sandbox_settings import Chosen
from shared.app.ports.workspace import Ticket, User
from shared.domain.session.decision import ArmTimer, CompleteTask, StartLife
from shared.domain.session.sandbox import Attempt
from shared.domain.session.state import Session
from tests import build

_MOMENTS = st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30))]))
st.register_type_strategy(datetime, _MOMENTS)
st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))
_STORED = (
    *(Session, Attempt, Viewer, BridgeLink, Ticket, User, Chosen),
    *(StartLife, CompleteTask, ArmTimer),
)


@given(data=st.data(), kind=st.sampled_from(_STORED))
@settings(deadline=None)
def test_every_stored_value_comes_back_equal(data: st.DataObject, kind: type[Any]):
    value = data.draw(st.from_type(kind))

    assert load(kind, dump(value)) == value


@dataclass(frozen=True)
class Older:
    name: str


@dataclass(frozen=True)
class Newer:
    name: str
    size: timedelta = timedelta(seconds=3)
    parts: tuple[int, ...] = ()


def test_a_field_that_was_not_stored_takes_its_default():
    assert load(Newer, dump(Older("x"))) == Newer("x")


def test_a_field_that_nobody_knows_any_more_is_dropped():
    assert load(Older, dump(Newer("x", timedelta(days=1), (1, 2)))) == Older("x")


def test_a_field_without_a_default_has_to_be_there():
    with pytest.raises(TypeError, match="name"):
        restored(Older, {})


def test_a_session_from_before_there_were_settings_has_chosen_nothing():
    session = build.session()
    stored = {name: it for name, it in plain(session).items() if name != "settings"}

    assert restored(Session, stored) == session


def test_what_is_absent_costs_nothing():
    attempt = build.attempt(1)

    assert "armed" not in plain(attempt)


@given(st.text(alphabet=st.characters(codec=None, categories=["L", "N", "S", "Cs"])))
def test_every_text_can_be_stored_even_without_a_utf8_of_its_own(text: str):
    stored = compact({"text": text})

    assert stored.encode()
    assert json.loads(stored) == {"text": text}


def test_text_is_stored_as_it_is():
    assert compact({"text": "grüße"}) == '{"text":"grüße"}'
