"""A sandbox for tests: a root directory, and real bridge and supervisor processes in it."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from sandbox_bridge.identity import in_memory
from sandbox_bridge.paths import Paths
from sandbox_bridge.processes import descendants, marked
from shared.protocol.bridge import Identity, RepositorySpec
from tests.fakes.bridge_server import BridgeServer
from tests.sandbox_bridge.eventually import eventually
from tests.sandbox_bridge.repositories import BRANCH

PROJECT = Path(__file__).parents[2]
AGENT = (sys.executable, "-m", "tests.fakes.harness")
OPENCODE = (sys.executable, "-m", "sandbox_bridge.bridge")


def identity(url: str, *repositories: RepositorySpec, **fields: Any) -> Identity:
    given: dict[str, Any] = {
        "session": "s1",
        "attempt": 1,
        "token": "token-of-this-attempt",
        "socket_url": url,
        "repositories": list(repositories),
        "session_branch": BRANCH,
        "heartbeat_seconds": 0.5,
    }
    return Identity.model_validate({**given, **fields})


@dataclass(slots=True)
class Sandbox:
    """Leaves nothing running behind."""

    root: Path
    _started: list[Process] = field(default_factory=list[Process])

    @property
    def paths(self) -> Paths:
        return Paths(self.root)

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "OUTBOARD_ROOT": str(self.root),
            "OUTBOARD_ISOLATION": "plain",
            "PYTHONPATH": str(PROJECT),
        }

    def write_launch_file(self, who: Identity) -> None:
        self.paths.identity.parent.mkdir(parents=True, exist_ok=True)
        self.paths.identity.write_text(who.model_dump_json(by_alias=True))

    async def bridge(self, who: Identity, program: Sequence[str] = AGENT) -> Process:
        """A bridge on its own, whose supervisor is the test."""
        stdin = in_memory(who.model_dump_json(by_alias=True).encode())
        mark = {"OUTBOARD_RUNTIME": str(self.paths.runtime)}
        try:
            return await self._start((*program, "--supervisor", str(os.getpid())), stdin, mark)
        finally:
            os.close(stdin)

    async def supervisor(self, who: Identity | None = None) -> Process:
        if who:
            self.write_launch_file(who)
        return await self._start((*AGENT, "--supervise"), asyncio.subprocess.DEVNULL, {})

    async def _start(self, command: Sequence[str], stdin: int, more: dict[str, str]) -> Process:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=stdin, env={**self.environment, **more}, stdout=PIPE, stderr=PIPE
        )
        self._started.append(process)
        return process

    def everything(self) -> set[int]:
        """All that runs for this sandbox."""
        born = {pid for process in self._started for pid in descendants(process.pid)}
        own = {process.pid for process in self._started if process.returncode is None}
        return own | born | set(marked("OUTBOARD_RUNTIME", str(self.paths.runtime)))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for process in self._started:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
        await asyncio.gather(*(self._finish(process) for process in self._started))
        for pid in self.everything():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    async def _finish(self, process: Process) -> None:
        try:
            async with asyncio.timeout(15):
                output, errors = await process.communicate()
        except TimeoutError:
            process.kill()
            output, errors = await process.communicate()
        sys.stdout.write((output + errors).decode(errors="replace"))


def live(
    root: Path, story: Callable[[BridgeServer, Sandbox], Any], server: BridgeServer | None = None
) -> None:
    """Tell a story of a server and a sandbox, and hold the bridge to the wire's rules."""

    async def told() -> None:
        async with server or BridgeServer() as there, Sandbox(root) as here:
            await story(there, here)
            assert there.breaches == []

    asyncio.run(told())


def is_running(pid: int) -> bool:
    """Not so when it has ended and nobody has buried it."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def shown_by(pid: int) -> bytes:
    """What everybody in the sandbox can read of it; nothing when it has ended meanwhile."""
    with suppress(OSError):
        return b"".join(Path(f"/proc/{pid}/{file}").read_bytes() for file in ("cmdline", "environ"))
    return b""


def bridge_of(sandbox: Sandbox) -> int:
    """The one process that runs the bridge."""
    return next(pid for pid in sandbox.everything() if b"\0--supervisor\0" in shown_by(pid))


async def killed(process: Process) -> None:
    process.kill()
    await process.wait()


async def gone(sandbox: Sandbox) -> None:
    await eventually(lambda: not sandbox.everything())
