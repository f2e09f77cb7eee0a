"""The contract of `Rates`, kept by the fake and by DynamoDB alike."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from shared.domain.rate import Rate
from tests.build import NOW
from tests.fakes.store_faults import Fault
from tests.shared.adapters.dynamodb.bad_network import BadNetwork
from tests.shared.adapters.dynamodb.committing import insist
from tests.shared.adapters.dynamodb.worlds import World

SECOND = timedelta(seconds=1)
RATE = Rate(SECOND, burst=2)


def test_a_burst_goes_at_once_and_the_next_ones_in_turn(world: World):
    going = [world.rates.reserve("create", NOW, RATE) for _ in range(4)]

    assert going == [NOW, NOW, NOW + SECOND, NOW + 2 * SECOND]


def test_each_name_has_its_own(world: World):
    for _ in range(3):
        world.rates.reserve("create", NOW, RATE)

    assert world.rates.reserve("other", NOW, RATE) == NOW


def test_after_rest_it_is_as_at_the_beginning(world: World):
    for _ in range(3):
        world.rates.reserve("create", NOW, RATE)
    later = NOW + timedelta(seconds=3, microseconds=5)

    assert [world.rates.reserve("create", later, RATE) for _ in range(3)] == [
        later,
        later,
        later + SECOND,
    ]


def test_who_would_wait_too_long_takes_no_place(world: World):
    for _ in range(3):
        world.rates.reserve("create", NOW, RATE)

    told = [world.rates.reserve("create", NOW, RATE, within=SECOND) for _ in range(3)]

    assert told == [NOW + 2 * SECOND] * 3
    assert world.rates.reserve("create", NOW, RATE) == NOW + 2 * SECOND


def test_who_would_wait_just_so_long_has_a_place(world: World):
    for _ in range(2):
        world.rates.reserve("create", NOW, RATE)

    assert world.rates.reserve("create", NOW, RATE, within=SECOND) == NOW + SECOND

    assert world.rates.reserve("create", NOW, RATE) == NOW + 2 * SECOND


def test_a_clock_that_is_behind_makes_nothing_go_more_often(world: World):
    for _ in range(2):
        world.rates.reserve("create", NOW, RATE)

    behind = world.rates.reserve("create", NOW - timedelta(hours=1), RATE)

    assert behind == NOW + SECOND


def test_a_lost_answer_costs_a_place_and_no_more(world: World):
    world.faults.plan(Fault.LOST)

    insist(lambda: world.rates.reserve("create", NOW, RATE))

    assert world.rates.reserve("create", NOW, RATE) == NOW + SECOND


def test_of_many_at_once_each_has_a_place_of_its_own(world: World):
    with ThreadPoolExecutor(8) as pool:
        going = list(pool.map(lambda _: world.rates.reserve("create", NOW, RATE), range(24)))

    assert sorted(going) == [NOW, *(NOW + place * SECOND for place in range(23))]


@pytest.mark.local_aws
def test_a_place_costs_one_write_and_one_in_line_two(dynamodb: World, network: BadNetwork):
    rate = Rate(SECOND)

    dynamodb.rates.reserve("create", NOW, rate)
    alone = dict(network.counts)
    dynamodb.rates.reserve("create", NOW, rate)

    assert (alone, network.counts) == ({"UpdateItem": 1}, {"UpdateItem": 3})
