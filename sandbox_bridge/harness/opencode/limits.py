"""How long the harness puts up with a model, a server and a turn."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class Limits:
    """OpenCode itself asks a model that refuses again and again, without an end."""

    attempts: int = 5
    refusing: timedelta = timedelta(seconds=120)
    turn: timedelta | None = None
    start: timedelta = timedelta(seconds=60)
    reconnect: timedelta = timedelta(seconds=15)
    rest: timedelta = timedelta(seconds=4)
    """For the agent to come to rest after an abort, before its server is killed."""
    tools: timedelta = timedelta(seconds=4)
    """For what its tools started to be gone."""
