"""One turn of OpenCode, event by event, in our words. Pure: no clock, no connection.

What makes an event ours: OpenCode's stream has no replay and no turn numbers, and the `idle` of an
earlier turn may come late. So nothing counts before our own user message was seen. From then on
every answer in the session that is not older than that message is ours, because the bridge runs one
turn at a time; its parent is not asked for, since a compaction puts others in between. The turn is
over with an `idle` that follows an answer or an error.

Seeing an event twice changes nothing, so after a lost connection the state of the server can be
told again as if it were events.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import ValidationError

from sandbox_bridge.harness import bounds
from sandbox_bridge.harness.opencode.calls import Calls
from sandbox_bridge.harness.opencode.thoughts import Thoughts
from sandbox_bridge.harness.opencode.wire import Delta, ErrorInfo, Event, Message, Part, Status
from sandbox_bridge.harness.opencode.words import Words
from sandbox_bridge.redaction import Redactor
from shared.protocol.events import BridgeEvent, Retrying, StepFinished, Todo

_REASON_BYTES: Final = 1_500
_MOST_TODOS: Final = 40
_TODO_BYTES: Final[Mapping[str, int]] = {"content": 250, "status": 30, "priority": 30}
_CUT_SHORT: Final[Mapping[str, str]] = {
    "length": "the model stopped at its output limit",
    "content-filter": "the model's provider filtered the answer",
}

type _Said = Iterator[BridgeEvent]


class Translation:
    """`message` is the id that we gave the user's message."""

    def __init__(self, prompt: int, session: str, message: str, redact: Redactor) -> None:
        self.session = session
        self.message = message
        self.children: dict[str, None] = {}
        self.cost = 0.0
        self.is_over = False
        self.retry: Status | None = None
        """The refusal that nothing has followed yet."""
        self._prompt = prompt
        self._redact = redact
        self._seen = set[str]()
        self._begun_at: int | None = None
        self._answers: dict[str, Message] = {}
        self._summaries = set[str]()
        self._error: str | None = None
        self._words: dict[str, Words] = {}
        self._thoughts: dict[str, Thoughts] = {}
        self._calls = Calls(prompt, redact)
        self._steps = set[str]()
        self._refusals: dict[str, int] = {}
        self._todo: Todo | None = None

    def take(self, event: Event) -> tuple[BridgeEvent, ...]:
        """What this event adds to the timeline. One that can't be read adds nothing."""
        if event.id and event.id in self._seen:
            return ()
        self._seen.add(event.id)
        try:
            return tuple(self._read(event.type, event.properties))
        except (ValidationError, KeyError):
            return ()

    def end(self, reason: str) -> tuple[BridgeEvent, ...]:
        """Ends what is still open: texts with what they are, calls as errors with this reason."""
        texts = (said for words in self._words.values() for said in words.end())
        return (*texts, *self._calls.close(reason))

    @property
    def has_begun(self) -> bool:
        return self._begun_at is not None

    @property
    def failure(self) -> str | None:
        """Why a turn that is over is no success."""
        last = max(
            self._answers.values(), key=lambda each: (each.time.created, each.id), default=None
        )
        if last is None or last.finish in (None, "tool-calls"):
            return self._sentence(last) or self._error or self._silence
        return self._sentence(last) or _CUT_SHORT.get(last.finish) or self._silence

    def _sentence(self, message: Message | None) -> str | None:
        if message is None or message.error is None:
            return None
        return bounds.cut(self._redact(message.error.sentence), _REASON_BYTES)

    @property
    def _silence(self) -> str | None:
        return None if self._calls or any(self._words.values()) else "the model gave no output"

    def _read(self, kind: str, properties: Mapping[str, Any]) -> _Said:
        match kind:
            case "message.updated":
                return self._message(properties)
            case "message.part.updated":
                return self._part(properties)
            case "message.part.delta":
                return self._delta(properties)
            case "session.created":
                return self._created(properties)
            case "session.status" | "session.idle":
                return self._status(properties)
            case "session.error":
                return self._failed(properties)
            case "todo.updated":
                return self._todos(properties)
            case _:
                return iter(())

    def _message(self, properties: Mapping[str, Any]) -> _Said:
        message = Message.model_validate(properties["info"])
        if message.id == self.message:
            self._begun_at = message.time.created
        elif message.session == self.session and self._is_ours(message):
            self._keep(message)
        yield from ()

    def _keep(self, message: Message) -> None:
        if message.is_answer:
            self._answers[message.id] = message
        elif message.is_summary:
            self._summaries.add(message.id)

    def _is_ours(self, message: Message) -> bool:
        return self._begun_at is not None and message.time.created >= self._begun_at

    def _part(self, properties: Mapping[str, Any]) -> _Said:
        part = Part.model_validate(properties["part"])
        subtask = part.session in self.children
        if part.message in self._summaries and part.type == "step-finish":
            # Making room in the context costs, though it says nothing to the user.
            yield from self._step(part)
        if not subtask and part.message not in self._answers:
            return
        self._goes_on()
        match part.type:
            case "tool":
                yield from self._tool(part, subtask=subtask)
            case "step-finish":
                yield from self._step(part)
            case "text" if not subtask:
                yield from self._text(part)
            case "reasoning" if not subtask:
                yield from self._reasoning(part)
            case _:
                return

    def _tool(self, part: Part, *, subtask: bool) -> _Said:
        if part.tool == "task" and part.state and (child := part.state.metadata.get("sessionId")):
            self.children[str(child)] = None
        yield from self._calls.see(part, subtask=subtask)

    def _step(self, part: Part) -> _Said:
        if part.id in self._steps:
            return
        self._steps.add(part.id)
        self.cost += part.cost
        yield StepFinished(prompt=self._prompt, cost=part.cost, tokens=part.tokens.counted)

    def _text(self, part: Part) -> _Said:
        words = self._words.setdefault(part.id, Words(self._prompt, part.id, self._redact))
        if part.is_finished:
            yield from words.finish(part.text)

    def _reasoning(self, part: Part) -> _Said:
        thoughts = self._thoughts.setdefault(part.id, Thoughts(self._prompt, part.id, self._redact))
        if part.is_finished:
            yield from thoughts.finish(part.text)

    def _delta(self, properties: Mapping[str, Any]) -> _Said:
        """A part that we didn't see begin is told whole when it ends."""
        delta = Delta.model_validate(properties)
        growing = self._words.get(delta.part, self._thoughts.get(delta.part))
        if growing is not None and delta.field == "text":
            self._goes_on()
            yield from growing.grow(delta.delta)

    def _created(self, properties: Mapping[str, Any]) -> _Said:
        if properties["info"].get("parentID") in (self.session, *self.children):
            self.children[str(properties["info"]["id"])] = None
        yield from ()

    def _status(self, properties: Mapping[str, Any]) -> _Said:
        session = properties["sessionID"]
        status = Status.model_validate(properties.get("status", {"type": "idle"}))
        if status.type == "retry" and session in (self.session, *self.children):
            yield from self._refused(session, status)
        elif status.type == "idle" and session == self.session:
            self.is_over = self.is_over or bool(self._answers or self._error)

    def _refused(self, session: str, status: Status) -> _Said:
        if self._begun_at is None or self._refusals.get(session) == status.attempt:
            return
        self._refusals[session] = status.attempt
        self.retry = status
        if session == self.session:
            yield from (said for words in self._words.values() for said in words.retract())
        reason = bounds.cut(self._redact(status.message), _REASON_BYTES)
        yield Retrying(prompt=self._prompt, attempt=status.attempt, reason=reason)

    def _goes_on(self) -> None:
        """The model answers: what it refuses from here on is counted from one again."""
        self.retry = None
        self._refusals.clear()

    def _failed(self, properties: Mapping[str, Any]) -> _Said:
        if properties["sessionID"] == self.session and self._begun_at is not None:
            self._error = ErrorInfo.model_validate(properties["error"]).sentence
        yield from ()

    def _todos(self, properties: Mapping[str, Any]) -> _Said:
        if properties["sessionID"] != self.session:
            return
        items = [_todo(item, self._redact) for item in properties["todos"][:_MOST_TODOS]]
        todo = Todo(prompt=self._prompt, items=items)
        if todo != self._todo:
            self._todo = todo
            yield todo


def _todo(item: Mapping[str, Any], redact: Redactor) -> dict[str, str]:
    return {
        name: bounds.cut(redact(str(item[name])), most)
        for name, most in _TODO_BYTES.items()
        if name in item
    }
