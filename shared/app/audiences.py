"""Pushing to whoever is connected: best effort, bounded, and never in the way of the bridge."""

import logging
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from shared.app.ports.connections import Audience, Connections, Gone, Sockets, Viewer
from shared.app.views import frame_message
from shared.domain.errors import Rejected, Unavailable
from shared.domain.session.orders import Orders
from shared.domain.session.state import SessionId
from shared.domain.timeline import Entry
from shared.protocol.base import Strict
from shared.protocol.bridge import COMPARES, Compare
from shared.protocol.bridge import Orders as OrdersMessage

logger = logging.getLogger(__name__)

PUSH_BUDGET_SECONDS = 1.0

_NOBODY = "no sandbox is connected that could compare its files now"


@dataclass(frozen=True, slots=True)
class Audiences:
    connections: Connections
    clients: Sockets
    bridges: Sockets
    pool: ThreadPoolExecutor

    def publish(self, session_id: SessionId, entry: Entry) -> None:
        self.push(session_id, self.connections.audience(session_id), entry)

    def push(self, session_id: SessionId, audience: Audience, entry: Entry) -> None:
        self.await_pushes(self.start_pushes(session_id, audience.live, frame_message(entry)))

    def start_pushes(
        self, session_id: SessionId, viewers: Iterable[Viewer], message: Strict
    ) -> list[Future[None]]:
        text = message.model_dump_json(by_alias=True)
        return [
            self.pool.submit(self._push, session_id, viewer.connection_id, text)
            for viewer in viewers
        ]

    def await_pushes(self, pushes: list[Future[None]]) -> None:
        """No longer than a second in all: a slow viewer catches up by its cursor."""
        _, late = wait(pushes, timeout=PUSH_BUDGET_SECONDS)
        for push in late:
            push.cancel()
        if late:
            logger.warning("push_late", extra={"viewers": len(late)})

    def _push(self, session_id: SessionId, connection_id: str, text: str) -> None:
        try:
            self.clients.post(connection_id, text)
        except Gone:
            self.connections.leave(session_id, connection_id)
        except Unavailable:
            logger.warning("push_failed", extra={"session_id": session_id})

    def hint(self, session_id: SessionId, attempt: int, orders: Orders) -> None:
        """Tell the bridge of that attempt, if it is connected; it hears again by heartbeat."""
        bridge = self.connections.audience(session_id).bridge
        if bridge is None or bridge.attempt != attempt or not bridge.live:
            return
        message = OrdersMessage(do=orders.do, prompt=orders.prompt)
        try:
            self.bridges.post(bridge.connection_id, message.model_dump_json(by_alias=True))
        except (Gone, Unavailable):
            logger.info("hint_failed", extra={"session_id": session_id, "attempt": attempt})

    def ask_to_compare(self, session_id: SessionId) -> None:
        """Raises `Rejected` where no bridge is connected that could; `Unavailable`."""
        bridge = self.connections.audience(session_id).bridge
        if bridge is None or not bridge.live:
            raise Rejected(_NOBODY)
        if bridge.protocol < COMPARES:
            raise Rejected("this sandbox was made before there were changes to look at")
        try:
            self.bridges.post(bridge.connection_id, Compare().model_dump_json(by_alias=True))
        except Gone:
            raise Rejected(_NOBODY) from None
