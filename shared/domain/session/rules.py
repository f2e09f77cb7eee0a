"""The durations that a deployment may choose, with the defaults of the product."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Self

from shared.domain.sandbox_settings import DEFAULT_FINAL_BUFFER, SandboxSettings


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

    stop_confirmation: timedelta = timedelta(seconds=15)
    """For the bridge to say that what was stopped has ended."""

    drain_stop: timedelta = timedelta(seconds=60)
    """The same, when it is the sandbox's lifetime that ends the turn."""

    final_buffer: timedelta = DEFAULT_FINAL_BUFFER
    """Before the provider puts a sandbox away, we do: stop, save and retire, in this order."""

    save_interval: timedelta = timedelta(minutes=5)
    """Between two copies of the files that nobody asked for."""

    expiry_unknown: timedelta = timedelta(seconds=30)
    """How soon the provider is asked again when a sandbox's end is unknown and it is not silent."""

    expiry_patience: timedelta = timedelta(minutes=10)
    """How long prompts wait for a provider to say when their sandbox ends."""

    breaker_failures: int = 3
    breaker_window: timedelta = timedelta(minutes=5)
    """So many failures within that time, and nothing is started until the oldest is as old."""

    def of(self, chosen: SandboxSettings) -> Self:
        """With what one session has pinned."""
        return replace(
            self,
            inactivity=chosen.inactivity or self.inactivity,
            final_buffer=chosen.final_buffer or self.final_buffer,
        )


DEFAULT_RULES = Rules()


@dataclass(frozen=True, slots=True)
class Moment:
    """When something is decided, and by which durations."""

    now: datetime
    rules: Rules
