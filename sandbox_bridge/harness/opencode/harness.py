"""OpenCode behind the harness seam: how a turn is taken, and how it is stopped."""

import asyncio
import contextlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Final

from sandbox_bridge.harness.family import Process
from sandbox_bridge.harness.model_access import ModelAccess
from sandbox_bridge.harness.opencode.agent import Agent, Setting
from sandbox_bridge.harness.opencode.api import Api, Unreachable
from sandbox_bridge.harness.opencode.conversation import Conversation, next_message
from sandbox_bridge.harness.opencode.gate import GateDoor
from sandbox_bridge.harness.opencode.limits import Limits
from sandbox_bridge.harness.opencode.memory import hide_secrets
from sandbox_bridge.harness.opencode.server import Server
from sandbox_bridge.harness.opencode.translation import Translation
from sandbox_bridge.harness.opencode.turn import Following, GaveUp, ServerGone
from sandbox_bridge.harness.seam import (
    Emit,
    HandIn,
    HarnessFailed,
    OpenGate,
    OpenPullRequest,
    Outcome,
    Turn,
    WriteGate,
)
from sandbox_bridge.redaction import Redactor

_OPEN: Final = OpenGate()
_PATIENT: Final = Limits()
_RECENT: Final = 5
_LOOK_AGAIN: Final = timedelta(milliseconds=200)
_LOOKS_AT_REST: Final = 3
_WIND_UP: Final = timedelta(seconds=2)


@dataclass(slots=True)
class _Run:
    """The turn in progress, as whoever stops it sees it."""

    api: Api
    session: str
    spared: frozenset[Process]
    translation: Translation
    following: Following
    task: asyncio.Task[None] | None = None


@dataclass(slots=True)
class _Place:
    """There is one turn at a time; `run` is None until it has been handed to the agent."""

    stopping: bool = False
    run: _Run | None = None
    contained: asyncio.Event = field(default_factory=asyncio.Event)
    left: asyncio.Event = field(default_factory=asyncio.Event)


class OpenCode:
    """Directories outlive the sandbox's attempts: `home` has OpenCode's memory, `state_dir` ours.

    `environment` is what tools see: it needs a PATH with git and rg, and must hold nothing of the
    bridge's own. `reaper` is the process that inherits the sandbox's orphans, when it isn't init.
    """

    name: str = "opencode"

    def __init__(  # noqa: PLR0913, PLR0917 - one argument for each thing that the bridge decides
        self,
        workdir: Path,
        home: Path,
        state_dir: Path,
        binary: Path,
        models: ModelAccess,
        environment: Mapping[str, str],
        gate: WriteGate = _OPEN,
        *,
        redact: Redactor,
        hand_in: HandIn | None = None,
        open_pull_request: OpenPullRequest | None = None,
        reaper: int | None = None,
        limits: Limits = _PATIENT,
    ) -> None:
        self._limits = limits
        self._redact = redact
        self._door = GateDoor(gate, hand_in, open_pull_request)
        self._conversation = Conversation(state_dir)
        self._place: _Place | None = None
        self._agent = Agent(
            Setting(workdir, home, state_dir, binary, models, environment),
            door=self._door,
            redact=redact,
            reaper=reaper,
            limits=limits,
        )

    async def start(self) -> None:
        await self._agent.running()

    async def run(self, turn: Turn, emit: Emit) -> Outcome:
        assert self._place is None, "the agent takes one turn at a time"
        self._place = place = _Place()
        try:
            return await self._take(place, turn, emit)
        except (HarnessFailed, Unreachable) as error:
            await self._agent.kill()
            return Outcome("stopped") if place.stopping else Outcome("failed", str(error))
        finally:
            # Before anybody copies the files as this turn left them.
            await asyncio.to_thread(hide_secrets, self._agent.memory, self._redact)
            self._place = None
            place.left.set()

    async def stop_turn(self) -> bool:
        place = self._place
        if place is None:
            return True
        place.stopping = True
        if place.run is None:
            return True
        place.run.following.stopping = True
        try:
            return await self._contain(place.run)
        finally:
            place.contained.set()
            if place.run.task:
                place.run.task.cancel()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(place.left.wait(), _WIND_UP.total_seconds())

    async def close(self) -> None:
        await self._agent.end_everything()
        await self._door.close()

    async def _take(self, place: _Place, turn: Turn, emit: Emit) -> Outcome:
        server, api = await self._agent.running()
        run = await self._prepare(api, turn, emit)
        if place.stopping:
            return Outcome("stopped")
        place.run = run
        try:
            reason = await self._follow(place, run, server)
        except asyncio.CancelledError:
            _end(run, "stopped", emit)
            raise
        if place.stopping:
            # Else what is being killed might be the tools of the next turn.
            await place.contained.wait()
        with contextlib.suppress(HarnessFailed, Unreachable):
            await run.following.catch_up(_RECENT)
        ended = "stopped" if place.stopping else reason or "the turn ended before it did"
        _end(run, ended, emit)
        return _outcome(place, run.translation, reason)

    async def _prepare(self, api: Api, turn: Turn, emit: Emit) -> _Run:
        session = await self._conversation.session(api)
        if not await api.is_idle(session):
            # A prompt for a busy agent would be merged into the turn that it has.
            await api.abort(session)
        message = await next_message(api, session, time.time_ns() // 1_000_000)
        translation = Translation(turn.number, session, message, self._redact)
        following = Following(turn, translation, emit, api=api, limits=self._limits)
        return _Run(api, session, self._agent.tools(), translation, following)

    async def _follow(self, place: _Place, run: _Run, server: Server) -> str | None:
        """Why the turn was ended by us or by an accident; None when the agent ended it."""
        run.task = asyncio.create_task(run.following.to_the_end(server))
        try:
            await run.task
        except asyncio.CancelledError:
            if _is_cancelled():
                await asyncio.shield(self._contain(run))
                raise
            return "stopped"
        except ServerGone as gone:
            await self._agent.kill()
            await self._agent.end_tools(run.spared)
            return str(gone)
        except (GaveUp, HarnessFailed, Unreachable) as error:
            if not place.stopping:
                await self._contain(run)
            return str(error)
        return None

    async def _contain(self, run: _Run) -> bool:
        """Brings the agent to rest, by force if need be, and ends what this turn's tools left."""
        if not await self._comes_to_rest(run):
            await self._agent.kill()
        return await self._agent.end_tools(run.spared)

    async def _comes_to_rest(self, run: _Run) -> bool:
        """Aborted again and again: a prompt that was just sent may begin after the first abort."""
        at_rest = 0
        try:
            async with asyncio.timeout(self._limits.rest.total_seconds()):
                while at_rest < _LOOKS_AT_REST and not (at_rest and run.translation.is_over):
                    await run.api.abort(run.session)
                    at_rest = at_rest + 1 if await run.api.is_idle(run.session) else 0
                    await asyncio.sleep(_LOOK_AGAIN.total_seconds())
        except (TimeoutError, HarnessFailed, Unreachable):
            return False
        return True


def _end(run: _Run, reason: str, emit: Emit) -> None:
    for said in run.translation.end(reason):
        emit(said)


def _outcome(place: _Place, translation: Translation, reason: str | None) -> Outcome:
    if place.stopping:
        return Outcome("stopped", cost=translation.cost)
    error = reason or translation.failure
    return Outcome("failed" if error else "completed", error, translation.cost)


def _is_cancelled() -> bool:
    """Whether it is this task that is cancelled, and not only the one it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
