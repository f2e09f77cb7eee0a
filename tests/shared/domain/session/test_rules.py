"""The durations of the product."""

from datetime import timedelta

from shared.domain.session.rules import DEFAULT_RULES, Rules


def test_the_defaults_are_those_of_the_product():
    assert (
        Rules(
            connect_watchdog=timedelta(minutes=4),
            boot_budget=timedelta(minutes=30),
            heartbeat=timedelta(seconds=90),
            inactivity=timedelta(minutes=10),
            watched_extension=timedelta(minutes=5),
            watched_limit=timedelta(minutes=60),
            stop_confirmation=timedelta(seconds=15),
            drain_stop=timedelta(seconds=60),
            final_buffer=timedelta(minutes=10),
            save_interval=timedelta(minutes=5),
            expiry_unknown=timedelta(seconds=30),
            breaker_failures=3,
            breaker_window=timedelta(minutes=5),
        )
        == DEFAULT_RULES
    )
