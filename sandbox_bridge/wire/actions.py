"""What the conversation with the server asks of the world around it."""

from dataclasses import dataclass

from sandbox_bridge.wire.encoding import Said
from sandbox_bridge.wire.frame import Frame
from shared.protocol.attachments import Attached
from shared.protocol.bridge import Orders


@dataclass(frozen=True, slots=True)
class Send:
    text: str


@dataclass(frozen=True, slots=True)
class Keep:
    """Put the frame on disk. It comes before the frame's first `Send`."""

    frame: Frame


@dataclass(frozen=True, slots=True)
class Forget:
    """The frame on disk is settled."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The server has these events. It comes before their frame is forgotten."""

    events: list[Said]


@dataclass(frozen=True, slots=True)
class Dropped:
    """The server will never have these events: it refused their frame for good."""

    events: list[Said]


@dataclass(frozen=True, slots=True)
class Obey:
    orders: Orders


@dataclass(frozen=True, slots=True)
class CompareNow:
    """Somebody waits to see what has changed."""


@dataclass(frozen=True, slots=True)
class Fetched:
    prompt: int
    text: str
    author_name: str
    author_email: str
    model: str
    effort: str | None = None
    attachments: tuple[Attached, ...] = ()


@dataclass(frozen=True, slots=True)
class Unfetchable:
    prompt: int
    reason: str


@dataclass(frozen=True, slots=True)
class HangUp:
    """The socket is of no use any more: open another one."""

    reason: str


@dataclass(frozen=True, slots=True)
class Leave:
    """This attempt is over."""

    reason: str


type Action = (
    Send
    | Keep
    | Forget
    | Settled
    | Dropped
    | Obey
    | CompareNow
    | Fetched
    | Unfetchable
    | HangUp
    | Leave
)
type Actions = tuple[Action, ...]
