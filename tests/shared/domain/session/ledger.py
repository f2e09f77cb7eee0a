"""The stored session of a simulated world: every command goes through here and is checked.

What must hold of a single commit is asserted when it is made, what must hold of every stored
session in `check_session`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
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
    PromptDispatched,
    PromptFinished,
    PromptQueued,
    TaskDisarmed,
    WorkspaceLost,
)
from shared.domain.session.evolve import evolve, touched
from shared.domain.session.state import (
    MAX_LIVES,
    Attempt,
    Ending,
    PromptStatus,
    SandboxStatus,
    Session,
    SessionStatus,
    Wait,
)
from tests import build

OUTCOMES = {
    Wait.CONNECT: {"connected", "ended"},
    Wait.READY: {"ready", "ended"},
    Wait.SERVE: {"ended"},
}
OF_PEOPLE = (
    commands.SubmitPrompt,
    commands.CancelPrompt,
    commands.Stop,
    commands.Cancel,
    commands.Archive,
    commands.Unarchive,
    commands.Rename,
)
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
            waits={**self.waits},
            heard=[*self.heard],
        )

    def _commit(self, command: commands.Command, decision: Decision) -> None:
        before = self.session
        for event in decision.events:
            after = evolve(self.session, event)
            self._check_event(command, event, after)
            if isinstance(event, AttemptEnding):
                self._check_ending(command, event.ending)
            self.session = after
        self._check_tokens(before, decision)
        changed = touched(before, self.session, self.now)
        self.session = replace(changed, version=before.version + 1)
        self.effects.extend(decision.effects)
        check_session(self.session)
        known = sorted([*self.finished, *_unfinished(self.session)])
        assert known == list(range(1, self.session.prompts + 1)), "every prompt is somewhere, once"

    def _check_answer(self, command: commands.Command, decision: Decision) -> None:
        newer = replace(self.session, version=self.session.version + 1)
        assert decide(newer, command, now=self.now) == decision
        if not isinstance(command, OF_PEOPLE) and self.session.current(command.attempt) is None:
            assert decision.events == (), "a retired attempt changes nothing"
        if isinstance(command, commands.Arm):
            self.waits[command.token] = command.wait

    def _check_repetition(self, command: commands.Command) -> None:
        if not isinstance(command, OF_PEOPLE):
            again = decide(self.session, command, now=self.now)
            assert again.events == (), "what is known already is nothing new"

    def _check_event(self, command: commands.Command, event: Event, after: Session) -> None:
        before = self.session
        if before.workspace.exists and not after.workspace.exists:
            assert isinstance(event, WorkspaceLost)
        match event:
            case PromptQueued(prompt):
                assert before.status not in {SessionStatus.ARCHIVED, SessionStatus.CANCELLED}
                assert prompt.number == before.prompts + 1
            case PromptDispatched(number):
                assert before.running is None
                assert before.attempt is not None
                assert before.attempt.serves
                assert number > max(self.dispatched, default=0), "first in, first out"
                self.dispatched.append(number)
            case PromptFinished(number=number, status=status):
                assert number not in self.finished
                cancels = isinstance(command, commands.Cancel | commands.CancelPrompt)
                assert cancels == (status is PromptStatus.CANCELLED)
                self.finished.append(number)
            case AttemptStarted(number):
                assert before.attempt is None
                assert number == before.attempts + 1
            case AttemptRetired():
                assert before.attempt is not None
                worked = before.workspace.exists or before.attempt.ready
                assert worked or not after.workspace.exists, "a half-booted sandbox is not kept"
            case _:
                pass

    def _check_ending(self, command: commands.Command, ending: Ending) -> None:
        """Who may end an attempt, and how."""
        attempt = self.session.attempt
        assert attempt is not None
        broken = Ending.STALE if attempt.ready else Ending.FAILED
        match command:
            case commands.GiveUp() | commands.Retire() | commands.LifeEnded():
                assert ending is broken
            case commands.LaunchFailed():
                assert not attempt.connected
                assert ending is Ending.FAILED
            case commands.TimedOut(wait=wait):
                assert not _known(attempt, wait)
                assert ending in {broken, Ending.FAILED, Ending.LIFETIME}
            case commands.Poke():
                assert attempt.idle_due is not None
                assert self.now >= attempt.idle_due
                assert ending is Ending.INACTIVE
            case commands.Cancel():
                assert ending is Ending.CANCELLED
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


def check_session(session: Session) -> None:
    waiting = [prompt.number for prompt in session.queue]
    assert session.unfinished <= 50
    assert all(number < later for number, later in pairwise(_unfinished(session)))
    assert (session.unfinished > 0) == (session.status is SessionStatus.ACTIVE)
    if not session.status.accepts_prompts:
        assert session.attempt is None or session.attempt.ending, "a closed session needs none"
    if session.attempt is None:
        assert session.running is None
        assert not waiting, "prompts without a sandbox have one started"
        assert session.sandbox in AT_REST
    else:
        assert session.attempt.number == session.attempts
        _check_attempt(session, session.attempt)


def _check_attempt(session: Session, attempt: Attempt) -> None:
    assert session.sandbox is _shown(attempt)
    if session.running is not None:
        assert attempt.serves
        assert attempt.idle_due is None
    if attempt.serves:
        assert session.running is not None or not session.queue, "a free sandbox works"
        assert session.unfinished or attempt.idle_due, "an idle one will be put away"
    assert attempt.life <= MAX_LIVES or attempt.ending, "a worn-out attempt is put away"
    if attempt.ending is not None:
        assert attempt.token_hash is None
        assert attempt.armed is None
    if attempt.armed is not None:
        assert not _known(attempt, attempt.armed.wait), "who waits for a fact has been told"
    if attempt.ready and attempt.provider_id is not None:
        assert session.workspace.provider_id == attempt.provider_id, "it has the session's files"


def _known(attempt: Attempt, wait: Wait) -> bool:
    return {Wait.CONNECT: attempt.connected, Wait.READY: attempt.ready, Wait.SERVE: False}[wait]


def _shown(attempt: Attempt) -> SandboxStatus:
    if attempt.ending is not None:
        return attempt.ending.sandbox
    if attempt.ready:
        return SandboxStatus.READY
    return SandboxStatus.CONNECTING if attempt.connected else SandboxStatus.SPAWNING


def _unfinished(session: Session) -> Sequence[int]:
    running = [session.running.prompt.number] if session.running else []
    return [*running, *(prompt.number for prompt in session.queue)]
