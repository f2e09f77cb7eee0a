"""Keys sort as what they stand for."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.adapters.dynamodb.keys import (
    LIST_SHARDS,
    SESSION_INDEXES,
    definition,
    due_shard,
    due_shards,
    instant,
    list_shard,
    list_shards,
    prompt,
    seq_of,
    slot,
)
from shared.domain.listing import Shelf
from shared.domain.session.state import SessionId

ZONES = st.sampled_from([UTC, timezone(timedelta(hours=-7))])
MOMENTS = st.datetimes(timezones=ZONES).filter(lambda moment: 1 < moment.year < 9999)


@given(st.integers(0, 10**12 - 1), st.integers(0, 10**12 - 1))
def test_slots_sort_as_numbers(one: int, other: int):
    assert (slot(one) < slot(other)) == (one < other)
    assert seq_of(slot(one)) == one


@given(st.integers(0, 10**6 - 1), st.integers(0, 10**6 - 1))
def test_prompts_sort_as_numbers(one: int, other: int):
    assert (prompt(one) < prompt(other)) == (one < other)


@given(MOMENTS, MOMENTS)
@settings(deadline=None)
def test_moments_sort_as_time_does_wherever_they_were_taken(one: datetime, other: datetime):
    assert (instant(one) < instant(other)) == (one < other)
    assert datetime.fromisoformat(instant(one)) == one


def test_sessions_are_spread_over_all_shards_and_no_others():
    sessions = [SessionId(f"session-{number}") for number in range(200)]

    assert {due_shard(session) for session in sessions} == set(due_shards())
    for shelf in Shelf:
        used = {list_shard(session, shelf) for session in sessions}
        assert used == set(list_shards(shelf))
        assert len(used) == LIST_SHARDS[shelf]


def test_a_session_stays_in_its_shard_for_ever():
    # What is stored stays in the shard that it was given; a sweep would not find it in another.
    assert list_shard(SessionId("s1"), Shelf.OPEN) == "open#0"
    assert due_shard(SessionId("s1")) == "0"


def test_a_table_is_defined_with_all_that_its_indexes_need():
    table = definition("sessions", *SESSION_INDEXES)

    columns = [column["AttributeName"] for column in table["AttributeDefinitions"]]
    assert columns[:6] == ["PK", "SK", "due_shard", "due", "list_shard", "list_key"]
    assert columns[6:] == ["alive_shard", "alive_attempt"]
    _, recent, alive = table["GlobalSecondaryIndexes"]
    assert recent["Projection"] == {
        "ProjectionType": "INCLUDE",
        "NonKeyAttributes": ["status", "owner"],
    }
    assert alive["Projection"] == {"ProjectionType": "KEYS_ONLY"}
