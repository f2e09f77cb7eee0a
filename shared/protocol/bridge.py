"""The wire between a sandbox's bridge and the server.

The bridge connects with `Authorization: Bearer <token>` and says `hello`; the answer is `welcome`.
Then each message of the bridge has exactly one answer:

    hello       ─▶ welcome
    frame       ─▶ ack | refused        at most one frame is in flight
    heartbeat   ─▶ orders
    get_prompt  ─▶ prompt_part | refused

The server also sends `orders` unasked, as a hint, and `compare` to a bridge that knows it. Orders
repeat what to do until the bridge's own event has made it something else; both sides treat a
repetition as nothing new.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, TypeAdapter

from shared.protocol.attachments import Attached
from shared.protocol.base import MAX_PROMPT, Identifier, Tolerant

PROTOCOL = 3
"""What our own bridges speak. A sandbox that slept through an update wakes with an older one.

1: no `marker`, and a boot that is complete when it is ready.
2: does not `compare`.
"""

COMPARES = 3
"""The first protocol whose bridges do."""

MAX_FRAME_BYTES = 24 * 1024
"""Of a whole `frame` message as JSON; the bridge splits before, the server refuses more."""

MAX_FRAME_EVENTS = 100
PROMPT_PART_CHARS = 4_500
"""At 6 bytes for an escaped control character, a part stays below a WebSocket frame of 32 KB."""

type Cursor = Annotated[str, StringConstraints(max_length=400)]
"""Opaque and signed: only the server makes one."""


# From the bridge.


class Hello(Tolerant):
    """`marker`: the newest prompt whose turn has left its files on this disk; 0 before the first.

    None: this bridge does not know of markers.
    """

    type: Literal["hello"] = "hello"
    protocol: int = 1
    version: str = ""
    marker: int | None = Field(default=None, ge=0, le=MAX_PROMPT)


class FrameMessage(Tolerant):
    """Never changes once it was sent: the same id with the same `after` and the same events."""

    type: Literal["frame"] = "frame"
    id: Identifier
    after: Cursor
    events: list[dict[str, Any]] = Field(min_length=1, max_length=MAX_FRAME_EVENTS)


class Heartbeat(Tolerant):
    type: Literal["heartbeat"] = "heartbeat"


class GetPrompt(Tolerant):
    """The text of a prompt from `offset` on, in parts.

    `attachments`: this bridge fetches them; for one that does not, the text says what is missing.
    """

    type: Literal["get_prompt"] = "get_prompt"
    prompt: int = Field(ge=1, le=MAX_PROMPT)
    offset: int = Field(ge=0, default=0)
    attachments: bool = False


type FromBridge = Annotated[
    Hello | FrameMessage | Heartbeat | GetPrompt, Field(discriminator="type")
]

# From the server.

type Do = Literal["idle", "run", "stop", "retire"]


class Orders(Tolerant):
    """`run` and `stop` name the prompt; a stop for a prompt not yet seen is remembered."""

    type: Literal["orders"] = "orders"
    do: Do
    prompt: int | None = None


class Welcome(Tolerant):
    type: Literal["welcome"] = "welcome"
    cursor: Cursor
    orders: Orders


class Ack(Tolerant):
    type: Literal["ack"] = "ack"
    id: Identifier
    cursor: Cursor


class Refused(Tolerant):
    """`final`: never send it again. `retired`: this attempt is over, leave."""

    type: Literal["refused"] = "refused"
    id: str = ""
    code: str
    message: str
    final: bool = True
    retired: bool = False


class PromptPart(Tolerant):
    type: Literal["prompt_part"] = "prompt_part"
    prompt: int
    offset: int
    text: str
    total: int
    author_name: str
    author_email: str
    model: str
    effort: str | None = None
    attachments: list[Attached] = []
    """With each part: the bridge keeps those of the last."""


class Compare(Tolerant):
    """Somebody wants to see what has changed by now. It has no answer but a new bundle."""

    type: Literal["compare"] = "compare"


type ToBridge = Annotated[
    Welcome | Ack | Refused | Orders | PromptPart | Compare, Field(discriminator="type")
]

FROM_BRIDGE: TypeAdapter[FromBridge] = TypeAdapter(FromBridge)
TO_BRIDGE: TypeAdapter[ToBridge] = TypeAdapter(ToBridge)


class RepositorySpec(Tolerant):
    url: str
    name: str
    branch: str | None = None


type BootPath = Literal["fresh", "resume", "restore", "image"]
"""`resume`: the session's own sandbox again. `restore`: a copy of it. `image`: a prebuilt one."""


class Identity(Tolerant):
    """What the supervisor is told at launch: a file on a tmpfs that it reads and deletes.

    `resumed`: the workspace has the files of an earlier attempt, so nothing is cloned and setup is
    not run; a bridge of protocol 1 knows no other word. `environment` carries secrets: those that
    `secret_names` names, whatever they are called.

    `api_url`: where files are fetched and handed in; empty: a server that has none.

    `tunnels`: the public address of each of `tunnel_ports`; one that is missing is still to come.
    """

    session: str
    attempt: int
    token: str
    socket_url: str
    api_url: str = ""
    repositories: list[RepositorySpec]
    session_branch: str
    resumed: bool = False
    boot: BootPath | None = None
    """None: a server that knows of `resumed` only."""
    sandbox_id: str = ""
    tunnel_ports: list[int] = []
    tunnels: dict[str, str] = {}
    environment: dict[str, str] = {}
    secret_names: list[str] = []
    """Which of `environment` nobody may see, where what it says is shown."""
    heartbeat_seconds: float = 30.0


IDENTITY_PATH = "/dev/shm/outboard/identity.json"  # noqa: S108  the sandbox's own tmpfs
