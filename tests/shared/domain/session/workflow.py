"""`sandbox_life` as a session's simulated world knows it: one execution for each attempt.

It may be slow, may begin again at any step, and may run twice at once: each step reads the session
and adopts what exists.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from itertools import count
from typing import Literal

from shared.domain.session.commands import (
    Arm,
    Clock,
    Launched,
    LaunchFailed,
    Launching,
    Retire,
    TimedOut,
)
from shared.domain.session.state import Attempt, ProviderId, Wait
from tests.shared.domain.session.ledger import Ledger
from tests.shared.domain.session.sandboxes import Bridge, Provider, Sandbox

type Luck = Literal["well", "refused", "unknown", "error after the start", "answer after the start"]
LIFETIME = timedelta(hours=1)
BUDGETS = {Wait.CONNECT: timedelta(minutes=4), Wait.READY: timedelta(minutes=30)}


class Step(Enum):
    LAUNCH = auto()
    IDENTIFY = auto()
    WAIT = auto()
    WAITING = auto()
    PRESERVE = auto()
    RETIRE = auto()
    OVER = auto()


@dataclass
class Life:
    attempt: int
    number: int
    ledger: Ledger
    provider: Provider
    names: Callable[[], str]
    step: Step = Step.LAUNCH
    wait: Wait = Wait.CONNECT
    token: str | None = None
    outcome: str | None = None
    since: datetime | None = None

    def go(self, luck: Luck = "well") -> bool:
        """One step; False: it waits, or it is over."""
        match self.step:
            case Step.LAUNCH:
                self._launch(luck)
            case Step.IDENTIFY:
                self._identify(luck)
            case Step.WAIT:
                self._arm()
            case Step.WAITING:
                return self._take_outcome()
            case Step.PRESERVE:
                self._preserve()
            case Step.RETIRE:
                self._retire()
            case Step.OVER:
                return False
        return True

    def begin_again(self) -> None:
        if self.step is not Step.OVER:
            self.step, self.token, self.outcome = Step.LAUNCH, None, None

    def catch_the_unexpected(self) -> None:
        """Give up, from wherever it was."""
        if self.step is not Step.OVER:
            self.step = Step.PRESERVE

    def die(self) -> None:
        """Aborted, or lost with its host."""
        self.step = Step.OVER

    def complete(self, token: str, outcome: str) -> None:
        """As Step Functions does: the first outcome of a token that is waited with counts."""
        if self.step is Step.WAITING and self.token == token and self.outcome is None:
            self.outcome = outcome

    def ask(self, clock: Clock, last_heard: datetime | None) -> None:
        if self.step is not Step.WAITING or self.outcome is not None:
            return
        self.ledger.tell(TimedOut(self.attempt, self.wait, clock, last_heard))
        self.step = Step.PRESERVE if self._current() is None else Step.WAIT

    def overdue(self) -> bool:
        assert self.since is not None
        return self.ledger.now - self.since >= BUDGETS.get(self.wait, LIFETIME)

    def _current(self) -> Attempt | None:
        attempt = self.ledger.session.current(self.attempt)
        return None if attempt is None or attempt.ending is not None else attempt

    def _enter(self, wait: Wait) -> None:
        self.step, self.wait, self.since = Step.WAIT, wait, self.ledger.now

    def _launch(self, luck: Luck) -> None:
        attempt = self._current()
        if attempt is None:
            self.step = Step.PRESERVE
        elif attempt.connected:
            self._adopt(attempt)
        else:
            self.step = Step.IDENTIFY

    def _identify(self, luck: Luck) -> None:
        """Much may have happened since the session was read; the commit says whether it may."""
        token = self.names()
        self.ledger.tell(Launching(self.attempt, token, "key"))
        attempt = self.ledger.session.current(self.attempt)
        if attempt is not None and attempt.token_hash == token:
            self._call_provider(attempt, token, luck)
        else:
            self.step = Step.LAUNCH

    def _adopt(self, attempt: Attempt) -> None:
        """A sandbox that connected before its own launch was known."""
        sandbox = self.provider.made_for(self.attempt)
        if attempt.provider_id is None and sandbox is not None:
            self._launched(sandbox)
        self._enter(Wait.CONNECT)

    def _call_provider(self, attempt: Attempt, token: str, luck: Luck) -> None:
        sandbox = self._sandbox(attempt)
        if sandbox is None:
            self._failed("it does not exist any more", workspace_gone=True)
        elif luck == "refused":
            self._failed("no capacity")
        elif luck == "unknown":
            self.step = Step.LAUNCH  # made, but nobody heard the answer: it is tried again
        else:
            self._start(sandbox, token, luck)

    def _sandbox(self, attempt: Attempt) -> Sandbox | None:
        workspace = self.ledger.session.workspace
        if attempt.resumed and workspace.exists:
            return self.provider.get(workspace.provider_id)
        return self.provider.create(self.attempt)

    def _start(self, sandbox: Sandbox, token: str, luck: Luck) -> None:
        bridge = Bridge(self.attempt, token)
        sandbox.bridge = bridge
        if luck != "well":
            for _ in range(4):
                bridge.step(self.ledger)  # it is ready before the provider has answered
        if luck == "error after the start":
            self._failed("gateway time-out")
        else:
            self._launched(sandbox)
            self._enter(Wait.CONNECT)

    def _launched(self, sandbox: Sandbox) -> None:
        expires_at = self.ledger.now + LIFETIME
        self.ledger.tell(Launched(self.attempt, sandbox.id, expires_at))

    def _failed(self, error: str, *, workspace_gone: bool = False) -> None:
        """What is said of a sandbox that works already is not heard: it is adopted."""
        self.ledger.tell(LaunchFailed(self.attempt, error, workspace_gone))
        self.step = Step.PRESERVE if self._current() is None else Step.LAUNCH

    def _arm(self) -> None:
        self.token, self.outcome, self.step = self.names(), None, Step.WAITING
        self.ledger.tell(Arm(self.attempt, self.wait, self.token))

    def _take_outcome(self) -> bool:
        match self.outcome:
            case None:
                return False
            case "connected":
                self._enter(Wait.READY)
            case "ready":
                self._enter(Wait.SERVE)
            case _:
                self.step = Step.PRESERVE
        return True

    def _preserve(self) -> None:
        self.step = Step.RETIRE
        attempt = self.ledger.session.current(self.attempt)
        if attempt is None:
            return
        kept = self.provider.get(self._kept(attempt))
        made = self.provider.made_for(self.attempt)
        if kept is not None:
            kept.pause()
        elif made is not None:
            self.provider.kill(made)

    def _retire(self) -> None:
        self.step = Step.OVER
        attempt = self.ledger.session.current(self.attempt)
        self.ledger.tell(Retire(self.attempt, self._said(attempt) if attempt else None))

    def _said(self, attempt: Attempt) -> ProviderId | None:
        """The sandbox of this attempt; whether it is worth keeping is not the workflow's to say."""
        return attempt.provider_id or (self._kept(attempt) if attempt.ready else None)

    def _kept(self, attempt: Attempt) -> ProviderId | None:
        """The sandbox that holds the session's files, if this attempt has any to keep."""
        workspace = self.ledger.session.workspace
        if workspace.exists or not attempt.ready:
            return workspace.provider_id
        made = self.provider.made_for(self.attempt)
        return made.id if made is not None else None


def names() -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"t{next(numbers)}"
