"""How many requests the hot paths of the deployed code make of DynamoDB, counted on the wire."""

from collections.abc import Mapping

import pytest

from shared.domain.timeline import Frame
from tests.local_aws import LocalAws
from tests.performance.counting import Count, counted
from tests.performance.real_tables import RealTables, text
from tests.performance.table import Report

pytestmark = pytest.mark.local_aws


def test_a_frame_of_the_agent_is_one_write_and_one_query(aws: LocalAws, report: Report):
    world = RealTables(aws=aws).boot()
    world.subscribe(world.open_socket("viewer"))

    with counted(world.connection) as count:
        world.tell(text("words"))

    report.tell(
        "DynamoDB, an agent's frame with a viewer",
        _words(count.operations),
        budget="1 write, 1 query",
        met=count.operations == {"PutItem": 1, "Query": 1},
    )
    assert count.operations == {"PutItem": 1, "Query": 1}


def test_a_viewer_joins_with_three_reads_however_long_the_session_is(aws: LocalAws, report: Report):
    short, shaking_hands = _joining(aws, frames=1)
    long, _ = _joining(aws, frames=150)

    report.tell(
        "DynamoDB, the subscription of a viewer, 1 and 150 frames",
        _words(long.operations),
        budget="<= 3 reads",
        met=long.reads <= 3,
    )
    report.tell("DynamoDB, its ticket and handshake before that", _words(shaking_hands.operations))
    assert short.operations == long.operations
    assert long.reads <= 3
    assert long.operations["Query"] + shaking_hands.operations["Query"] <= 3


def _joining(aws: LocalAws, *, frames: int) -> tuple[Count, Count]:
    world = RealTables(aws=aws).boot()
    for number in range(frames):
        frame = Frame(f"more-{number}", (text("words"),), 1)
        world.app.timeline.append(world.session, frame, after=number, now=world.ports.clock())
    with counted(world.connection) as shaking_hands:
        watcher = world.open_socket("viewer")
    with counted(world.connection) as subscribing:
        world.subscribe(watcher)
    return subscribing, shaking_hands


def _words(operations: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in sorted(operations.items()))
