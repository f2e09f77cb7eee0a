"""The wire between a browser (or our command line) and the server.

The socket is opened with `?ticket=`; the client then says `subscribe`, is answered with
`subscribed`, and gets a `frame` for everything that is stored from then on. A client's cursor is
one integer, the newest slot it has without a hole; a hole is fetched with `fetch` (or over HTTP),
and every `pong` carries the tail, so that the last frame cannot be missed either.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from shared.protocol.api import AuthorView, Effort, ModelId, SessionView
from shared.protocol.attachments import AttachmentIds
from shared.protocol.base import MAX_SLOT, Identifier, Strict

# From the client.


class Subscribe(Strict):
    """`after`: the cursor to resume from; None: start with the newest page."""

    type: Literal["subscribe"] = "subscribe"
    after: int | None = Field(default=None, ge=0, le=MAX_SLOT)


class Prompt(Strict):
    """At most 32 KB on this wire; a longer one goes over HTTP."""

    type: Literal["prompt"] = "prompt"
    request_id: Identifier
    text: str
    author: AuthorView | None = None
    model: ModelId | None = None
    effort: Effort | None = None
    attachments: AttachmentIds = []


class CancelPrompt(Strict):
    type: Literal["cancel_prompt"] = "cancel_prompt"
    request_id: Identifier
    prompt: int = Field(ge=1)


class Stop(Strict):
    """`prompt`: which one, so that a late stop does not hit the next; None: whatever runs."""

    type: Literal["stop"] = "stop"
    request_id: Identifier
    prompt: int | None = Field(default=None, ge=1)


class ResumeQueue(Strict):
    """What waits behind a turn that was cut off may go on."""

    type: Literal["resume_queue"] = "resume_queue"
    request_id: Identifier


class Typing(Strict):
    """Somebody is about to ask for something: a sandbox that sleeps is woken."""

    type: Literal["typing"] = "typing"


class Presence(Strict):
    type: Literal["presence"] = "presence"
    visible: bool


class Ping(Strict):
    type: Literal["ping"] = "ping"


class Fetch(Strict):
    """A piece of the timeline: what follows `after`, or the page before `before`."""

    type: Literal["fetch"] = "fetch"
    after: int | None = Field(default=None, ge=0, le=MAX_SLOT)
    before: int | None = Field(default=None, ge=1, le=MAX_SLOT)
    limit: int = Field(default=100, ge=1, le=200)


type FromClient = Annotated[
    Subscribe | Prompt | CancelPrompt | Stop | ResumeQueue | Typing | Presence | Ping | Fetch,
    Field(discriminator="type"),
]

# From the server.


class Item(Strict):
    """Something that happened, named as watchers know it.

    `sandbox_event` wraps what the bridge said in `event`; the server's own facts carry their fields
    in `event` too, under their own name: `session_status`, `sandbox_spawning`, `sandbox_status`,
    `snapshot_saved`, `tunnels`, `artifact_created`, `prompt_queued`, `prompt_dispatched`,
    `prompt_finished`, `queue_held`, `queue_resumed`, `stop_requested`, `title`.
    """

    type: str
    event: dict[str, Any]


class Frame(Strict):
    type: Literal["frame"] = "frame"
    seq: int
    at: datetime
    attempt: int | None = None
    items: list[Item]


class Participant(Strict):
    user: str
    name: str
    status: Literal["active", "idle"]


class Subscribed(Strict):
    """The snapshot: the session as it is now, and the slots that were asked for.

    `more`: there is more behind this page; fetch on from its last slot. `tail` is the newest slot
    that was looked at.
    """

    type: Literal["subscribed"] = "subscribed"
    session: SessionView
    user: str
    participants: list[Participant]
    frames: list[Frame]
    tail: int
    more: bool


class Page(Strict):
    """The answer to `fetch`; `more` when the 24 KB of an answer did not hold all of it."""

    type: Literal["page"] = "page"
    frames: list[Frame]
    tail: int
    more: bool


class PresenceUpdate(Strict):
    type: Literal["presence_update"] = "presence_update"
    participants: list[Participant]


class PromptAccepted(Strict):
    type: Literal["prompt_accepted"] = "prompt_accepted"
    request_id: str
    prompt: int


class Done(Strict):
    """A request without an answer of its own was carried out."""

    type: Literal["done"] = "done"
    request_id: str


class Pong(Strict):
    type: Literal["pong"] = "pong"
    tail: int


class Error(Strict):
    type: Literal["error"] = "error"
    code: str
    message: str
    request_id: str | None = None


type ToClient = Annotated[
    Subscribed | Frame | Page | PresenceUpdate | PromptAccepted | Done | Pong | Error,
    Field(discriminator="type"),
]

FROM_CLIENT: TypeAdapter[FromClient] = TypeAdapter(FromClient)
TO_CLIENT: TypeAdapter[ToClient] = TypeAdapter(ToClient)
