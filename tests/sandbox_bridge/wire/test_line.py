"""The line on real sockets, inside the test's own process: what only its shell decides."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from sandbox_bridge.wire.conversation import Conversation
from sandbox_bridge.wire.dialing import dial
from sandbox_bridge.wire.line import Line, PromptRefused, Times
from sandbox_bridge.wire.outbox import Outbox
from sandbox_bridge.wire.reconnect import Backoff
from shared.protocol.bridge import Orders
from shared.protocol.events import PromptStarted, Ready, Retrying
from tests.fakes.bridge_server import BridgeServer
from tests.sandbox_bridge.sandbox import identity

LONG = timedelta(hours=1)


class Obedient:
    def __init__(self) -> None:
        self.orders: list[Orders] = []

    def obey(self, orders: Orders) -> None:
        self.orders.append(orders)

    def settled(self, events: list[dict[str, Any]]) -> None:
        pass

    def compare(self) -> None: ...

    def dropped(self, events: list[dict[str, Any]]) -> None:
        pass


def held(
    tmp_path: Path,
    story: Callable[[BridgeServer, Line], Awaitable[None]],
    *,
    rollover: timedelta = LONG,
) -> str:
    """Tell the story while the line is held; why it ended."""

    async def told() -> str:
        async with BridgeServer() as server:
            line = Line(
                Conversation(heartbeat=timedelta(seconds=0.2), new_id=lambda: uuid.uuid4().hex),
                Outbox(tmp_path, "s1", 1),
                dial(identity(server.url)),
                Times(
                    asyncio.get_running_loop().time,
                    Backoff(lambda low, _high: low),
                    lambda: rollover,
                ),
            )
            holding = asyncio.create_task(line.hold(Obedient()))
            await story(server, line)
            await server.retire()
            reason = await holding
            assert server.breaches == []
            return reason

    return asyncio.run(told())


def test_a_planned_rollover_loses_nothing(tmp_path: Path):
    async def story(server: BridgeServer, line: Line) -> None:
        for number in range(1, 20):
            line.emit(Retrying(prompt=1, attempt=number, reason="busy"))
            await server.until_event("retrying", attempt=number)

        assert server.hellos > 2
        assert [event["attempt"] for event in server.of_type("retrying")] == list(range(1, 20))

    assert held(tmp_path, story, rollover=timedelta(seconds=0.4)) == "ordered to retire"


def test_a_socket_that_was_cut_is_replaced(tmp_path: Path):
    async def story(server: BridgeServer, line: Line) -> None:
        line.emit(Ready())
        await server.until_event("ready")

        await server.cut()

        line.emit(PromptStarted(prompt=1))
        await server.until_event("prompt_started")
        assert server.hellos == 2

    held(tmp_path, story)


def test_a_prompt_is_fetched_whole_also_when_the_socket_is_cut(tmp_path: Path):
    async def story(server: BridgeServer, line: Line) -> None:
        server.prompts[1] = "words " * 5_000
        fetching = asyncio.create_task(line.prompt(1))
        await server.until(lambda: server.hellos)

        await server.cut()

        assert (await fetching).text == server.prompts[1]

    held(tmp_path, story)


def test_a_prompt_that_the_server_does_not_know_is_refused(tmp_path: Path):
    async def story(_: BridgeServer, line: Line) -> None:
        with pytest.raises(PromptRefused, match="no prompt 9"):
            await line.prompt(9)

    held(tmp_path, story)
