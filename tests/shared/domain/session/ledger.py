"""The stored session of a simulated world: every command goes through here and is checked.

What must hold of a single commit is asserted when it is made, what must hold of every stored
session in `check_session`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Self

from shared.domain.errors import DomainError
from shared.domain.session import commands
from shared.domain.session.decide import decide
from shared.domain.session.decision import (
    NOTHING,
    AttemptEnding,
    AttemptRetired,
    AttemptStarted,
    CompleteTask,
    Decision,
    Effect,
    Event,
    FilesSaved,
    PromptDispatched,
    PromptFinished,
    PromptQueued,
    SandboxMoved,
    SnapshotLost,
    TargetChosen,
    TaskDisarmed,
    TurnLeft,
    WorkspaceLost,
)
from shared.domain.session.evolve import evolve, evolve_all, touched
from shared.domain.session.failures import Failure
from shared.domain.session.state import (
    MAX_LIVES,
    Attempt,
    Boot,
    Ending,
    PromptStatus,
    SandboxStatus,
    Session,
    SessionStatus,
    StopReason,
    Wait,
)
from tests import build

OUTCOMES = {
    Wait.CONNECT: {"connected", "ended"},
    Wait.READY: {"ready", "ended"},
    Wait.SERVE: {"checkpoint", "stopping", "ended"},
    Wait.STOP: {"stopped", "ended"},
}
OF_PEOPLE = (
    commands.SubmitPrompt,
    commands.CancelPrompt,
    commands.Stop,
    commands.Cancel,
    commands.Archive,
    commands.Unarchive,
    commands.Rename,
    commands.ResumeQueue,
    commands.SaveFiles,
    commands.Warm,
    commands.Choose,
)
type OfPrompt = PromptQueued | PromptDispatched | PromptFinished | TurnLeft

AT_REST = {
    SandboxStatus.PENDING,
    SandboxStatus.STOPPED,
    SandboxStatus.STALE,
    SandboxStatus.FAILED,
}


@dataclass
class Ledger:
    session: Session = field(default_factory=build.session)
    now: datetime = build.NOW
    effects: list[Effect] = field(default_factory=list)
    """Committed and not done yet."""
    finished: list[int] = field(default_factory=list)
    dispatched: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    """Whose turns the bridge has told the end of."""
    counted: list[datetime] = field(default_factory=list)
    """Failures that say that the next boot would fail, too."""
    waits: dict[str, Wait] = field(default_factory=dict)
    heard: list[commands.Command] = field(default_factory=list)
    """Every command so far, for the world to repeat late."""

    def tell(self, command: commands.Command) -> None:
        """Decide and commit. What the session's state rules out is refused, and changes nothing."""
        before = self.session
        try:
            decision = decide(before, command, now=self.now)
        except DomainError:
            assert isinstance(command, OF_PEOPLE)
            return
        self._check_answer(command, decision)
        self.heard.append(command)
        if decision != NOTHING:
            self._commit(command, decision)
            self._check_repetition(command)

    def copy(self) -> Self:
        """To try what would happen."""
        return replace(
            self,
            effects=[*self.effects],
            finished=[*self.finished],
            dispatched=[*self.dispatched],
            left=[*self.left],
            counted=[*self.counted],
            waits={**self.waits},
            heard=[*self.heard],
        )

    def _commit(self, command: commands.Command, decision: Decision) -> None:
        before = self.session
        for event in decision.events:
            after = evolve(self.session, event)
            self._check_event(command, event, after)
            self.session = after
        self._check_tokens(before, decision)
        changed = touched(before, self.session, self.now)
        self.session = replace(changed, version=before.version + 1)
        self.effects.extend(decision.effects)
        check_session(self.session, self.now)
        known = sorted([*self.finished, *_unfinished(self.session)])
        assert known == list(range(1, self.session.prompts + 1)), "every prompt is somewhere, once"

    def _check_answer(self, command: commands.Command, decision: Decision) -> None:
        newer = replace(self.session, version=self.session.version + 1)
        assert decide(newer, command, now=self.now) == decision
        if not isinstance(command, OF_PEOPLE) and self.session.current(command.attempt) is None:
            starts = isinstance(command, commands.Poke) and self.session.retry_at is not None
            assert starts or decision.events == (), "a retired attempt changes nothing"
        if isinstance(command, commands.Arm):
            self.waits[command.token] = command.wait

    def _check_repetition(self, command: commands.Command) -> None:
        if not isinstance(command, OF_PEOPLE):
            again = decide(self.session, command, now=self.now)
            after = evolve_all(self.session, again.events)
            assert after == self.session, "what is known already is nothing new"

    def _check_event(self, command: commands.Command, event: Event, after: Session) -> None:
        before = self.session
        if before.workspace.exists and not after.workspace.exists:
            assert isinstance(event, WorkspaceLost | SnapshotLost | TargetChosen)
        match event:
            case PromptQueued() | PromptDispatched() | PromptFinished() | TurnLeft():
                self._check_prompt(command, event)
            case AttemptStarted(number):
                assert before.attempt is None
                assert number == before.attempts + 1
                recent = [at for at in self.counted if self.now - at < timedelta(minutes=5)]
                assert len(recent) < 3, "what fails is not tried again and again"
            case AttemptEnding(ending, _, counted_at):
                self._check_ending(command, ending)
                self.counted.extend([] if counted_at is None else [counted_at])
            case SandboxMoved(SandboxStatus.READY):
                self.counted.clear()
            case FilesSaved(snapshot):
                older = before.workspace.snapshot
                assert older is None or older.turn <= snapshot.turn, "no copy replaces a newer one"
            case AttemptRetired():
                assert before.attempt is not None
                worked = before.workspace.exists or before.attempt.complete
                assert worked or not after.workspace.exists, "a half-booted sandbox is not kept"
            case _:
                pass

    def _check_prompt(self, command: commands.Command, event: OfPrompt) -> None:
        before = self.session
        match event:
            case PromptQueued(prompt):
                assert before.status not in {SessionStatus.ARCHIVED, SessionStatus.CANCELLED}
                assert prompt.number == before.prompts + 1
            case PromptDispatched(number):
                assert before.running is None
                assert not before.held
                assert before.attempt is not None
                assert before.attempt.serves
                assert _has_time(before.attempt, self.now), "a turn has time before the end"
                assert number > max(self.dispatched, default=0), "first in, first out"
                self.dispatched.append(number)
            case PromptFinished(number=number, status=status):
                assert number not in self.finished
                cancels = isinstance(command, commands.Cancel | commands.CancelPrompt)
                assert cancels == (status is PromptStatus.CANCELLED)
                self.finished.append(number)
            case TurnLeft(number):
                assert before.running is not None
                assert before.running.prompt.number == number
                self.left.append(number)

    def _check_ending(self, command: commands.Command, ending: Ending) -> None:
        """Who may end an attempt, and how."""
        attempt = self.session.attempt
        assert attempt is not None
        broken = Ending.STALE if attempt.ready else Ending.FAILED
        if ending is Ending.IMAGE and not isinstance(command, commands.FilesGone):
            assert attempt.boot is Boot.IMAGE
            assert not attempt.ready
            ending = Ending.FAILED  # which is what it would be without the image
        match command:
            case commands.GiveUp(failure=Failure.SCRIPT | Failure.REPOSITORY):
                assert ending in {broken, Ending.FAILED}
            case commands.GiveUp() | commands.Retire() | commands.LifeEnded() | commands.Vanished():
                assert ending is broken
            case commands.LaunchFailed() | commands.FilesGone():
                assert not attempt.connected
                assert ending in {Ending.FAILED, Ending.IMAGE}
                assert ending is Ending.FAILED or attempt.boot is Boot.IMAGE
            case commands.TimedOut(wait=wait, clock=clock):
                assert not _known(self.session, attempt, wait)
                silent = clock is commands.Clock.HEARTBEAT and ending is broken
                unconnected = wait is Wait.CONNECT and ending is Ending.FAILED
                assert silent or unconnected or self._is_due(attempt, ending)
            case commands.Beat():
                assert self._is_due(attempt, ending)
            case _:
                self._check_choice(command, attempt, ending)

    def _is_due(self, attempt: Attempt, ending: Ending) -> bool:
        """Whether a deadline of the attempt's own has passed."""
        stop = self.session.running.stop if self.session.running else None
        match ending:
            case Ending.LIFETIME if stop is not None:
                return stop.reason is StopReason.LIFETIME and self.now >= stop.due
            case Ending.LIFETIME:
                return self.session.running is None and not _has_time(attempt, self.now)
            case Ending.STALE:
                return stop is not None and stop.reason is StopReason.ASKED and self.now >= stop.due
            case _:
                assert ending is Ending.FAILED
                due = attempt.boot_due
                return not attempt.complete and due is not None and self.now >= due

    def _check_choice(self, command: commands.Command, attempt: Attempt, ending: Ending) -> None:
        match command:
            case commands.Poke():
                assert attempt.idle_due is not None
                assert self.now >= attempt.idle_due
                assert not attempt.saving
                assert ending is Ending.INACTIVE
            case commands.BecomeReady():
                assert ending is Ending.FAILED
                assert attempt.boot is not Boot.FRESH
                assert not _has_time(attempt, self.now)
            case commands.Cancel():
                assert ending is Ending.CANCELLED
            case commands.Choose():
                assert self.session.prompts == 0
                assert ending is Ending.RETARGETED
            case commands.Connect(marker=marker):
                copy = self.session.workspace.snapshot
                assert ending is Ending.DAMAGED
                assert copy is not None
                assert marker is not None
                assert marker < copy.marker
            case commands.FinishPrompt():
                assert ending is Ending.LIFETIME
                assert attempt.expires_at is not None
            case _:
                assert isinstance(command, commands.Archive)
                assert ending is Ending.STOPPED

    def _check_tokens(self, before: Session, decision: Decision) -> None:
        completed = [effect for effect in decision.effects if isinstance(effect, CompleteTask)]
        for effect in completed:
            assert effect.outcome in OUTCOMES[self.waits[effect.token]]
        if TaskDisarmed() in decision.events:
            assert before.attempt is not None
            assert before.attempt.armed is not None
            assert [effect.token for effect in completed] == [before.attempt.armed.token]


def check_session(session: Session, now: datetime) -> None:
    waiting = [prompt.number for prompt in session.queue]
    assert session.unfinished <= 50
    assert all(number < later for number, later in pairwise(_unfinished(session)))
    assert (session.unfinished > 0) == (session.status is SessionStatus.ACTIVE)
    assert waiting or not session.held, "only what waits is held"
    if not session.status.accepts_prompts:
        assert session.attempt is None or session.attempt.ending, "a closed session needs none"
    if session.attempt is None:
        assert session.running is None
        postponed = session.held or session.retry_at is not None
        assert postponed or not waiting, "prompts without a sandbox have one started"
        assert session.sandbox in AT_REST
    else:
        assert session.attempt.number == session.attempts
        assert session.retry_at is None
        _check_attempt(session, session.attempt, now)


def _check_attempt(session: Session, attempt: Attempt, now: datetime) -> None:
    assert session.sandbox in _shown(attempt)
    if session.running is not None:
        assert attempt.serves
        assert attempt.idle_due is None
    if attempt.serves and session.running is None:
        may = not session.held and _has_time(attempt, now)
        assert not may or not session.queue, "a free sandbox works"
        assert session.unfinished or attempt.idle_due, "an idle one will be put away"
    if attempt.saving:
        assert attempt.complete, "half a boot is not worth a copy"
        assert session.running is None
    assert attempt.life <= MAX_LIVES or attempt.ending, "a worn-out attempt is put away"
    if attempt.ending is not None:
        assert attempt.token_hash is None
        assert attempt.armed is None
        assert not attempt.tunnels
        assert not attempt.saving
    if attempt.armed is not None:
        told = not _known(session, attempt, attempt.armed.wait)
        assert told, "who waits for a fact has been told"
    if attempt.complete and attempt.ending is None and attempt.provider_id is not None:
        assert session.workspace.provider_id == attempt.provider_id, "it has the session's files"


def _known(session: Session, attempt: Attempt, wait: Wait) -> bool:
    stopping = session.running is not None and session.running.stopping
    return {
        Wait.CONNECT: attempt.connected,
        Wait.READY: attempt.ready,
        Wait.SERVE: stopping or attempt.saving,
        Wait.STOP: not stopping,
    }[wait]


def _has_time(attempt: Attempt, now: datetime) -> bool:
    return attempt.expires_at is not None and now < attempt.expires_at - timedelta(minutes=10)


def _shown(attempt: Attempt) -> set[SandboxStatus]:
    if attempt.ending is not None:
        dead = {SandboxStatus.STOPPED, SandboxStatus.STALE, SandboxStatus.FAILED}
        return dead if attempt.ending is Ending.RETARGETED else {attempt.ending.sandbox}
    if attempt.saving:
        return {SandboxStatus.SNAPSHOTTING}
    if attempt.ready:
        return {SandboxStatus.READY}
    if attempt.connected:
        return {SandboxStatus.CONNECTING}
    return {SandboxStatus.SPAWNING, SandboxStatus.WARMING}


def _unfinished(session: Session) -> Sequence[int]:
    running = [session.running.prompt.number] if session.running else []
    return [*running, *(prompt.number for prompt in session.queue)]
