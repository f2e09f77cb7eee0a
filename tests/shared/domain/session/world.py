"""A simulated world around one session: everything is done late, twice, or by the sweep."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from shared.domain.session.commands import Clock, LifeEnded, Poke
from shared.domain.session.decision import ArmTimer, CompleteTask, Effect, StartLife
from shared.domain.session.state import Attempt, PromptStatus, Wait
from tests.shared.domain.session.ledger import Ledger
from tests.shared.domain.session.sandboxes import Bridge, Provider, Sandbox
from tests.shared.domain.session.workflow import Life, Step, names

HEARTBEAT = timedelta(seconds=90)


@dataclass
class World:
    ledger: Ledger = field(default_factory=Ledger)
    provider: Provider = field(default_factory=Provider)
    lives: list[Life] = field(default_factory=list)
    timers: dict[int, datetime] = field(default_factory=dict)
    heard: dict[int, datetime] = field(default_factory=dict)
    ran: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.names = names()

    def perform(self, effect: Effect) -> None:
        match effect:
            case StartLife(attempt, number):
                if not self.has_started(attempt, number):
                    self.start_life(attempt, number)
            case CompleteTask(token, outcome):
                for life in self.lives:
                    life.complete(token, outcome)
            case ArmTimer(attempt, due):
                self.timers[attempt] = due

    def start_life(self, attempt: int, number: int) -> None:
        self.lives.append(Life(attempt, number, self.ledger, self.provider, self.names))

    def has_started(self, attempt: int, number: int) -> bool:
        return (attempt, number) in {(life.attempt, life.number) for life in self.lives}

    def reap(self) -> bool:
        """Find the attempt whose workflow is over without having retired it."""
        attempt = self.ledger.session.attempt
        if attempt is None or not self.has_started(attempt.number, attempt.life):
            return False
        running = {(life.attempt, life.number) for life in self.living()}
        lost = (attempt.number, attempt.life) not in running
        if lost:
            self.ledger.tell(LifeEnded(attempt.number, attempt.life))
        return lost

    def sweep(self) -> bool:
        """Perform all that is left."""
        effects, self.ledger.effects = self.ledger.effects, []
        for effect in effects:
            self.perform(effect)
        return bool(effects)

    def living(self) -> list[Life]:
        return [life for life in self.lives if life.step is not Step.OVER]

    def bridges(self) -> list[tuple[Sandbox, Bridge]]:
        boxes = [box for box in self.provider.sandboxes if box.exists]
        return [(box, box.bridge) for box in boxes if box.bridge is not None]

    def step_bridge(self, sandbox: Sandbox, bridge: Bridge, ends: PromptStatus) -> None:
        if not bridge.alive:
            return
        self.heard[bridge.attempt] = self.ledger.now
        if bridge.hung:
            return  # it beats and does nothing else
        began = bridge.step(self.ledger, ends=ends)
        if began is not None:
            assert began not in self.ran, "no prompt runs twice"
            assert self.ledger.session.running is not None
            assert self.ledger.session.running.prompt.number == began
            self.ran.append(began)
            sandbox.worked = True

    def check(self) -> None:
        """What must hold between any two things that happen."""
        attempt = self.ledger.session.attempt
        if attempt is not None:
            asked = StartLife(attempt.number, attempt.life) in self.ledger.effects
            started = self.has_started(attempt.number, attempt.life)
            assert asked or started, "a life moves it, or can be seen to be over"
            assert attempt.idle_due is None or self._poked(attempt), "an idle one will be poked"
        for box in self.provider.sandboxes:
            if box.worked and box.exists:
                self._check_kept(box)

    def _poked(self, attempt: Attempt) -> bool:
        """In time or too early; a timer that came too late would leave it standing."""
        asked = [ArmTimer(number, due) for number, due in self.timers.items()]
        return attempt.ending is not None or any(
            timer.attempt == attempt.number and _in_time(timer.due, attempt)
            for timer in (*asked, *self.ledger.effects)
            if isinstance(timer, ArmTimer)
        )

    def _check_kept(self, box: Sandbox) -> None:
        """The newest sandbox in which work was done is the session's, or its attempt's own."""
        session = self.ledger.session
        if session.workspace.exists:
            assert session.workspace.provider_id == box.id
        else:
            assert session.attempt is not None
            assert session.attempt.number == box.attempt
            assert session.attempt.ready

    def act_fairly(self) -> None:
        """Everybody does what is due; when nothing is, time passes. Nothing goes wrong any more."""
        before = (self.ledger.session, len(self.ledger.heard))
        moved = self.sweep() | self.reap()
        for life in self.lives:
            moved |= life.go()
        for sandbox, bridge in self.bridges():
            self.step_bridge(sandbox, bridge, PromptStatus.COMPLETED)
        if not moved and before == (self.ledger.session, len(self.ledger.heard)):
            self._let_time_pass()

    def _let_time_pass(self) -> None:
        self.ledger.now += timedelta(minutes=5)
        for _, bridge in self.bridges():
            if bridge.alive:
                self.heard[bridge.attempt] = self.ledger.now
        for life in self.living():
            self._run_out(life)
        due = [attempt for attempt, due in self.timers.items() if due <= self.ledger.now]
        for attempt in due:
            del self.timers[attempt]
            self.ledger.tell(Poke(attempt, watched=False))

    def _run_out(self, life: Life) -> None:
        if life.step is not Step.WAITING:
            return
        heard = self.heard.get(life.attempt)
        if life.overdue():
            life.ask(Clock.TIMEOUT, heard)
        elif life.wait is not Wait.CONNECT and (heard is None or _silent(heard, self.ledger.now)):
            life.ask(Clock.HEARTBEAT, heard)

    def at_rest(self) -> bool:
        session = self.ledger.session
        return session.attempt is None and not session.unfinished and not self.ledger.effects


def _silent(heard: datetime, now: datetime) -> bool:
    return now - heard >= HEARTBEAT


def _in_time(due: datetime, attempt: Attempt) -> bool:
    return attempt.idle_due is not None and due <= attempt.idle_due
