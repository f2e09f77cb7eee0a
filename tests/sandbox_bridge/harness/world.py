"""A sandbox's folders without the sandbox, and turns of an agent in it whose events are kept."""

import asyncio
import os
import subprocess
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sandbox_bridge.harness.model_access import ModelAccess
from sandbox_bridge.harness.opencode.harness import OpenCode
from sandbox_bridge.harness.seam import Outcome, Turn, TurnFile
from sandbox_bridge.redaction import Redactor
from shared.protocol.events import BridgeEvent, Text, Tool
from tests.model import Model

DEMO = "demo/scripted"


@dataclass
class World:
    root: Path
    opencode: Path
    model: Model
    events: list[BridgeEvent] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.workdir = self.root / "workspace" / "repo"
        self.home = self.root / "home"
        self.state = self.root / "state"
        self._turns = 0

    def make_repository(self, files: dict[str, str]) -> None:
        for name, content in files.items():
            path = self.workdir / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        self.git("init", "--quiet")
        self.git("add", "--all")
        self.git("-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "start")

    def git(self, *arguments: str) -> str:
        command = ["git", *arguments]
        return subprocess.run(
            command, cwd=self.workdir, check=True, capture_output=True, text=True
        ).stdout

    @asynccontextmanager
    async def harness(
        self, models: dict[str, str] | None = None, **more: Any
    ) -> AsyncGenerator[OpenCode]:
        """Started, on the demo model unless told otherwise; closed at the end."""
        harness = self.make(models, **more)
        await harness.start()
        try:
            yield harness
        finally:
            await harness.close()

    def make(self, models: dict[str, str] | None = None, **more: Any) -> OpenCode:
        access = ModelAccess.of(models or {"OUTBOARD_DEMO_MODEL_URL": self.model.url})
        environment = more.pop("environment", {}) | {"PATH": os.environ["PATH"]}
        more = {"redact": Redactor(environment)} | more
        return OpenCode(
            self.workdir, self.home, self.state, self.opencode, access, environment, **more
        )

    async def turn(
        self,
        harness: OpenCode,
        text: str,
        model: str = DEMO,
        effort: str | None = None,
        *files: TurnFile,
    ) -> Outcome:
        self._turns += 1
        turn = Turn(self._turns, text, model, effort, files)
        return await harness.run(turn, self.events.append)

    def starting(self, harness: OpenCode, text: str) -> asyncio.Task[Outcome]:
        return asyncio.create_task(self.turn(harness, text))

    def tools(self, name: str = "") -> list[Tool]:
        return [
            event
            for event in self.events
            if isinstance(event, Tool) and event.tool.startswith(name)
        ]

    def ended_tools(self) -> list[tuple[str, str]]:
        """(tool, how it ended) of each call, in order."""
        ended = ("completed", "error")
        return [(tool.tool, tool.status) for tool in self.tools() if tool.status in ended]

    def final_texts(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, Text) and event.final]


def bash(command: str) -> dict[str, Any]:
    return {"name": "bash", "args": {"command": command, "description": "as scripted"}}


class Agent:
    """An agent that stays up for many tests, none of which ends or breaks it."""

    def __init__(self, world: World, models: dict[str, str], model: str) -> None:
        self.world = world
        self._model = model
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._harness = world.make(models)
        self._do(self._harness.start())

    def turn(self, text: str, model: str | None = None, effort: str | None = None) -> Outcome:
        """The events of the world are those of this turn alone afterwards."""
        self.world.events.clear()
        return self._do(self.world.turn(self._harness, text, model or self._model, effort))

    def play[T](self, scenario: Callable[[OpenCode], Coroutine[Any, Any, T]]) -> T:
        self.world.events.clear()
        return self._do(scenario(self._harness))

    def starting(self, text: str) -> asyncio.Task[Outcome]:
        """Inside a scenario."""
        return asyncio.create_task(self.world.turn(self._harness, text, self._model))

    def close(self) -> None:
        self._do(self._harness.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _do[T](self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=240)
