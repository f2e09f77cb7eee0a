"""Somebody who watches: a client that has its cursor, notices holes, and fetches what it missed."""

import json
from collections.abc import Callable
from typing import Any

from shared.app.ports.workspace import User
from shared.app.viewers import Viewers
from shared.domain.session.state import SessionId
from shared.domain.timeline import Entry
from tests.simulation.gateway import Connection, Gateway
from tests.simulation.lambdas import Lambdas
from tests.simulation.must import must

_PING_SECONDS = 60.0
_PATIENCE = 15.0
"""For the answer to `subscribe`; then the client tries another socket."""


class Watcher:
    def __init__(
        self, lambdas: Lambdas, gateway: Gateway, viewers: Viewers, session: SessionId, user: User
    ) -> None:
        self._lambdas = lambdas
        self._nature = lambdas.nature
        self._gateway = gateway
        self._viewers = viewers
        self._session = session
        self._user = user
        self._socket: Connection | None = None
        self._subscribed = False
        self._visit = 0
        self._answers: dict[str, Callable[[dict[str, Any]], None]] = {}
        self.watching = False
        self.frames: dict[int, list[str]] = {}
        """What it was shown in each slot: the types of the events."""

    @property
    def cursor(self) -> int:
        """The newest slot it has without a hole."""
        cursor = 0
        while cursor + 1 in self.frames:
            cursor += 1
        return cursor

    def come(self) -> None:
        self.watching = True
        self._visit += 1
        self._connect(self._visit)

    def leave(self) -> None:
        self.watching = False
        self._visit += 1
        if self._socket is not None:
            self._gateway.close(self._socket)

    def ask(self, message: dict[str, Any], answered: Callable[[dict[str, Any]], None]) -> bool:
        """False: there is no socket to ask on."""
        if self._socket is None or not self._subscribed:
            return False
        self._answers[message["requestId"]] = answered
        self._say(message)
        return True

    def _connect(self, visit: int) -> None:
        if visit != self._visit or not self.watching:
            return
        ticket = self._lambdas.call(
            "http ticket", lambda: self._viewers.issue_ticket(self._session, self._user)
        )
        self._nature.later("watcher again", lambda: self._give_up(visit), _PATIENCE, 20.0)
        if ticket.result is not None:
            text, _ = ticket.result
            asked = {"queryStringParameters": {"ticket": text}}
            self._gateway.dial(asked, self, lambda _, socket: self._opened(visit, socket))

    def _give_up(self, visit: int) -> None:
        if visit == self._visit and self.watching and not self._subscribed:
            self._visit += 1
            if self._socket is not None:
                self._gateway.close(self._socket)
            self._connect(self._visit)

    def _opened(self, visit: int, socket: Connection | None) -> None:
        if socket is None:
            return
        if visit != self._visit or not self.watching:
            self._gateway.close(socket)
            return
        self._socket, self._subscribed = socket, False
        after = self.cursor
        self._say({"type": "subscribe", "after": after} if after else {"type": "subscribe"})

    def _say(self, message: dict[str, Any]) -> None:
        if self._socket is not None:
            self._gateway.say(self._socket, json.dumps(message))

    def lost(self) -> None:
        self._socket, self._subscribed = None, False
        if self.watching:
            self._visit += 1
            visit = self._visit
            self._nature.later("watcher again", lambda: self._connect(visit), 0.5, 5.0)

    def hear(self, text: str) -> None:
        message = json.loads(text)
        match message["type"]:
            case "subscribed":
                self._begin(message)
            case "frame":
                self._keep(message)
            case "page":
                self._page(message)
            case "pong":
                self._fetch_up_to(message["tail"])
            case "prompt_accepted" | "done" | "error":
                self._answer(message)
            case _:
                pass

    def _begin(self, message: dict[str, Any]) -> None:
        again, self._subscribed = self._subscribed, True
        self._page(message)
        if not again:
            self._ping(self._visit)

    def _ping(self, visit: int) -> None:
        if visit == self._visit and self._socket is not None:
            self._say({"type": "ping"})
            self._nature.agenda.add(_PING_SECONDS, "watcher pings", lambda: self._ping(visit))

    def _page(self, message: dict[str, Any]) -> None:
        for frame in message["frames"]:
            self._keep(frame)
        self._fetch_up_to(message["tail"])

    def _fetch_up_to(self, tail: int) -> None:
        if (cursor := self.cursor) < tail:
            self._say({"type": "fetch", "after": cursor})

    def _keep(self, frame: dict[str, Any]) -> None:
        said = [item["event"].get("type", "") for item in frame["items"]]
        known = self.frames.setdefault(frame["seq"], said)
        must(known == said, f"slot {frame['seq']} was shown as {known} and as {said}")

    def _answer(self, message: dict[str, Any]) -> None:
        answered = self._answers.pop(message.get("requestId") or "", None)
        if answered is not None:
            answered(message)

    def compare(self, log: list[Entry]) -> None:
        """It may lag behind; what it was shown is what is there."""
        for seq, said in self.frames.items():
            must(seq <= len(log), f"slot {seq} was shown and is not in the log")
            stored = [event.get("type", "") for event in log[seq - 1].frame.events]
            must(stored == said, f"slot {seq} was shown as {said} and holds {stored}")
