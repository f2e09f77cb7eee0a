"""An agent that does what its prompt says, line by line; lines that it does not know are talk.

    say <words>            a delta for each word, then the whole text
    flood <n>              n tool calls with a kilobyte of output each
    read <path>            says what is in a file
    look                   says which images the prompt has
    write <path> <words>   a file in its working directory, once the gate lets it
    run <shell>            a command in a session of its own, waited for; once the gate lets it
    wait                   until it is stopped
    ignore                 for ever, whatever stops it
    clock <seconds>        the bridge's wall clock jumps by so much
    fail <words>           the turn ends so
    break                  raises
    overstep               says what only the bridge may say

It starts when the file that `AGENT_STARTS_AFTER` names is there, and fails with the words of
`AGENT_FAILS`.

`python -m tests.fakes.harness` is a bridge with this agent; with `--supervise` it is a supervisor
of such bridges.
"""

import asyncio
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

from sandbox_bridge.bridge import main as bridge_main
from sandbox_bridge.harness.seam import (
    Emit,
    HarnessFailed,
    OpenGate,
    Outcome,
    Turn,
    TurnFile,
    WriteGate,
    WritesRefused,
)
from sandbox_bridge.supervisor.main import main as supervisor_main
from sandbox_bridge.wiring import Setting
from shared.protocol.events import ExecutionComplete, StepFinished, Text, TextDelta, Tool

STEP_COST = 0.25
LOOKS_AGAIN = 0.02
_OPEN = OpenGate()


class FakeHarness:
    name: str = "fake"

    def __init__(self, workdir: Path, environment: dict[str, str], gate: WriteGate = _OPEN) -> None:
        self._gate = gate
        self.workdir = workdir
        self.environment = environment
        self.starts = 0
        self.closes = 0
        self.turns: list[Turn] = []
        self.stoppable = True
        self._stopped = asyncio.Event()
        self._command: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        self.starts += 1
        if words := self.environment.get("AGENT_FAILS"):
            raise HarnessFailed(words)
        signal_file = self.environment.get("AGENT_STARTS_AFTER")
        while signal_file and not Path(signal_file).exists():  # noqa: ASYNC110, ASYNC240 - a test's
            await asyncio.sleep(LOOKS_AGAIN)

    async def close(self) -> None:
        self.closes += 1
        self._kill()

    async def stop_turn(self) -> bool:
        self._stopped.set()
        self._kill()
        return self.stoppable

    async def run(self, turn: Turn, emit: Emit) -> Outcome:
        self.turns.append(turn)
        self._stopped.clear()
        for number, line in enumerate(turn.text.splitlines()):
            word, _, rest = line.partition(" ")
            outcome = await self._do(turn.number, f"{turn.number}.{number}", word, rest, emit)
            if self._stopped.is_set():
                return Outcome("stopped", cost=STEP_COST)
            if outcome:
                return outcome
        emit(StepFinished(prompt=turn.number, cost=STEP_COST))
        return Outcome("completed", cost=STEP_COST)

    async def _do(self, prompt: int, part: str, word: str, rest: str, emit: Emit) -> Outcome | None:
        match word:
            case "say":
                self._say(prompt, part, rest, emit)
            case "flood":
                self._flood(prompt, part, int(rest), emit)
            case "read" | "look":
                read = (self.workdir / rest).read_text() if rest else self._images()
                self._say(prompt, part, read, emit)
            case "write" | "run":
                await self._change(prompt, part, word, rest, emit)
            case "wait" | "ignore":
                await (self._stopped if word == "wait" else asyncio.Event()).wait()
            case "clock":
                _jump(float(rest))
            case "fail":
                return Outcome("failed", rest)
            case "break":
                raise RuntimeError("broken")
            case "overstep":
                emit(ExecutionComplete(prompt=prompt, status="completed"))
            case _:
                pass
        return None

    async def _change(self, prompt: int, part: str, word: str, rest: str, emit: Emit) -> None:
        try:
            await self._gate.wait()
        except WritesRefused as refusal:
            error = str(refusal)
            emit(Tool(prompt=prompt, call=part, tool=word, status="error", error=error))
            return
        if word == "run":
            await self._run(prompt, part, rest, emit)
            return
        path, _, words = rest.partition(" ")
        (self.workdir / path).parent.mkdir(parents=True, exist_ok=True)
        (self.workdir / path).write_text(words + "\n")

    def _images(self) -> str:
        return " ".join(map(_shown, self.turns[-1].files))

    def _say(self, prompt: int, part: str, words: str, emit: Emit) -> None:
        for word in words.split(" "):
            emit(TextDelta(prompt=prompt, part=part, delta=word + " "))
        emit(Text(prompt=prompt, part=part, text=words + " ", final=True))

    def _flood(self, prompt: int, part: str, many: int, emit: Emit) -> None:
        for number in range(many):
            call = f"{part}.{number}"
            output = str(number % 10) * 1_000
            emit(Tool(prompt=prompt, call=call, tool="t", status="completed", output=output))

    async def _run(self, prompt: int, part: str, shell: str, emit: Emit) -> None:
        emit(Tool(prompt=prompt, call=part, tool="bash", status="running"))
        self._command = await asyncio.create_subprocess_exec(
            *("bash", "-c", shell),
            cwd=self.workdir,
            env=self.environment,
            start_new_session=True,
            stdout=asyncio.subprocess.DEVNULL,
        )
        code = await self._command.wait()
        emit(Tool(prompt=prompt, call=part, tool="bash", status="completed", exit_code=code))

    def _kill(self) -> None:
        if self._command and self._command.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self._command.pid, signal.SIGKILL)


def _shown(file: TurnFile) -> str:
    return f"{file.name}:{file.type}:{len(file.content)}"


def _jump(seconds: float) -> None:
    now, now_ns = time.time, time.time_ns
    time.time = lambda: now() + seconds
    time.time_ns = lambda: now_ns() + int(seconds * 1e9)


def build(setting: Setting) -> FakeHarness:
    return FakeHarness(setting.workdir, dict(setting.environment), setting.gate)


if __name__ == "__main__":
    if sys.argv[1:] == ["--supervise"]:
        raise SystemExit(supervisor_main((sys.executable, "-m", "tests.fakes.harness")))
    raise SystemExit(bridge_main(build))
