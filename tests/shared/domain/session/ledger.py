"""The stored session of a simulated world: every command goes through here and is checked."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Self

from shared.domain.errors import DomainError
from shared.domain.session import commands
from shared.domain.session.decide import decide
from shared.domain.session.decision import NOTHING, CompleteTask, Decision, Effect
from shared.domain.session.evolve import evolve, evolve_all, touched
from shared.domain.session.facts import TaskDisarmed
from shared.domain.session.sandbox import Wait
from shared.domain.session.state import Session, StopReason
from tests import build
from tests.shared.domain.session.endings import Asked
from tests.shared.domain.session.history import History
from tests.shared.domain.session.invariants import check_deadlines, check_session

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
    commands.BeginAnew,
    commands.SaveFiles,
    commands.Warm,
    commands.Choose,
    commands.RecordPullRequest,
    commands.OfferPullRequest,
)


@dataclass
class Ledger:
    session: Session = field(default_factory=build.session)
    now: datetime = build.NOW
    history: History = field(default_factory=History)
    effects: list[Effect] = field(default_factory=list)
    """Committed and not done yet."""
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
        self._check_answered(command)

    def _check_answered(self, command: commands.Command) -> None:
        """What must have happened, whatever the decision was."""
        match command:
            case commands.Beat(attempt) if attempt == self.session.attempts:
                check_deadlines(self.session, self.now)
            case commands.Saved(attempt) | commands.SaveFailed(attempt):
                current = self.session.current(attempt)
                assert current is None or not current.saving, "prompts do not wait for it any more"
            case commands.Stop() if (running := self.session.running) is not None:
                asked = running.stop is not None and running.stop.reason is StopReason.ASKED
                assert asked or command.prompt not in {None, running.prompt.number}
            case _:
                pass

    def copy(self) -> Self:
        """To try what would happen."""
        return replace(
            self,
            history=self.history.copy(),
            effects=[*self.effects],
            waits={**self.waits},
            heard=[*self.heard],
        )

    def _commit(self, command: commands.Command, decision: Decision) -> None:
        before = self.session
        asked = Asked(before, command, self.now)
        for event in decision.events:
            after = evolve(self.session, event)
            self.history.add(asked, self.session, event, after)
            self.session = after
        self._check_tokens(before, decision)
        changed = touched(before, self.session, self.now)
        self.session = replace(changed, version=before.version + 1)
        self.effects.extend(decision.effects)
        check_session(self.session, self.now)
        self.history.check(asked, self.session)

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

    def _check_tokens(self, before: Session, decision: Decision) -> None:
        completed = [effect for effect in decision.effects if isinstance(effect, CompleteTask)]
        for effect in completed:
            assert effect.outcome in OUTCOMES[self.waits[effect.token]]
        if TaskDisarmed() in decision.events:
            assert before.attempt is not None
            assert before.attempt.armed is not None
            assert [effect.token for effect in completed] == [before.attempt.armed.token]
