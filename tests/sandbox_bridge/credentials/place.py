"""A sandbox's files and environment, with the broker's door open, and a server to ask."""

import asyncio
import os
import subprocess
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sandbox_bridge.credentials.asking import NoCredential
from sandbox_bridge.credentials.broker import Broker
from sandbox_bridge.credentials.door import Door
from sandbox_bridge.credentials.git_config import with_broker
from sandbox_bridge.git.checkout import Checkout
from sandbox_bridge.git.command import Git
from sandbox_bridge.paths import Paths
from sandbox_bridge.redaction import Redactor
from shared.protocol.credentials import GhCredential, GitCredential, GitOperation
from tests.sandbox_bridge.guarded_host import GuardedHost
from tests.sandbox_bridge.repositories import BRANCH, SOMEBODY

HOUR = timedelta(hours=1)


@dataclass
class Clock:
    now: datetime = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def pass_time(self, by: timedelta) -> None:
        self.now += by


@dataclass
class FakeServer:
    """An `Ask`: each of its passwords is another one, and `hosts` take them for an hour."""

    clock: Clock
    hosts: list[GuardedHost] = field(default_factory=list[GuardedHost])
    asked: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    refused: list[str | None] = field(default_factory=list[str | None])
    """What each who asked for git's said that the host had not taken: its digest."""
    refusal: str = ""
    needed: bool = True
    answers: asyncio.Event | None = None
    """Until it is set, nobody gets an answer; None: everybody does at once."""

    async def git(
        self, url: str, operation: GitOperation, refused: str | None = None
    ) -> GitCredential | None:
        self.refused.append(refused)
        password = await self._answer(url, operation)
        if not self.needed:
            return None
        until = self.clock() + HOUR
        for host in self.hosts:
            if url.startswith(host.url):
                name = url.removeprefix(host.url).split("/")[1]
                host.passwords[password] = (name, until)
        return GitCredential(username="outboard", password=password, expires_at=until)

    async def gh(self, url: str | None) -> GhCredential | None:
        token = await self._answer(f"gh {url or ''}".strip(), "write")
        if not self.needed:
            return None
        return GhCredential(host="github.com", token=token, expires_at=self.clock() + HOUR)

    async def _answer(self, what: str, operation: str) -> str:
        self.asked.append((what, operation))
        password = f"a-secret-password-{len(self.asked)}"
        if self.answers:
            await self.answers.wait()
        if self.refusal:
            raise NoCredential(self.refusal)
        return password


@dataclass
class Place:
    root: Path
    server: FakeServer
    urls: tuple[str, ...]
    learnt: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self.paths = Paths(self.root)
        for directory in (self.paths.workspace, self.paths.home):
            directory.mkdir(parents=True, exist_ok=True)
        own = {"PATH": os.environ["PATH"], "HOME": str(self.paths.home), "GIT_TERMINAL_PROMPT": "0"}
        runtime = self.paths.runtime
        self.environment = with_broker(
            {**own, "OUTBOARD_RUNTIME": str(runtime)}, self.urls, runtime
        )
        broker = Broker(self.server, self.urls, self.server.clock, self.learnt.append)
        self.door = Door(broker, runtime)

    def checkout(self, url: str, name: str = "tool") -> Checkout:
        """As the bridge has it."""
        directory = self.paths.workspace / name
        runner = Git(directory, self.environment, Redactor(self.environment))
        return Checkout(name, url, BRANCH, runner)

    def tell(self, story: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """While the door is open."""

        async def told() -> None:
            async with self.door.opened():
                await story()

        asyncio.run(told())

    async def shell(self, script: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """As the agent runs it, in the workspace."""
        return await asyncio.to_thread(
            lambda: subprocess.run(
                ["bash", "-c", script],
                cwd=self.paths.workspace,
                env={**SOMEBODY_ELSE, **self.environment, **variables},
                capture_output=True,
                text=True,
                check=False,
            )
        )

    def files_with(self, text: str) -> list[Path]:
        """Whatever has it, wherever a snapshot would look."""
        found = [path for path in self.root.rglob("*") if path.is_file() and not path.is_symlink()]
        return [path for path in found if text.encode() in path.read_bytes()]


SOMEBODY_ELSE = {name: value for name, value in SOMEBODY.items() if "CONFIG" not in name}
