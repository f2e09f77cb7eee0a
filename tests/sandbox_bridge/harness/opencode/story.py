"""Tells turns as OpenCode tells them: the events of its stream, and what it has stored so far."""

from collections.abc import Iterable
from typing import Any

from sandbox_bridge.harness.opencode.wire import Event
from shared.protocol.events import BridgeEvent, StepFinished, Text, TextDelta, Tool

SESSION = "ses_ours"
MESSAGE = "msg_0001"


class Story:
    """`events` is what was said; `retold()` is what a client that missed it all can ask for."""

    def __init__(self, session: str = SESSION, began: int = 1_000) -> None:
        self.session = session
        self.events: list[Event] = []
        self._messages: dict[str, dict[str, Any]] = {}
        self._parts: dict[str, dict[str, Any]] = {}
        self._now = began
        self._is_idle = False

    def user(self, message: str = MESSAGE) -> None:
        self._is_idle = False
        self._message(message, {"role": "user"})
        self.say("session.status", status={"type": "busy"})

    def answer(self, message: str, **more: Any) -> None:
        self._message(message, {"role": "assistant", "parentID": MESSAGE, **more})

    def finish(self, message: str, finish: str = "stop", **more: Any) -> None:
        self._message(message, {**self._messages[message], "finish": finish, **more})

    def text(self, message: str, part: str, pieces: list[str], *, kind: str = "text") -> None:
        self.text_begins(message, part, kind)
        for piece in pieces:
            self.delta(message, part, piece)
        self.part(message, part, type=kind, text="".join(pieces), time={"start": 1, "end": 2})

    def text_begins(self, message: str, part: str, kind: str = "text") -> None:
        self.part(message, part, type=kind, text="", time={"start": 1})

    def delta(self, message: str, part: str, delta: str) -> None:
        self.say("message.part.delta", messageID=message, partID=part, field="text", delta=delta)

    def tool(self, message: str, part: str, name: str, *states: dict[str, Any]) -> None:
        for state in ({"status": "pending", "input": {}}, *states):
            self.part(message, part, type="tool", tool=name, callID="call_0", state=state)

    def step(self, message: str, part: str, cost: float = 0.0) -> None:
        tokens = {"input": 10, "output": 5, "reasoning": 0, "cache": {"read": 7, "write": 0}}
        self.part(message, part, type="step-finish", cost=cost, tokens=tokens)

    def part(self, message: str, part: str, **fields: Any) -> None:
        told = {"id": part, "sessionID": self.session, "messageID": message, **fields}
        self._parts[part] = told
        self.say("message.part.updated", part=told)

    def fails(self, message: str, name: str = "APIError") -> None:
        self.say("session.error", error={"name": name, "data": {"message": message}})

    def rests(self) -> None:
        self._is_idle = True
        self.say("session.status", status={"type": "idle"})
        self.say("session.idle")

    def say(self, kind: str, **properties: Any) -> None:
        told = {"sessionID": self.session, **properties}
        number = len(self.events)
        self.events.append(Event(id=f"evt_{id(self)}_{number}", type=kind, properties=told))

    def retold(self) -> list[Event]:
        """The state as it is now, as if it were said now."""
        told: list[Event] = []
        for message, info in self._messages.items():
            told.append(Event(type="message.updated", properties={"info": info}))
            parts = (part for part in self._parts.values() if part["messageID"] == message)
            told += [
                Event(type="message.part.updated", properties={"part": each}) for each in parts
            ]
        if self._is_idle:
            told.append(Event(type="session.idle", properties={"sessionID": self.session}))
        return told

    def _message(self, message: str, fields: dict[str, Any]) -> None:
        self._now += 1
        made = {"id": message, "sessionID": self.session, "time": {"created": self._now}}
        self._messages[message] = {**made, **fields}
        self.say("message.updated", info=self._messages[message])


class View:
    """What somebody who watches the timeline sees at its end."""

    def __init__(self, events: Iterable[BridgeEvent]) -> None:
        self.texts: dict[str, str] = {}
        self.tools: dict[str, tuple[str, str, str]] = {}
        self.cost = 0.0
        for event in events:
            self._see(event)

    def _see(self, event: BridgeEvent) -> None:
        match event:
            case Text():
                self.texts[event.part] = event.text
            case TextDelta():
                self.texts[event.part] = self.texts.get(event.part, "") + event.delta
            case Tool():
                self.tools[event.call] = (event.tool, event.status, event.output)
            case StepFinished():
                self.cost += event.cost
            case _:
                pass

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self._seen == other._seen

    def __hash__(self) -> int:
        raise TypeError

    def __repr__(self) -> str:
        return repr(self._seen)

    @property
    def _seen(self) -> tuple[dict[str, str], dict[str, tuple[str, str, str]], float]:
        texts = {part: text for part, text in self.texts.items() if text}
        return texts, self.tools, round(self.cost, 6)
