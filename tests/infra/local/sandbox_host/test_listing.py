"""Lists: what a query is about, and pages that neither repeat nor lose anything."""

from datetime import UTC, datetime, timedelta
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as some

from infra.local.sandbox_host.listing import Position, page, query
from infra.local.sandbox_host.refusals import Malformed
from tests.infra.local.sandbox_host.made_up import sandbox

positions = some.sets(some.tuples(some.sampled_from(["2026", "2027"]), some.text(max_size=3)))


@given(positions, some.integers(1, 5), some.sampled_from(["asc", "desc"]))
def test_pages_together_are_the_whole_list_in_order(things: set[Position], limit: int, order: str):
    parameters = {"limit": str(limit), "order": order}
    listed: list[Position] = []
    while True:
        some_of_it, header = page(things, parameters, lambda thing: thing)
        listed += some_of_it
        if not header:
            break
        assert len(some_of_it) == limit
        parameters["nextToken"] = header["x-next-token"]

    assert listed == sorted(things, reverse=order == "desc")


def test_what_appears_between_two_pages_moves_nothing():
    first, header = page({("1", "a"), ("3", "c")}, {"limit": "1"}, lambda thing: thing)
    second, _ = page(
        {("1", "a"), ("3", "c"), ("4", "new")},
        {"limit": "1", "nextToken": header["x-next-token"]},
        lambda thing: thing,
    )

    assert (first, second) == ([("3", "c")], [("1", "a")])


@given(some.dictionaries(some.text(min_size=1), some.text(), max_size=3))
def test_metadata_is_understood_as_the_sdk_encodes_it(metadata: dict[str, str]):
    encoded = urlencode({quote(name): quote(value) for name, value in metadata.items()})

    assert query({"metadata": encoded}).metadata == metadata


def test_a_query_wants_what_has_all_it_names():
    one = sandbox(metadata={"a": "1", "b": "2"})

    assert query({}).wants(one, running=True)
    assert query({"metadata": "a=1&b=2", "state": "paused"}).wants(one, running=False)
    assert not query({"metadata": "a=1&b=3"}).wants(one, running=True)
    assert not query({"state": "paused"}).wants(one, running=True)
    assert not query({"template": "another"}).wants(one, running=True)


def test_a_query_may_name_a_moment():
    now = datetime.now(UTC)
    one = sandbox(started_at=now)

    assert query({"startedAfter": (now - timedelta(1)).isoformat()}).wants(one, running=True)
    assert not query({"startedAfter": (now + timedelta(1)).isoformat()}).wants(one, running=True)


@pytest.mark.parametrize(
    "parameters",
    [
        {"limit": "0"},
        {"limit": "101"},
        {"limit": "many"},
        {"nextToken": "nonsense"},
        {"nextToken": "e30="},
    ],
)
def test_nonsense_is_refused(parameters: dict[str, str]):
    with pytest.raises(Malformed):
        page([("1", "a")], parameters, lambda thing: thing)


@pytest.mark.parametrize("moment", ["yesterday", "2026-01-01T00:00:00"])
def test_a_moment_without_a_zone_is_none(moment: str):
    with pytest.raises(Malformed):
        query({"startedAfter": moment})
