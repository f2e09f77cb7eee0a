"""What the bridge asks of any harness, and what a harness may ask of the bridge.

A harness never says `execution_complete`: it returns an outcome, and the bridge says it once.

    HarnessFailed     the agent can't run at all: the boot or the turn ends with its sentence
    WritesRefused     the workspace was not ready in time: the tool that waited gets the sentence
    NotHandedIn       what the agent handed in was not taken: the tool gets the sentence
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from shared.domain.tokens import NO_TOKENS, Tokens
from shared.protocol.events import BridgeEvent
from shared.protocol.pull_requests import NewPullRequest

type Emit = Callable[[BridgeEvent], None]
"""Never blocks: the bridge gathers what it is given and sends it when it can.

Known secrets are hidden behind it, also those in several deltas of one part. A harness that cuts
a text, or makes several parts of it, has to do so before: half a secret is not recognised.
"""


class HarnessFailed(Exception):
    """Carries one sentence for the user."""


class WritesRefused(Exception):
    """Carries one sentence for the agent, which reads it as the result of its tool."""


class NotHandedIn(Exception):
    """Carries one sentence for the agent, which reads it as the result of its tool."""


type HandIn = Callable[[str, str], Awaitable[str]]
"""The path of an image and its title; the answer is for the agent. Raises `NotHandedIn`."""


type OpenPullRequest = Callable[[NewPullRequest], Awaitable[str]]
"""The answer is for the agent. Raises `NotHandedIn`."""


@dataclass(frozen=True, slots=True)
class TurnFile:
    """An image that somebody attached to the prompt."""

    name: str
    type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Turn:
    """One prompt. `model` is `provider/model`; `effort` is one that the catalogue has for it."""

    number: int
    text: str
    model: str
    effort: str | None = None
    files: tuple[TurnFile, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a turn ended, and what all its model calls cost in dollars.

    `tokens` are the bridge's to count, from the steps that the harness says.
    """

    status: Literal["completed", "failed", "stopped"]
    error: str | None = None
    cost: float = 0.0
    tokens: Tokens = NO_TOKENS


class WriteGate(Protocol):
    async def wait(self) -> None:
        """Returns when the agent may write; raises WritesRefused after the gate's own deadline."""
        ...


class OpenGate:
    """Never waits: what the agent may write was ready before it started."""

    async def wait(self) -> None:
        return


class Harness(Protocol):
    name: str

    async def start(self) -> None:
        """Returns when the agent takes turns; raises HarnessFailed."""
        ...

    async def run(self, turn: Turn, emit: Emit) -> Outcome:
        """One turn at a time. Cancelling it stops the agent before the cancellation goes on."""
        ...

    async def stop_turn(self) -> bool:
        """Ends the running turn; true when nothing that its tools started runs any more."""
        ...

    async def close(self) -> None: ...
