"""The provider and what runs inside its sandboxes, as a session's simulated world knows them."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from shared.domain.session.commands import (
    BecomeReady,
    CompleteBoot,
    ConfirmStart,
    Connect,
    GiveUp,
    ReportPhase,
)
from shared.domain.session.failures import Failure
from shared.domain.session.orders import orders
from shared.domain.session.sandbox import Boot, ProviderId
from shared.domain.session.state import PromptStatus
from tests.shared.domain.session.ledger import Ledger
from tests.shared.domain.session.situations import finish_of


@dataclass(frozen=True, slots=True)
class Disk:
    turns: frozenset[int] = frozenset()
    """Whose work is on it."""
    marker: int = 0
    broken: bool = False
    """Nothing boots from it."""


@dataclass
class Sandbox:
    id: ProviderId
    attempt: int
    """For which attempt it was made."""
    boot: Boot = Boot.FRESH
    disk: Disk = Disk()
    exists: bool = True
    worked: bool = False
    """An agent began to work in it: from then on its files are somebody's."""
    damaged: bool = False
    full: bool = False
    """It takes no mark any more."""
    bridge: "Bridge | None" = None
    ends_at: datetime | None = None

    def pause(self) -> None:
        self.bridge = None

    def keep_turn(self, prompt: int, *, marks: bool) -> bool:
        """Whether its mark is there, too."""
        marks = marks and not self.full
        marker = max(prompt, self.disk.marker) if marks else self.disk.marker
        self.disk = replace(self.disk, turns=self.disk.turns | {prompt}, marker=marker)
        return marks


@dataclass
class Bridge:
    """Does what `orders` says and nothing else. `done` is its outbox: it survives its death."""

    attempt: int
    token: str
    sandbox: Sandbox
    marks: bool = True
    """It says at each hello what mark it finds; a bridge of old did not."""
    early: bool = False
    """It is ready before its boot is over."""
    endless: bool = False
    """Then its boot is never over."""
    warm: bool = False
    connected: bool = False
    set_up: bool = False
    ready: bool = False
    complete: bool = False
    alive: bool = True
    hung: bool = False
    running: int | None = None
    done: dict[int, PromptStatus] = field(default_factory=dict)
    marked: set[int] = field(default_factory=set)

    def step(
        self,
        ledger: Ledger,
        *,
        ends: PromptStatus = PromptStatus.COMPLETED,
        obeys_first: bool = False,
    ) -> int | None:
        """One thing. Answers the prompt that it began to run."""
        attempt = ledger.session.current(self.attempt)
        if attempt is None or attempt.token_hash != self.token:
            self.alive = False  # its token is dead
        elif not self.warm:
            self.warm = True
        elif not self.connected:
            self.connected = True
            ledger.tell(Connect(self.attempt, self.sandbox.disk.marker if self.marks else None))
        elif not self.ready:
            self._boot(ledger)
        elif not self.complete and not obeys_first and not self.endless:
            self.complete = True
            ledger.tell(CompleteBoot(self.attempt))
        else:
            return self._obey(ledger, ends)
        return None

    def _boot(self, ledger: Ledger) -> None:
        if not self.set_up:
            self.set_up = True
            ledger.tell(ReportPhase(attempt=self.attempt, phase="setup"))
        elif self.sandbox.disk.broken:
            ledger.tell(GiveUp(self.attempt, "start.sh failed", Failure.SCRIPT))
        else:
            self.ready, self.complete = True, not self.early
            ledger.tell(BecomeReady(self.attempt, complete=self.complete))

    def _obey(self, ledger: Ledger, ends: PromptStatus) -> int | None:
        todo = orders(ledger.session, self.attempt)
        if todo.prompt is None:
            self.running, self.alive = None, todo.do != "retire"
        elif todo.prompt in self.done:
            marked = todo.prompt in self.marked or not self.marks
            status = self.done[todo.prompt]
            ledger.tell(finish_of(self.attempt, todo.prompt, status, marked=marked))
        elif todo.do == "stop":
            self._end_turn(todo.prompt, PromptStatus.STOPPED)
        elif self.running == todo.prompt:
            self._end_turn(todo.prompt, ends)
        else:
            self.running = todo.prompt
            ledger.tell(ConfirmStart(self.attempt, todo.prompt))
            return todo.prompt
        return None

    def _end_turn(self, prompt: int, status: PromptStatus) -> None:
        """The mark is on the disk before anybody hears of the end."""
        if self.sandbox.keep_turn(prompt, marks=self.marks):
            self.marked.add(prompt)
        self.done.setdefault(prompt, status)

    def restart(self) -> None:
        """The supervisor starts it anew; what it was running when it died has failed."""
        if self.running is not None:
            self._end_turn(self.running, PromptStatus.FAILED)
        self.alive, self.connected, self.running = True, False, None


@dataclass
class Provider:
    sandboxes: list[Sandbox] = field(default_factory=list)
    copies: dict[str, Disk] = field(default_factory=dict)
    images: set[str] = field(default_factory=set)
    disaster: bool = False
    """It has lost something that it should have kept."""

    def get(self, provider_id: ProviderId | None) -> Sandbox | None:
        found = [box for box in self.sandboxes if box.id == provider_id and box.exists]
        return found[0] if found else None

    def made_for(self, attempt: int, boot: Boot | None = None) -> Sandbox | None:
        found = [
            box
            for box in self.sandboxes
            if box.attempt == attempt and box.exists and boot in {None, box.boot}
        ]
        return found[0] if found else None

    def create(self, attempt: int, boot: Boot, disk: Disk) -> Sandbox:
        """Idempotent for an attempt and what it begins with, as long as that sandbox exists."""
        made = self.made_for(attempt, boot)
        if made is None:
            name = ProviderId(f"box-{len(self.sandboxes) + 1}")
            made = Sandbox(name, attempt, boot, disk)
            self.sandboxes.append(made)
        return made

    def copy(self, sandbox: Sandbox, name: str) -> str:
        """Idempotent by its name."""
        self.copies.setdefault(name, sandbox.disk)
        return name

    def kill(self, sandbox: Sandbox) -> None:
        assert not sandbox.worked, "nothing with files is ever killed"
        sandbox.exists, sandbox.bridge = False, None

    def expire(self, now: datetime) -> None:
        for box in self.sandboxes:
            if box.ends_at is not None and box.ends_at <= now:
                box.pause()

    def lose(self, sandbox: Sandbox) -> None:
        """The vendor's own disaster."""
        self.disaster = True
        sandbox.exists, sandbox.bridge = False, None

    def damage(self, sandbox: Sandbox) -> None:
        """It will wake up without what was written last."""
        self.disaster = sandbox.damaged = True
        sandbox.disk = Disk()

    def lose_copies(self) -> None:
        self.disaster = self.disaster or bool(self.copies)
        self.copies.clear()
