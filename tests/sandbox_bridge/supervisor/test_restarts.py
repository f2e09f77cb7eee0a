from datetime import timedelta

from sandbox_bridge.supervisor.restarts import LIVED_WELL, MOST_IN_A_ROW, Restarts

AT_ONCE = timedelta(seconds=1)


def test_delays_grow_until_enough_have_failed():
    restarts = Restarts()

    delays = [restarts.after(AT_ONCE) for _ in range(MOST_IN_A_ROW + 1)]

    seconds = [delay.total_seconds() for delay in delays if delay]
    assert seconds == [0.5, 1, 2, 4, 8, 16]
    assert delays[-1] is None


def test_a_bridge_that_lived_well_is_forgiven():
    restarts = Restarts()
    for _ in range(MOST_IN_A_ROW):
        restarts.after(AT_ONCE)

    assert restarts.after(LIVED_WELL) == timedelta(seconds=0.5)
