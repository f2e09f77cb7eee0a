"""The durations that a deployment may choose, with the defaults of the product."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class Rules:
    connect_watchdog: timedelta = timedelta(minutes=4)
    """From launch until the bridge connects: the provider's part of a boot."""

    boot_budget: timedelta = timedelta(minutes=30)
    """From launch until ready; `SANDBOX_BOOT_TIMEOUT_MS`."""

    heartbeat: timedelta = timedelta(seconds=90)
    """A bridge that is silent for longer is taken for dead."""

    inactivity: timedelta = timedelta(minutes=10)
    """`SANDBOX_INACTIVITY_TIMEOUT_MS`."""

    watched_extension: timedelta = timedelta(minutes=5)
    """How much longer an idle sandbox stays, at a time, while somebody watches."""

    watched_limit: timedelta = timedelta(minutes=60)
    """All extensions of one idle period together."""


DEFAULT_RULES = Rules()
