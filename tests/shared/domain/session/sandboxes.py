"""The provider and what runs inside its sandboxes, as a session's simulated world knows them."""

from dataclasses import dataclass, field

from shared.domain.session.commands import BecomeReady, ConfirmStart, Connect, ReportPhase
from shared.domain.session.orders import orders
from shared.domain.session.state import PromptStatus, ProviderId
from tests.shared.domain.session.ledger import Ledger
from tests.shared.domain.session.situations import finish_of


@dataclass
class Bridge:
    """Does what `orders` says and nothing else. `done` is its outbox: it survives its death."""

    attempt: int
    token: str
    warm: bool = False
    connected: bool = False
    set_up: bool = False
    ready: bool = False
    alive: bool = True
    hung: bool = False
    running: int | None = None
    done: dict[int, PromptStatus] = field(default_factory=dict)

    def step(self, ledger: Ledger, *, ends: PromptStatus = PromptStatus.COMPLETED) -> int | None:
        """One thing. Answers the prompt that it began to run."""
        attempt = ledger.session.current(self.attempt)
        if attempt is None or attempt.token_hash != self.token:
            self.alive = False  # its token is dead
        elif not self.warm:
            self.warm = True
        elif not self.connected:
            self.connected = True
            ledger.tell(Connect(self.attempt))
        elif not self.ready:
            self._boot(ledger)
        else:
            return self._obey(ledger, ends)
        return None

    def _boot(self, ledger: Ledger) -> None:
        if not self.set_up:
            self.set_up = True
            ledger.tell(ReportPhase(self.attempt, "setup"))
        else:
            self.ready = True
            ledger.tell(BecomeReady(self.attempt))

    def _obey(self, ledger: Ledger, ends: PromptStatus) -> int | None:
        todo = orders(ledger.session, self.attempt)
        if todo.prompt is None:
            self.running, self.alive = None, todo.do != "retire"
        elif todo.prompt in self.done:
            ledger.tell(finish_of(self.attempt, todo.prompt, self.done[todo.prompt]))
        elif todo.do == "stop":
            self.done[todo.prompt] = PromptStatus.STOPPED
        elif self.running == todo.prompt:
            self.done[todo.prompt] = ends
        else:
            self.running = todo.prompt
            ledger.tell(ConfirmStart(self.attempt, todo.prompt))
            return todo.prompt
        return None

    def restart(self) -> None:
        """The supervisor starts it anew; what it was running when it died has failed."""
        if self.running is not None:
            self.done.setdefault(self.running, PromptStatus.FAILED)
        self.alive, self.connected, self.running = True, False, None


@dataclass
class Sandbox:
    id: ProviderId
    attempt: int
    """For which attempt it was made."""
    exists: bool = True
    worked: bool = False
    """An agent began to work in it: from then on its files are somebody's."""
    bridge: Bridge | None = None

    def pause(self) -> None:
        self.bridge = None


@dataclass
class Provider:
    sandboxes: list[Sandbox] = field(default_factory=list)

    def get(self, provider_id: ProviderId | None) -> Sandbox | None:
        found = [box for box in self.sandboxes if box.id == provider_id and box.exists]
        return found[0] if found else None

    def made_for(self, attempt: int) -> Sandbox | None:
        found = [box for box in self.sandboxes if box.attempt == attempt and box.exists]
        return found[0] if found else None

    def create(self, attempt: int) -> Sandbox:
        """Idempotent for an attempt, as long as that sandbox exists."""
        made = self.made_for(attempt)
        if made is None:
            made = Sandbox(ProviderId(f"box-{len(self.sandboxes) + 1}"), attempt)
            self.sandboxes.append(made)
        return made

    def kill(self, sandbox: Sandbox) -> None:
        assert not sandbox.worked, "nothing with files is ever killed"
        sandbox.exists, sandbox.bridge = False, None

    def lose(self, sandbox: Sandbox) -> None:
        """The vendor's own disaster."""
        sandbox.exists, sandbox.bridge = False, None
