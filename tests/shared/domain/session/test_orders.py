"""What the bridge is told, whenever it asks."""

import pytest

from shared.domain.session.orders import IDLE, RETIRE, Orders, orders
from shared.domain.session.sandbox import Ending
from tests import build
from tests.shared.domain.session import situations


def test_a_booting_bridge_waits():
    assert orders(situations.connecting(situations.FIRST), 1) == IDLE


def test_an_idle_bridge_waits():
    assert orders(situations.ready(), 1) == IDLE


def test_the_running_prompt_is_named_until_its_end_is_known():
    assert orders(situations.running(situations.SECOND), 1) == Orders("run", 1)


def test_a_stop_names_the_prompt_that_it_is_about():
    assert orders(situations.running(stop=situations.STOPPING), 1) == Orders("stop", 1)


@pytest.mark.parametrize("ending", list(Ending))
def test_from_its_ending_on_a_bridge_has_to_leave(ending: Ending):
    assert orders(situations.ended(ending), 1) == RETIRE


def test_a_bridge_of_another_attempt_has_to_leave():
    assert orders(situations.running(), 2) == RETIRE
    assert orders(build.session(), 1) == RETIRE
