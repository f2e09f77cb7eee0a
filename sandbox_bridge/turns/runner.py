"""Runs the prompts that the server orders, one at a time, and answers for each exactly once."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from pydantic import TypeAdapter

from sandbox_bridge.boot.gate import BootGate
from sandbox_bridge.changes.seam import Comparing
from sandbox_bridge.files.server import FileFailed
from sandbox_bridge.git.author import Author, author, sign_as
from sandbox_bridge.git.checkout import Checkout
from sandbox_bridge.git.clone import unlock
from sandbox_bridge.git.command import GitFailed
from sandbox_bridge.git.commit import message
from sandbox_bridge.harness.seam import Emit, Harness, Outcome, Turn, TurnFile
from sandbox_bridge.redaction import Redactor
from sandbox_bridge.redaction.events import hidden
from sandbox_bridge.turns.interruption import Interrupted, unless
from sandbox_bridge.turns.marker import Marker
from sandbox_bridge.turns.obedience import Close, Interrupt, Nothing, SayAgain, Start, next_step
from sandbox_bridge.turns.performance import perform
from sandbox_bridge.turns.publish import Published, Work, publish
from sandbox_bridge.turns.pull_requests import PullRequests
from sandbox_bridge.turns.record import Records
from sandbox_bridge.turns.stage import Stage
from sandbox_bridge.wire.actions import Fetched
from sandbox_bridge.wire.encoding import Said, said
from sandbox_bridge.wire.line import PromptRefused
from shared.protocol.attachments import Attached
from shared.protocol.bridge import Orders
from shared.protocol.events import (
    BridgeEvent,
    Committed,
    ExecutionComplete,
    Fatal,
    PromptStarted,
    Pushed,
    Warned,
)
from shared.protocol.tokens import counts

logger = logging.getLogger(__name__)

ERROR_CHARS = 1_500
PUBLISHES_WITHIN = timedelta(seconds=8)
"""What a stop leaves a turn that has ended to get its work to the remote."""

RESTARTED = "the agent's bridge restarted during this turn; the files are kept"

_EVENT: TypeAdapter[BridgeEvent] = TypeAdapter(BridgeEvent)


@dataclass(frozen=True, slots=True)
class Surroundings:
    session: str
    harness: Harness
    checkouts: Sequence[Checkout]
    emit: Emit
    redact: Redactor
    fetch: Callable[[int], Awaitable[Fetched]]
    fetch_files: Callable[[Sequence[Attached]], Awaitable[tuple[TurnFile, ...]]]
    pull_requests: PullRequests
    marker: Marker
    gate: BootGate
    changes: Comparing


@dataclass(slots=True)
class _Running:
    prompt: int
    stop: asyncio.Event
    closed_harness: bool = False


class Turns:
    """`in_flight`: what an earlier bridge of this attempt had sent and not seen acknowledged."""

    def __init__(
        self, around: Surroundings, records: Records, in_flight: Sequence[Said] = ()
    ) -> None:
        self._around = around
        self._records = records
        self._on_their_way = list(in_flight)
        self._orders = Orders(do="idle")
        self._can_start = False
        self._running: _Running | None = None
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """The agent takes turns."""
        self._can_start = True
        self.obey(self._orders)

    def abandon(self) -> None:
        """No turn runs any more. The one that does stays on record as unfinished."""
        self._can_start = False
        if self._task:
            self._task.cancel()

    def obey(self, orders: Orders) -> None:
        self._orders = orders
        record = None if orders.prompt is None else self._records.of(orders.prompt)
        running = self._running.prompt if self._running else None
        match next_step(orders, record, running=running, can_start=self._can_start):
            case Start(prompt):
                self._start(prompt)
            case Interrupt():
                self._interrupt()
            case Close(prompt, status):
                error = RESTARTED if status == "failed" else None
                self._finish(prompt, Outcome(status, error), Published())
            case SayAgain(prompt):
                self._say_owed(prompt)
            case Nothing():
                pass

    def settled(self, events: list[Said]) -> None:
        self._records.acknowledge(events)
        self.dropped(events)

    def dropped(self, events: list[Said]) -> None:
        """What is owed of it is said again when the server orders the prompt again."""
        self._on_their_way = [event for event in self._on_their_way if event not in events]

    def compare(self) -> None:
        self._around.changes.compare(asked=True)

    def _start(self, prompt: int) -> None:
        self._records.begin(prompt)
        self._running = _Running(prompt, asyncio.Event())
        self._task = asyncio.create_task(self._turn(self._running))

    def _interrupt(self) -> None:
        if self._running:
            self._running.stop.set()

    async def _turn(self, running: _Running) -> None:
        stage, published = Stage(running.prompt, self._around.emit), Published()
        try:
            outcome = await self._work(running, stage, published)
        except Exception as error:
            # The outermost guard: whatever went wrong in here, the prompt has its one answer.
            logger.exception("turn", extra={"prompt": running.prompt})
            told = f"the bridge failed: {type(error).__name__}"
            outcome = Outcome("failed", told, stage.cost, stage.tokens)
        self._running = None
        self._finish(running.prompt, outcome, published)
        if running.closed_harness and not await self._start_harness():
            return
        self._can_start = True
        self.obey(self._orders)

    async def _work(self, running: _Running, stage: Stage, published: Published) -> Outcome:
        self._around.emit(PromptStarted(prompt=running.prompt))
        try:
            prompt = await unless(running.stop, self._around.fetch(running.prompt))
            files = await unless(running.stop, self._around.fetch_files(prompt.attachments))
        except (PromptRefused, FileFailed) as error:
            return Outcome("failed", str(error))
        except Interrupted:
            return Outcome("stopped")
        who = author(prompt.author_name, prompt.author_email)
        await self._sign(who)
        turn = Turn(running.prompt, prompt.text, prompt.model, prompt.effort, files)
        words = message(self._around.redact(prompt.text), self._around.session, running.prompt)
        work = Work(running.prompt, who, words)
        async with self._around.pull_requests.during(work, published, self._around.emit):
            outcome = await self._perform(running, turn, stage)
        if outcome.status != "completed":
            self._unlock()
            return outcome
        publishing = self._publish(work, published)
        try:
            await unless(running.stop, publishing, grace=PUBLISHES_WITHIN)
        except Interrupted:
            self._unlock()
            return replace(outcome, status="stopped")
        if published.error:
            return replace(outcome, status="failed", error=published.error)
        return outcome

    async def _sign(self, who: Author) -> None:
        """A repository that takes no name is still one that the agent can be asked to repair."""
        for checkout in self._around.checkouts:
            try:
                await sign_as(checkout, who)
            except GitFailed as error:
                self._around.emit(Warned(message=f"{checkout.name}: {error}", scope="commit"))

    async def _perform(self, running: _Running, turn: Turn, stage: Stage) -> Outcome:
        if running.stop.is_set():
            return Outcome("stopped")
        performed = await perform(self._around.harness, turn, stage, running.stop)
        # Until it is up again no order starts another turn.
        running.closed_harness = performed.closed
        self._can_start = not performed.closed
        return performed.outcome

    async def _publish(self, work: Work, published: Published) -> None:
        # Where the agent only read, its turn may end before the boot has left the files alone.
        await self._around.gate.opened()
        await publish(self._around.checkouts, work, published)

    async def _start_harness(self) -> bool:
        try:
            await self._around.harness.start()
        except Exception as error:
            logger.exception("harness")
            lost = f"the agent could not be started again: {error}"
            self._around.emit(Fatal(error=lost, kind="agent"))
            return False
        return True

    def _unlock(self) -> None:
        """A git command of the agent's may have been cut off; nothing of the turn runs any more.

        Before the gate was open it could run none, and the boot's own still hold their locks.
        """
        for checkout in self._around.checkouts if self._around.gate.is_open else ():
            unlock(checkout.git.directory)

    def _finish(self, prompt: int, outcome: Outcome, published: Published) -> None:
        pushed = published.first_push
        # First of all: a record would be said again after a restart, whatever the marker says.
        marked = self._around.marker.advance(prompt)
        end = ExecutionComplete(
            prompt=prompt,
            status=outcome.status,
            error=outcome.error and self._around.redact(outcome.error)[:ERROR_CHARS],
            cost=outcome.cost,
            tokens=counts(outcome.tokens),
            branch=pushed and pushed.branch,
            commit=pushed and pushed.commit,
            marked=marked,
        )
        closing = [event for event in published.events if isinstance(event, Committed | Pushed)]
        # As they will be in a frame: by that they are known when it is settled.
        owed = [said(hidden(event, self._around.redact)) for event in (*closing, end)]
        self._records.finish(prompt, owed)
        self._on_their_way += owed
        for event in (*published.events, end):
            self._around.emit(event)
        logger.info("turn ended", extra={"prompt": prompt, "status": outcome.status})
        self._around.changes.compare()

    def _say_owed(self, prompt: int) -> None:
        record = self._records.of(prompt)
        owed = record.owed or () if record else ()
        for event in owed:
            if event not in self._on_their_way:
                self._on_their_way.append(event)
                self._around.emit(_EVENT.validate_python(event))
