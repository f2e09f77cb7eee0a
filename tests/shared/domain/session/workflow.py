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
    FilesGone,
    GiveUp,
    Launched,
    LaunchFailed,
    Launching,
    Retire,
    Saved,
    SaveFailed,
    TimedOut,
    UseImage,
)
from shared.domain.session.failures import Failure
from shared.domain.session.rules import DEFAULT_RULES, Moment
from shared.domain.session.sandbox import Attempt, Boot, ProviderId, Wait
from shared.domain.session.state import Session
from shared.domain.session.waits import outcome_of, seconds
from tests.shared.domain.session.invariants import NOBODYS
from tests.shared.domain.session.ledger import Ledger
from tests.shared.domain.session.sandboxes import Bridge, Disk, Provider, Sandbox

type Luck = Literal[
    "well",
    "busy",
    "refused",
    "unknown",
    "error after the start",
    "answer after the start",
    "end unknown",
    "endless boot",
    "old bridge",
]
LIFETIME = timedelta(hours=1)
IMAGE = "image-1"
LISTENING = {Wait.READY, Wait.SERVE}


class Step(Enum):
    PREPARE = auto()
    LAUNCH = auto()
    IDENTIFY = auto()
    WAIT = auto()
    WAITING = auto()
    CHECKPOINT = auto()
    COPIED = auto()
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
    step: Step = Step.PREPARE
    wait: Wait = Wait.CONNECT
    token: str | None = None
    outcome: tuple[str, int] | None = None
    since: datetime | None = None
    due: datetime | None = None
    saved: Saved | None = None

    def go(self, luck: Luck = "well") -> bool:
        """One step; False: it waits, or it is over."""
        match self.step:
            case Step.PREPARE | Step.LAUNCH | Step.IDENTIFY:
                self._come_up(luck)
            case Step.WAIT:
                self._arm()
            case Step.WAITING:
                return self._take_outcome()
            case Step.CHECKPOINT | Step.COPIED:
                self._save(luck)
            case Step.PRESERVE:
                self._preserve(luck)
            case Step.RETIRE:
                self._retire()
            case Step.OVER:
                return False
        return True

    def begin_again(self) -> None:
        if self.step is not Step.OVER:
            self.step, self.token, self.outcome = Step.PREPARE, None, None

    def catch_the_unexpected(self) -> None:
        """Give up, from wherever it was."""
        if self.step is not Step.OVER:
            self.step = Step.PRESERVE

    def die(self) -> None:
        """Aborted, or lost with its host."""
        self.step = Step.OVER

    def complete(self, token: str, outcome: str, left: int | None) -> None:
        """As Step Functions does: the first outcome of a token that is waited with counts."""
        if self.step is Step.WAITING and self.token == token and self.outcome is None:
            self.outcome = (outcome, left or 0)

    def ask(self, clock: Clock, last_heard: datetime | None, *, knows: bool = True) -> None:
        if self.step is not Step.WAITING or self.outcome is not None:
            return
        if knows:
            self._learn_its_end()
        self.ledger.tell(TimedOut(self.attempt, self.wait, clock, last_heard))
        self._follow(*outcome_of(self.ledger.session, self.attempt, self.wait, self._moment))

    def ran_out(self, last_heard: datetime | None) -> Clock | None:
        """The first of its clocks that ran out. Listening begins anew with each wait."""
        if self.step is not Step.WAITING or self.due is None or self.since is None:
            return None
        silent = self.since if last_heard is None else max(self.since, last_heard)
        silent += DEFAULT_RULES.heartbeat
        if self.wait in LISTENING and silent <= self.ledger.now:
            return Clock.HEARTBEAT if silent < self.due else Clock.TIMEOUT
        return Clock.TIMEOUT if self.ledger.now >= self.due else None

    @property
    def _moment(self) -> Moment:
        return Moment(self.ledger.now, DEFAULT_RULES)

    def _current(self) -> Attempt | None:
        attempt = self.ledger.session.current(self.attempt)
        return None if attempt is None or attempt.ending is not None else attempt

    def _enter(self, wait: Wait, left: int) -> None:
        assert left >= 1, "Step Functions wants at least a second"
        heard = wait not in LISTENING or timedelta(seconds=left) > DEFAULT_RULES.heartbeat
        assert heard, "silence is noticed before the wait is over"
        self.step, self.wait = Step.WAIT, wait
        self.since = self.ledger.now
        self.due = self.ledger.now + timedelta(seconds=left)

    def _follow(self, outcome: str, left: int) -> None:
        match outcome:
            case "go_on":
                self._enter(self.wait, left)
            case "connected":
                self._enter(Wait.READY, left)
            case "ready" | "stopped":
                self._enter(Wait.SERVE, left)
            case "stopping":
                self._enter(Wait.STOP, left)
            case "checkpoint":
                self.step = Step.CHECKPOINT
            case _:
                assert outcome == "ended"
                self.step = Step.PRESERVE

    def _come_up(self, luck: Luck) -> None:
        attempt = self._current()
        if attempt is None:
            self.step = Step.PRESERVE
        elif self.step is Step.PREPARE:
            self.step = Step.LAUNCH
            if attempt.boot is Boot.FRESH and self.provider.images:
                self.ledger.tell(UseImage(self.attempt, IMAGE))
        elif attempt.connected:
            self._adopt(attempt)
        elif self.step is Step.LAUNCH:
            self.step = Step.IDENTIFY
        else:
            self._identify(luck)

    def _identify(self, luck: Luck) -> None:
        """Much may have happened since the session was read; the commit says whether it may."""
        token = self.names()
        self.ledger.tell(Launching(self.attempt, token, "key"))
        attempt = self.ledger.session.current(self.attempt)
        self.step = Step.LAUNCH
        if attempt is not None and attempt.token_hash == token:
            self._call_provider(attempt, token, luck)

    def _adopt(self, attempt: Attempt) -> None:
        """A sandbox that connected before its own launch was known."""
        sandbox = self.provider.made_for(self.attempt)
        if attempt.provider_id is None and sandbox is not None:
            self._launched(sandbox, "well")
        self._await_connection()

    def _await_connection(self) -> None:
        self._enter(Wait.CONNECT, seconds(self.ledger.session, Wait.CONNECT, self._moment))

    def _call_provider(self, attempt: Attempt, token: str, luck: Luck) -> None:
        if luck in {"refused", "busy"}:
            failure = Failure.PERMANENT if luck == "refused" else Failure.LIMITS
            self._failed("no capacity", failure)
            return
        sandbox = self._sandbox(attempt)
        if sandbox is None:
            self.ledger.tell(FilesGone(self.attempt, attempt.boot))
        elif luck != "unknown":  # else made, but nobody heard the answer: it is tried again
            self._start(sandbox, attempt, token, luck)

    def _sandbox(self, attempt: Attempt) -> Sandbox | None:
        """None: what it begins with does not exist any more."""
        workspace = self.ledger.session.workspace
        if attempt.boot is Boot.RESUME:
            return self.provider.get(workspace.provider_id)
        disk = self._disk(attempt)
        return None if disk is None else self.provider.create(self.attempt, attempt.boot, disk)

    def _disk(self, attempt: Attempt) -> Disk | None:
        copy = self.ledger.session.workspace.snapshot
        match attempt.boot:
            case Boot.RESTORE:
                return self.provider.copies.get(copy.id) if copy else None
            case Boot.IMAGE:
                return Disk() if attempt.image in self.provider.images else None
            case _:
                return Disk()

    def _start(self, sandbox: Sandbox, attempt: Attempt, token: str, luck: Luck) -> None:
        early = attempt.boot is not Boot.FRESH and luck != "old bridge"
        bridge = Bridge(self.attempt, token, sandbox, early=early, marks=luck != "old bridge")
        bridge.endless = luck == "endless boot"
        sandbox.bridge, sandbox.ends_at = bridge, self.ledger.now + LIFETIME
        if luck in {"error after the start", "answer after the start"}:
            for _ in range(4):
                bridge.step(self.ledger)  # it is ready before the provider has answered
        if luck == "error after the start":
            self._failed("gateway time-out", Failure.UNKNOWN)
        else:
            self._launched(sandbox, luck)
            self._await_connection()

    def _launched(self, sandbox: Sandbox, luck: Luck) -> None:
        ends_at = None if luck == "end unknown" else sandbox.ends_at
        tunnels = ((8080, f"https://8080-{sandbox.id}.example.com"),)
        self.ledger.tell(Launched(self.attempt, sandbox.id, ends_at, tunnels))

    def _learn_its_end(self) -> None:
        attempt = self._current()
        if attempt is None or not attempt.connected or attempt.expires_at is not None:
            return
        sandbox = self.provider.get(attempt.provider_id) or self.provider.made_for(self.attempt)
        if sandbox is not None and sandbox.bridge is not None:
            self._launched(sandbox, "well")

    def _failed(self, error: str, failure: Failure) -> None:
        """What is said of a sandbox that works already is not heard: it is adopted."""
        self.ledger.tell(LaunchFailed(self.attempt, error, failure))
        self.step = Step.PRESERVE if self._current() is None else Step.LAUNCH

    def _arm(self) -> None:
        self.token, self.outcome, self.step = self.names(), None, Step.WAITING
        self.ledger.tell(Arm(self.attempt, self.wait, self.token))

    def _take_outcome(self) -> bool:
        if self.outcome is None:
            return False
        self._follow(*self.outcome)
        return True

    def _save(self, luck: Luck) -> None:
        session, attempt = self.ledger.session, self._current()
        if self.step is Step.CHECKPOINT and attempt is not None and attempt.saving:
            self.step = Step.COPIED
            self.saved = self._copy(session, attempt, session.workspace.provider_id)
            return
        if self.step is Step.COPIED:
            self._tell_of_copy(luck)
        self.wait = Wait.SERVE
        self._follow(*outcome_of(self.ledger.session, self.attempt, Wait.SERVE, self._moment))

    def _copy(
        self, session: Session, attempt: Attempt, provider_id: ProviderId | None
    ) -> Saved | None:
        sandbox, files = self.provider.get(provider_id), session.workspace
        if sandbox is None:
            return None
        copy = self.provider.copy(sandbox, f"copy-{attempt.number}-{files.turn}")
        return Saved(self.attempt, copy, files.turn, files.marker)

    def _tell_of_copy(self, luck: Luck) -> None:
        if self.saved is None or luck in {"refused", "busy", "unknown", "answer after the start"}:
            self.ledger.tell(SaveFailed(self.attempt, "no copy of the files was made"))
        if self.saved is not None and luck not in {"refused", "busy", "unknown"}:
            self.ledger.tell(self.saved)

    def _preserve(self, luck: Luck) -> None:
        self.ledger.tell(GiveUp(self.attempt, "the sandbox was given up", Failure.UNKNOWN))
        self.step = Step.RETIRE
        session = self.ledger.session
        attempt = session.current(self.attempt)
        if attempt is None:
            return
        files = None if attempt.beside else self._files(session, attempt)
        if files is not None:
            self._save_last(session, attempt, files, luck)
            self._pause(files)
        elif attempt.boot is Boot.RESUME and attempt.provider_id is not None:
            self._pause(attempt.provider_id)
        else:
            self._kill_what_was_made()

    def _save_last(self, session: Session, attempt: Attempt, files: ProviderId, luck: Luck) -> None:
        sandbox = self.provider.get(files)
        if session.workspace.has_unsaved_turns and sandbox is not None and sandbox.bridge:
            self.saved = self._copy(session, attempt, files)
            self._tell_of_copy(luck)

    def _pause(self, provider_id: ProviderId) -> None:
        if (sandbox := self.provider.get(provider_id)) is not None:
            sandbox.pause()

    def _kill_what_was_made(self) -> None:
        while (made := self.provider.made_for(self.attempt)) is not None:
            self.provider.kill(made)

    def _retire(self) -> None:
        self.step = Step.OVER
        session = self.ledger.session
        attempt = session.current(self.attempt)
        files = None if attempt is None else self._files(session, attempt)
        self.ledger.tell(Retire(self.attempt, files))

    def _files(self, session: Session, attempt: Attempt) -> ProviderId | None:
        """The sandbox with the session's files, also when nobody has told its name yet."""
        if attempt.ending in NOBODYS:
            return None
        if session.workspace.provider_id is not None or not attempt.complete:
            return session.workspace.provider_id
        made = self.provider.made_for(self.attempt, attempt.boot)
        return made.id if made is not None else None


def names() -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"t{next(numbers)}"
