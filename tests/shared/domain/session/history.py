"""What has happened to a session so far, and what may never happen after that."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Self

from shared.domain.session import commands
from shared.domain.session.facts import (
    AttemptEnding,
    AttemptRetired,
    AttemptStarted,
    BootChosen,
    BootOver,
    Event,
    FilesSaved,
    PromptDispatched,
    PromptFinished,
    PromptQueued,
    SandboxMoved,
    SnapshotLost,
    StartPostponed,
    TargetChosen,
    TurnLeft,
    WakeFailed,
    WorkspaceLost,
)
from shared.domain.session.sandbox import Boot, Ending, ProviderId, SandboxStatus, Workspace
from shared.domain.session.state import PromptStatus, Session, SessionStatus
from tests.shared.domain.session.endings import Asked, check_ending
from tests.shared.domain.session.invariants import NOBODYS, has_time, is_draining, unfinished

WINDOW = timedelta(minutes=5)
type OfPrompt = PromptQueued | PromptDispatched | PromptFinished | TurnLeft
type OfFiles = FilesSaved | WorkspaceLost | SnapshotLost | TargetChosen | AttemptRetired


@dataclass
class History:
    finished: list[int] = field(default_factory=list)
    dispatched: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    """Whose turns the bridge has told the end of."""
    in_vain: int = 0
    """The attempt that was warmed up and could not be used."""
    counted: list[datetime] = field(default_factory=list)
    """Failures that say that the next boot would fail, too."""
    image_failed: bool = False
    replaced: set[ProviderId] = field(default_factory=set)
    """Sandboxes in whose place others have booted."""

    def copy(self) -> Self:
        return replace(
            self,
            finished=[*self.finished],
            dispatched=[*self.dispatched],
            left=[*self.left],
            counted=[*self.counted],
            replaced={*self.replaced},
        )

    def add(self, asked: Asked, before: Session, event: Event, after: Session) -> None:
        """One of the facts of which an answer consists."""
        match event:
            case PromptQueued() | PromptDispatched() | PromptFinished() | TurnLeft():
                self._of_prompt(asked, before, event, after)
            case (
                FilesSaved() | WorkspaceLost() | SnapshotLost() | TargetChosen() | AttemptRetired()
            ):
                self._of_files(before, event, after)
            case BootOver():
                self._boots(before, after)
            case _:
                same = after.workspace.provider_id == before.workspace.provider_id
                booted = after.attempt is not None and not after.attempt.beside
                assert same or booted, "what has not booted takes nothing's place"
                assert after.workspace.exists or not before.workspace.exists, "nobody lost them"
                self._of_attempt(asked, before, event)

    def _boots(self, before: Session, after: Session) -> None:
        """Then and only then the sandbox of old is given up, with what was done since the copy."""
        assert before.attempt is not None
        assert (after.workspace.failed_wakes, after.workspace.left) == (0, False)
        was = before.workspace
        if not before.attempt.beside:
            assert after.workspace.exists or not was.exists, "nobody lost them"
            return
        if was.provider_id is not None:
            self.replaced.add(was.provider_id)
        copied = was.snapshot.turn if was.snapshot and before.attempt.boot is Boot.RESTORE else 0
        self.left = [turn for turn in self.left if turn <= copied]
        given_up = after.workspace.provider_id != was.provider_id or was.provider_id is None
        assert given_up, "the sandbox of old is the session's no more"
        assert after.workspace.turn <= copied, "nor is what was done in it since the copy"

    def _of_prompt(self, asked: Asked, before: Session, event: OfPrompt, after: Session) -> None:
        match event:
            case PromptQueued(prompt):
                assert before.status not in {SessionStatus.ARCHIVED, SessionStatus.CANCELLED}
                assert prompt.number == before.prompts + 1
            case PromptDispatched(number):
                assert before.running is None
                assert not before.held
                assert before.attempt is not None
                assert has_time(before.attempt, asked.now), "a turn has time before the end"
                assert number > max(self.dispatched, default=0), "first in, first out"
                self.dispatched.append(number)
            case PromptFinished(number=number):
                assert number not in self.finished
                _check_verdict(asked, event)
                self.finished.append(number)
            case TurnLeft(number):
                assert before.running is not None
                assert before.running.prompt.number == number
                assert before.attempt is not None
                unmarked = after.workspace.marker == before.workspace.marker
                assert before.attempt.marks or unmarked, "a mark is not expected of an old bridge"
                if not before.attempt.beside:  # there it could only read
                    self.left.append(number)

    def _of_files(self, before: Session, event: OfFiles, after: Session) -> None:
        was, now = before.workspace, after.workspace
        match event:
            case FilesSaved(copy):
                newer = was.snapshot is None or was.snapshot.turn <= copy.turn
                assert newer, "no copy replaces a newer one"
                assert before.attempt is not None
                assert before.attempt.complete, "half a boot is not worth a copy"
            case WorkspaceLost():
                assert now.snapshot == was.snapshot, "its copy is what is left"
            case SnapshotLost():
                assert now.provider_id == was.provider_id, "the sandbox is what is left"
            case TargetChosen():
                assert before.prompts == 0
                assert not now.exists
                self.image_failed = False
            case AttemptRetired():
                assert before.attempt is not None
                worked = was.exists or before.attempt.complete
                assert worked or not now.exists, "a half-booted sandbox is not kept"
                assert was.provider_id is None or now.provider_id is not None, "it stays known"
                ours = before.attempt.ending not in NOBODYS
                assert ours or now == was, "nobody's files do not become the session's"

    def _of_attempt(self, asked: Asked, before: Session, event: Event) -> None:
        match event:
            case AttemptStarted(number, boot):
                assert before.attempt is None
                _check_files(before.workspace, boot)
                assert number == before.attempts + 1
                assert not before.held, "what is held starts nothing"
                assert not self._fails_often(asked.now), "what fails is not tried again and again"
            case StartPostponed():
                assert self._fails_often(asked.now), "nothing is put off without a reason"
            case BootChosen(Boot.IMAGE):
                assert not self.image_failed, "an image that failed is left aside"
            case AttemptEnding(ending, _, counted_at):
                check_ending(asked, ending)
                self.counted.extend([] if counted_at is None else [counted_at])
                self.image_failed |= ending is Ending.IMAGE
            case WakeFailed(times):
                _check_wake(before, times)
            case SandboxMoved(SandboxStatus.READY):
                self.counted.clear()
            case _:
                pass

    def _fails_often(self, now: datetime) -> bool:
        return len([at for at in self.counted if now - at < WINDOW]) >= 3

    def check(self, asked: Asked, after: Session) -> None:
        """A whole commit."""
        before = asked.session
        known = sorted([*self.finished, *unfinished(after)])
        assert known == list(range(1, after.prompts + 1)), "every prompt is somewhere, once"
        if _was_cut_off(asked, after):
            assert after.held or not after.queue, "what waits behind a cut-off turn is held"
        if is_draining(before) and after.running is None:
            same = after.current(before.attempts)
            assert same is None or same.ending, "it was the last one in there"
        if _ends_unusable(before, after):
            self.in_vain = before.attempts
        wanted = before.warm or self.in_vain == before.attempts
        if isinstance(asked.command, commands.Retire) and wanted and after.attempt is None:
            wanted = after.status.accepts_prompts and not after.unfinished
            assert not wanted or self._fails_often(asked.now), "who wanted a warm sandbox gets one"


def _ends_unusable(before: Session, after: Session) -> bool:
    """Without a prompt that waits for it: somebody had it warmed up."""
    was, now = before.attempt, after.attempt
    if was is None or now is None or was.number != now.number or before.unfinished:
        return False
    return was.ending is None and now.ending in {Ending.IMAGE, Ending.DAMAGED}


def _check_files(files: Workspace, boot: Boot) -> None:
    if files.provider_id is None or files.left:
        assert boot is not Boot.RESUME
        return
    gives_up = files.failed_wakes >= 2 and files.snapshot is not None
    assert boot is (Boot.RESTORE if gives_up else Boot.RESUME), "twice, and then the copy"


def _check_wake(before: Session, times: int) -> None:
    attempt = before.attempt
    assert attempt is not None
    assert attempt.ending is Ending.FAILED
    assert not attempt.complete, "what came up is not to blame"
    if attempt.boot is Boot.RESUME:
        assert not attempt.ready, "it would not have got so far"
        assert times == before.workspace.failed_wakes + 1
    else:
        assert attempt.beside
        assert times == 0, "it is the sandbox's turn again"


def _check_verdict(asked: Asked, event: PromptFinished) -> None:
    command = asked.command
    cancels = isinstance(command, commands.Cancel | commands.CancelPrompt)
    assert cancels == (event.status is PromptStatus.CANCELLED)
    if isinstance(command, commands.FinishPrompt):
        cut_off = is_draining(asked.session) and command.status is PromptStatus.STOPPED
        assert event.status is (PromptStatus.FAILED if cut_off else command.status)


def _was_cut_off(asked: Asked, after: Session) -> bool:
    command = asked.command
    ended = after.attempt is not None and after.attempt.ending is Ending.LIFETIME
    natural = (
        isinstance(command, commands.FinishPrompt) and command.status is not PromptStatus.STOPPED
    )
    return is_draining(asked.session) and ended and not natural and after.running is None
