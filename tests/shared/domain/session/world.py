"""A simulated world around one session: everything is done late, twice, or by the sweep."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from shared.domain.session.commands import (
    Beat,
    LifeEnded,
    Poke,
    ResumeQueue,
    Vanished,
)
from shared.domain.session.decision import (
    ArmTimer,
    CompleteTask,
    Effect,
    StartLife,
    UpdateInboxes,
)
from shared.domain.session.sandbox import Boot
from shared.domain.session.state import PromptStatus, Session
from tests import build
from tests.shared.domain.session.ledger import Ledger
from tests.shared.domain.session.sandboxes import Bridge, Disk, Provider, Sandbox
from tests.shared.domain.session.workflow import Life, Luck, Step, names


@dataclass
class World:
    ledger: Ledger = field(default_factory=Ledger)
    provider: Provider = field(default_factory=Provider)
    lives: list[Life] = field(default_factory=list)
    timers: dict[int, datetime] = field(default_factory=dict)
    heard: dict[int, datetime] = field(default_factory=dict)
    ran: list[int] = field(default_factory=list)
    invented: set[int] = field(default_factory=set)
    """Turns that nobody had, whatever a bridge said."""
    lied_about: set[int] = field(default_factory=set)
    """Attempts of which a bridge said what is not so."""

    def __post_init__(self) -> None:
        self.names = names()

    def perform(self, effect: Effect) -> None:
        match effect:
            case StartLife(attempt, number):
                if not self.has_started(attempt, number):
                    self.start_life(attempt, number)
            case CompleteTask(token, outcome, left):
                for life in self.lives:
                    life.complete(token, outcome, left)
            case ArmTimer(attempt, due):
                self.timers[attempt] = due
            case UpdateInboxes():
                pass  # no decision asks for it: whoever commits does

    def start_life(self, attempt: int, number: int) -> None:
        self.lives.append(Life(attempt, number, self.ledger, self.provider, self.names))

    def has_started(self, attempt: int, number: int) -> bool:
        return (attempt, number) in {(life.attempt, life.number) for life in self.lives}

    def reap(self) -> bool:
        """Find the attempt whose workflow is over, or whose sandbox is."""
        attempt = self.ledger.session.attempt
        if attempt is None or not self.has_started(attempt.number, attempt.life):
            return False
        running = {(life.attempt, life.number) for life in self.living()}
        lost = (attempt.number, attempt.life) not in running
        if lost:
            self.ledger.tell(LifeEnded(attempt.number, attempt.life))
        return lost | self.find_vanished()

    def find_vanished(self) -> bool:
        attempt = self.ledger.session.attempt
        if attempt is None or attempt.provider_id is None or not attempt.connected:
            return False
        if attempt.ending or self.provider.get(attempt.provider_id) is not None:
            return False
        self.ledger.tell(Vanished(attempt.number, attempt.provider_id))
        return True

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

    def step_bridge(
        self, sandbox: Sandbox, bridge: Bridge, ends: PromptStatus, *, obeys_first: bool = False
    ) -> None:
        if not bridge.alive:
            return
        self.beat(bridge)
        if bridge.hung:
            return  # it beats and does nothing else
        began = bridge.step(self.ledger, ends=ends, obeys_first=obeys_first)
        if began is not None:
            assert began not in self.ran, "no prompt runs twice"
            assert self.ledger.session.running is not None
            assert self.ledger.session.running.prompt.number == began
            self._check_whole(sandbox, bridge)
            self.ran.append(began)
        attempt = self.ledger.session.current(bridge.attempt)
        if bridge.running is not None and attempt is not None and attempt.complete:
            sandbox.worked = True  # before that it may only read

    def _check_whole(self, sandbox: Sandbox, bridge: Bridge) -> None:
        """Nobody works in a sandbox that has woken worse than the copy of its files.

        What was made from the copy is not held to it: it would be made again and again.
        """
        session = self.ledger.session
        copy, attempt = session.workspace.snapshot, session.current(bridge.attempt)
        if bridge.attempt in self.lied_about or self.invented:
            return
        woken = attempt is not None and attempt.boot is Boot.RESUME
        if woken and sandbox.damaged and bridge.marks and copy is not None:
            assert copy.marker <= sandbox.disk.marker, "the copy is restored"

    def beat(self, bridge: Bridge) -> None:
        attempt = self.ledger.session.current(bridge.attempt)
        if attempt is not None and bridge.connected and attempt.token_hash == bridge.token:
            self.heard[bridge.attempt] = self.ledger.now
            self.ledger.tell(Beat(bridge.attempt))

    def pass_time(self, time: timedelta) -> None:
        self.ledger.now += time
        self.provider.expire(self.ledger.now)

    def check(self) -> None:
        """What must hold between any two things that happen."""
        session = self.ledger.session
        if (attempt := session.attempt) is not None:
            asked = StartLife(attempt.number, attempt.life) in self.ledger.effects
            started = self.has_started(attempt.number, attempt.life)
            assert asked or started, "a life moves it, or can be seen to be over"
            idle = attempt.idle_due is None or attempt.ending is not None
            assert idle or self._poked(attempt.number, attempt.idle_due), "it will be poked"
        elif session.queue and not session.held:
            assert self._poked(session.attempts, session.retry_at), "it will be started"
        for box in self.provider.sandboxes:
            if box.worked and box.exists and not box.damaged:
                self._check_kept(box)
        if not self.provider.disaster:
            self._check_nothing_is_lost(session)

    def _poked(self, attempt: int, due: datetime | None) -> bool:
        """In time or too early; a timer that came too late would leave it standing."""
        asked = [ArmTimer(number, due) for number, due in self.timers.items()]
        return any(
            timer.attempt == attempt and due is not None and timer.due <= due
            for timer in (*asked, *self.ledger.effects)
            if isinstance(timer, ArmTimer)
        )

    def _check_kept(self, box: Sandbox) -> None:
        """The newest sandbox in which work was done is the session's, or its attempt's own."""
        session = self.ledger.session
        if box.id in self.ledger.history.replaced:
            return
        if session.workspace.exists:
            assert session.workspace.provider_id == box.id
        else:
            assert session.attempt is not None
            assert session.attempt.number == box.attempt
            assert session.attempt.complete

    def _check_nothing_is_lost(self, session: Session) -> None:
        files, left = self._files(session), set(self.ledger.history.left) - self.invented
        assert left <= files.turns, "what was done is there"
        copy = session.workspace.snapshot
        if copy is not None:
            kept = self.provider.copies[copy.id]
            told = self.invented or kept.marker >= copy.marker
            assert told, "a copy is what it is said to be"
            assert {turn for turn in left if turn <= copy.turn} <= kept.turns

    def _files(self, session: Session) -> Disk:
        workspace = session.workspace
        if workspace.provider_id is None and session.attempt is None:
            return self.provider.copies[workspace.snapshot.id] if workspace.snapshot else Disk()
        holder = self.provider.get(workspace.provider_id)
        made = self.provider.made_for(session.attempts)
        if holder is None:
            return made.disk if made else Disk()
        return holder.disk

    def act_fairly(self) -> None:
        """Everybody does what is due, and nothing goes wrong any more."""
        if self.ledger.session.held:
            self.ledger.tell(ResumeQueue(build.ADA.user))
        self.act()

    def act(self, luck: Luck = "well", ends: PromptStatus = PromptStatus.COMPLETED) -> None:
        """Everybody does what is due; when nothing is, time passes."""
        before = self.ledger.session
        moved = self.sweep() | self.reap()
        for life in self.lives:
            moved |= life.go(luck)
        for sandbox, bridge in self.bridges():
            self.step_bridge(sandbox, bridge, ends)
        if not moved and before == self.ledger.session:
            self._let_time_pass()

    def _let_time_pass(self) -> None:
        self.pass_time(timedelta(minutes=5))
        for _, bridge in self.bridges():
            if bridge.alive:
                self.beat(bridge)
        for life in self.living():
            self._run_out(life)
        due = [attempt for attempt, due in self.timers.items() if due <= self.ledger.now]
        for attempt in due:
            del self.timers[attempt]
            self.ledger.tell(Poke(attempt, watched=False))

    def _run_out(self, life: Life) -> None:
        heard = self.heard.get(life.attempt)
        if (clock := life.ran_out(heard)) is not None:
            life.ask(clock, heard)

    def at_rest(self) -> bool:
        session = self.ledger.session
        return session.attempt is None and not session.unfinished and not self.ledger.effects
