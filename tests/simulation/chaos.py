"""Which faults there are, how likely each is, and how often each has struck.

A seed makes some kinds frequent, some rare and some impossible: a world in which everything breaks
at once never gets far enough to break in an interesting way.
"""

from collections import Counter
from random import Random
from types import MappingProxyType
from typing import Final

_WIRES: Final = ("bridge", "server", "client")
"""Messages of the bridge, of the server to the bridge, and to and from clients."""

_OF_MESSAGES: Final = {"lost": 0.012, "duplicated": 0.02, "delayed": 0.012, "reordered": 0.03}

FAULTS: Final = MappingProxyType(
    {
        **{f"{w} message {what}": p for w in _WIRES for what, p in _OF_MESSAGES.items()},
        "handshake lost": 0.03,
        "socket dropped": 0.004,
        "lambda killed before a call": 0.002,
        "lambda killed after a call": 0.002,
        "lambda stalled": 0.006,
        "invocation lost": 0.004,
        "read failed": 0.002,
        "write never arrived": 0.004,
        "write's answer lost": 0.008,
        "transaction conflict": 0.004,
        "race lost": 0.0,
        "provider slow": 0.04,
        "provider late": 0.06,
        "provider failed before": 0.04,
        "provider failed after success": 0.04,
        "provider refused": 0.03,
        "provider refuses for a while": 0.002,
        "provider at its limit": 0.02,
        "workflow call failed": 0.02,
        "workflow answer lost": 0.02,
        "step run twice": 0.02,
        "step's answer lost": 0.01,
        "task completion delayed": 0.08,
        "task completion repeated": 0.08,
        "execution aborted": 0.0015,
        "poke lost": 0.1,
        "poke repeated": 0.1,
        "poke late": 0.1,
        "poke early": 0.1,
        "sweep lost": 0.1,
        "sweep repeated": 0.1,
        "sweep late": 0.1,
        "sandbox killed": 0.0006,
        "sandbox lost handing in": 0.012,
        "sleeping sandbox lost": 0.004,
        "copies lost, too": 0.2,
        "woken with older files": 0.5,
        "sandbox paused by the provider": 0.0008,
        "sandbox broken": 0.0015,
        "end not said for a while": 0.002,
        "bridge killed": 0.002,
        "bridge killed while writing": 0.01,
        "mark not left": 0.03,
        "supervisor killed": 0.0004,
        "boot failed": 0.015,
        "boot hung": 0.008,
        "turn long": 0.06,
        "stop ignored": 0.2,
        "agent failed": 0.06,
        "clock jumped": 0.002,
        "time leapt": 0.004,
    }
)
"""Each with its chance at an opportunity: a message, a call, a step."""

_LEVELS: Final = (0.0, 0.3, 1.0, 1.0, 3.0)


class Chaos:
    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self.struck: Counter[str] = Counter()
        self.chances = {kind: chance * rng.choice(_LEVELS) for kind, chance in FAULTS.items()}
        self.quiet = False

    def strikes(self, kind: str) -> bool:
        if self.quiet or self._rng.random() >= self.chances[kind]:
            return False
        self.struck[kind] += 1
        return True

    def one_of(self, kinds: tuple[str, ...]) -> str | None:
        """At most one of them strikes: one draw for an opportunity that comes often."""
        if self.quiet:
            return None
        drawn = self._rng.random()
        for kind in kinds:
            drawn -= self.chances[kind]
            if drawn < 0:
                self.struck[kind] += 1
                return kind
        return None
