"""The server's end of the bridge's wire, in small, on loopback: it checks every rule of it.

It has one session with one attempt. `breaches` are the rules that a bridge broke; a test that used
this server asserts that there are none. `Faults` make it lose, repeat, delay and cut.
"""

import asyncio
import http
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from pydantic import TypeAdapter, ValidationError
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from shared.protocol.attachments import Attached
from shared.protocol.bridge import (
    FROM_BRIDGE,
    MAX_FRAME_BYTES,
    MAX_FRAME_EVENTS,
    PROMPT_PART_CHARS,
    Ack,
    FrameMessage,
    GetPrompt,
    Heartbeat,
    Hello,
    Orders,
    PromptPart,
    Refused,
    ToBridge,
    Welcome,
)
from shared.protocol.events import BridgeEvent

TOKEN = "token-of-this-attempt"
DEADLINE = 30.0

_EVENT: TypeAdapter[BridgeEvent] = TypeAdapter(BridgeEvent)

type Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Faults:
    """Each is the share of messages that it strikes."""

    lost: float = 0.0
    repeated: float = 0.0
    delayed: float = 0.0
    cut_before: float = 0.0
    cut_after: float = 0.0
    seed: int = 0


@dataclass(slots=True)
class BridgeServer:
    faults: Faults = Faults()
    token: str = TOKEN
    status: http.HTTPStatus | None = None
    """Answers every handshake, if it is set."""
    refuse: Callable[[FrameMessage], Refused | None] = lambda _: None
    stored: dict[str, str] = field(default_factory=dict[str, str])
    """The frames of the log by id, to the letter, in order."""
    prompts: dict[int, str] = field(default_factory=dict[int, str])
    author: tuple[str, str] = ("Ada Example", "ada@example.com")
    attachments: list[Attached] = field(default_factory=list[Attached])
    """Of every prompt."""
    breaches: list[str] = field(default_factory=list[str])
    hellos: int = 0
    marker: int = 0
    """The newest prompt that this session's files are believed to have: a hello says no less."""
    heartbeats: int = 0
    hold_acks: bool = False
    _seen: dict[str, str] = field(default_factory=dict[str, str])
    _unanswered: str | None = None
    _cursors: set[str] = field(default_factory=set[str])
    _queue: list[int] = field(default_factory=list[int])
    _running: int | None = None
    _stopping: bool = False
    _retired: bool = False
    _ready: bool = False
    _booting: bool = False
    _boots_since_hello: bool = False
    """Before that a bridge that starts over says what the one before it may not have said."""
    _phases: set[tuple[str, str | None]] = field(default_factory=set[tuple[str, str | None]])
    _socket: ServerConnection | None = None
    _server: Server | None = None
    _port: int = 0
    _chance: random.Random = field(default_factory=random.Random)
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def start(self) -> None:
        """Also again, at the same port, after `stop`."""
        self._chance.seed(self.faults.seed)
        self._server = await serve(
            self._talk, "127.0.0.1", self._port, process_request=self._admit, ping_interval=None
        )
        self._port = next(iter(self._server.sockets)).getsockname()[1]

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self._port}/"

    @property
    def events(self) -> list[Event]:
        """The whole log."""
        return [event for raw in self.stored.values() for event in json.loads(raw)["events"]]

    def of_type(self, kind: str, **fields: Any) -> list[Event]:
        return [event for event in self.events if _has(event, {"type": kind, **fields})]

    @property
    def boots(self) -> int:
        """How many are over, with all that belonged to them."""
        return len(self.of_type("ready", complete=True)) + len(self.of_type("boot_completed"))

    async def submit(self, text: str) -> int:
        number = len(self.prompts) + 1
        self.prompts[number] = text
        self._queue.append(number)
        await self._go_on()
        return number

    async def stop_prompt(self) -> None:
        self._stopping = True
        await self._hint()

    async def retire(self) -> None:
        self._retired = True
        await self._hint()

    async def cut(self) -> None:
        if self._socket:
            self._socket.transport.abort()

    async def until(self, condition: Callable[[], object], within: float = DEADLINE) -> None:
        """The condition is looked at whenever something was stored or said."""
        async with asyncio.timeout(within), self._changed:
            await self._changed.wait_for(lambda: bool(condition()))

    async def until_event(self, kind: str, within: float = DEADLINE, **fields: Any) -> Event:
        await self.until(lambda: self.of_type(kind, **fields), within)
        return self.of_type(kind, **fields)[0]

    async def until_finished(self, prompt: int, within: float = DEADLINE) -> Event:
        return await self.until_event("execution_complete", within, prompt=prompt)

    @property
    def orders(self) -> Orders:
        if self._retired:
            return Orders(do="retire")
        if self._running is None:
            return Orders(do="idle")
        return Orders(do="stop" if self._stopping else "run", prompt=self._running)

    def _admit(self, _connection: ServerConnection, request: Request) -> Response | None:
        if self.status is None and request.headers.get("Authorization") == f"Bearer {self.token}":
            return None
        status = self.status or http.HTTPStatus.UNAUTHORIZED
        return _connection.respond(status, "no\n")

    async def _talk(self, socket: ServerConnection) -> None:
        greeted = False
        try:
            async for text in socket:
                message = self._parse(text)
                if isinstance(message, Hello) == greeted:
                    self.breaches.append(f"{message} on a socket that was greeted: {greeted}")
                greeted, self._socket = True, socket
                if message is not None:
                    await self._strike(socket, message, str(text))
        except ConnectionClosed:
            return

    def _parse(self, text: str | bytes) -> Any:
        try:
            return FROM_BRIDGE.validate_json(text)
        except ValidationError as error:
            self.breaches.append(f"not a message: {error}")
            return None

    async def _strike(self, socket: ServerConnection, message: Any, text: str) -> None:
        faults = self.faults
        if self._chance.random() < faults.cut_before:
            socket.transport.abort()
            return
        answer = await self._answer(message, text)
        if self._chance.random() < faults.delayed:
            await asyncio.sleep(self._chance.random() / 4)
        if answer is None or self._chance.random() < faults.lost:
            return
        self._unanswered = None if isinstance(answer, Ack | Refused) else self._unanswered
        for _ in range(2 if self._chance.random() < faults.repeated else 1):
            await socket.send(answer.model_dump_json(by_alias=True))
        if self._chance.random() < faults.cut_after:
            socket.transport.abort()

    async def _answer(self, message: Any, text: str) -> ToBridge | None:
        match message:
            case Hello():
                self.hellos += 1
                self._boots_since_hello = False
                self._check_marker(message)
                await self._notify()
                return Welcome(cursor=self._cursor(), orders=self.orders)
            case Heartbeat():
                self.heartbeats += 1
                await self._notify()
                return self.orders
            case GetPrompt():
                return self._prompt_part(message)
            case FrameMessage():
                return await self._frame(message, text)
            case _:
                raise AssertionError(message)

    def _check_marker(self, hello: Hello) -> None:
        if hello.marker is None or hello.marker < self.marker:
            self.breaches.append(f"marker {hello.marker} after prompt {self.marker} was answered")

    def _prompt_part(self, asked: GetPrompt) -> ToBridge:
        text = self.prompts.get(asked.prompt)
        if text is None:
            return Refused(code="not_found", message=f"no prompt {asked.prompt}")
        name, email = self.author
        return PromptPart(
            prompt=asked.prompt,
            offset=asked.offset,
            text=text[asked.offset : asked.offset + PROMPT_PART_CHARS],
            total=len(text),
            author_name=name,
            author_email=email,
            model="demo/scripted",
            attachments=self.attachments,
        )

    async def _frame(self, frame: FrameMessage, text: str) -> ToBridge | None:
        self._check(frame, text)
        self._unanswered = frame.id
        if refusal := self.refuse(frame):
            return refusal
        if frame.id not in self.stored:
            self.stored[frame.id] = text
            for event in frame.events:
                self._take(event)
        await self._go_on()
        return None if self.hold_acks else Ack(id=frame.id, cursor=self._cursor())

    def _check(self, frame: FrameMessage, text: str) -> None:
        checks = {
            "one frame in flight": self._unanswered in {None, frame.id},
            "a frame never changes": self._seen.setdefault(frame.id, text) == text,
            "after is a cursor of ours": frame.after in self._cursors,
            "a frame is small": len(text.encode()) <= MAX_FRAME_BYTES,
            "a frame has few events": len(frame.events) <= MAX_FRAME_EVENTS,
        }
        self.breaches += [f"{rule}: {frame.id}" for rule, kept in checks.items() if not kept]
        for event in frame.events:
            try:
                _EVENT.validate_python(event)
            except ValidationError as error:
                self.breaches.append(f"not an event: {error}")

    def _take(self, event: Event) -> None:
        match event:
            case {"type": "ready", "complete": complete}:
                self._ready, self._booting = True, not complete
            case {"type": "boot_completed"}:
                if not self._booting and self._boots_since_hello:
                    self.breaches.append("a boot was completed that was not under way")
                self._booting = False
            case {"type": "boot_progress"}:
                self._check_phase(event)
            case {"type": "execution_complete", "prompt": prompt}:
                if len(self.of_type("execution_complete", prompt=prompt)) > 1:
                    self.breaches.append(f"prompt {prompt} was answered twice")
                self.marker = max(self.marker, prompt)
                if prompt == self._running:
                    self._running, self._stopping = None, False
            case _:
                pass

    def _check_phase(self, event: Event) -> None:
        """What ends has begun, and is not told to begin again before that."""
        phase = (event["phase"], event["repository"])
        match event["status"]:
            case "started" if event["phase"] == "starting":
                self._phases = {phase}  # a bridge that starts over
                self._boots_since_hello = True
            case "started" if phase in self._phases:
                self.breaches.append(f"{phase} began twice")
            case "started":
                self._phases.add(phase)
            case "completed" if phase not in self._phases:
                self.breaches.append(f"{phase} ended twice or never began")
            case _:
                self._phases.discard(phase)

    async def _go_on(self) -> None:
        if self._ready and self._running is None and self._queue:
            self._running = self._queue.pop(0)
            await self._hint()
        await self._notify()

    async def _hint(self) -> None:
        """Best effort, as in the real one."""
        if self._socket:
            try:
                await self._socket.send(self.orders.model_dump_json(by_alias=True))
            except ConnectionClosed:
                return

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    def _cursor(self) -> str:
        cursor = f"cursor-{len(self.stored)}"
        self._cursors.add(cursor)
        return cursor


def _has(event: Event, fields: Mapping[str, Any]) -> bool:
    return all(event.get(name) == value for name, value in fields.items())
