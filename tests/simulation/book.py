"""What must hold, and what is remembered to tell: turns, files, prompts, frames.

Everything here is checked from outside, on what is stored and on what truly ran; nothing asks the
product how it believes to be.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable

from shared.app.ports.sessions import Commit
from shared.domain.inbox import is_unread, joining
from shared.domain.session.decision import (
    ArmTimer,
    CompleteTask,
    Effect,
    StartLife,
    UpdateInboxes,
)
from shared.domain.session.facts import AttemptEnding, AttemptRetired, BootOver, PromptFinished
from shared.domain.session.sandbox import MAX_FAILED_WAKES, Boot, Ending, Workspace
from shared.domain.session.state import PromptStatus, SessionStatus
from shared.domain.timeline import Entry
from tests.fakes.store_memory import Partition
from tests.simulation.must import Violation, must
from tests.simulation.sound import check_sound

_FINAL = {
    PromptStatus.COMPLETED,
    PromptStatus.FAILED,
    PromptStatus.STOPPED,
    PromptStatus.CANCELLED,
}


class Book:
    """Of one session. `found_changed`: what was seen of its files, after which turn."""

    older: Container[str | None] = ()
    """Sandboxes that woke with older files than they fell asleep with."""

    def __init__(self) -> None:
        self.started: Counter[int] = Counter()
        self.completed: set[int] = set()
        """Turns that the agent itself brought to a good end."""
        self.running: dict[int, object] = {}
        self.work: set[int] = set()
        """Prompts whose files exist and may never be lost again."""
        self.accepted: dict[int, str] = {}
        """Which request each acknowledged prompt answers."""
        self.sent: set[str] = set()
        self.refused: set[str] = set()
        """Frames that bridges have built, and those that the server will not have."""
        self._ended: set[int] = set()
        self.asked: list[Effect] = []
        self.done: set[object] = set()
        """Effects that were committed, and what of them came about: names, tokens, pokes."""
        self.log: list[Entry] = []
        self._final: dict[int, PromptStatus] = {}
        self._cancelled = False
        self._version = -1
        self._attempt = 0
        self._retired = 0
        self._seen = 0
        self._ids: set[str] = set()
        self.found_changed: set[tuple[int, tuple[int, ...]]] = set()
        self._newest: dict[int, int] = {}
        self.failure: Violation | None = None
        self.promised: Callable[[], set[int]] = lambda: self.work
        """What a turn that begins has to find."""
        self.work_beside: Callable[[str | None], set[int]] = lambda _: set()
        """What the sandboxes have without one that is given up."""

    # Turns and files.

    def turn_begins(self, prompt: int, process: object, found: Iterable[int]) -> None:
        self.started[prompt] += 1
        missing = self.promised().difference(found)
        self.note(self.started[prompt] == 1, f"prompt {prompt} was run twice")
        self.note(not self.running, f"prompt {prompt} began while {list(self.running)} ran")
        self.note(not missing, f"prompt {prompt} does not find the work of {sorted(missing)}")
        self.running[prompt] = process

    def turn_ends(self, prompt: int, process: object, *, well: bool) -> None:
        if self.running.get(prompt) is process:
            del self.running[prompt]
            if well:
                self.completed.add(prompt)

    def compared(self, prompt: int, found: Iterable[int]) -> None:
        self.note(prompt not in self.running, f"prompt {prompt} is said to be over, and runs")
        self.found_changed.add((prompt, tuple(found)))

    def process_ends(self, process: object) -> None:
        self.running = {key: value for key, value in self.running.items() if value is not process}

    def forgets(self, frame: str) -> None:
        """A bridge lets go of a frame: it is stored, or it never will be."""
        settled = frame in self.refused or any(entry.frame.id == frame for entry in self.log)
        self.note(settled, f"a bridge forgets frame {frame}, which is not in the log")

    def commits(self, commit: Commit) -> None:
        """What is a fact now, and what has to come of it."""
        self.asked += commit.effects
        living = commit.before.attempt
        for fact in commit.facts:
            match fact:
                case PromptFinished(number=number):
                    self.note(number not in self._ended, f"prompt {number} ended twice")
                    self._ended.add(number)
                case AttemptRetired(number):
                    known = living is not None and living.number == number
                    self.note(known, f"attempt {number} was retired out of turn")
                case AttemptEnding(Ending.DAMAGED):
                    whole = commit.before.workspace.provider_id not in self.older
                    self.note(not whole, "a sandbox that woke with all of its files is put aside")
                case BootOver() if living is not None and living.beside:
                    self._gives_up(commit.before.workspace, living.boot)
                case _:
                    pass

    def _gives_up(self, files: Workspace, boot: Boot) -> None:
        """Only for the copy, after it was tried in vain, or because somebody said so."""
        may = files.left or (boot is Boot.RESTORE and files.failed_wakes >= MAX_FAILED_WAKES)
        self.note(may, "a sandbox that could boot is given up")
        self.work &= self.work_beside(files.provider_id)

    def check_effects(self) -> None:
        for effect in self.asked:
            if isinstance(effect, UpdateInboxes):
                continue  # the members say whether it came about
            must(_trace(effect) in self.done, f"{type(effect).__name__} never came about")

    def check_inboxes(self, partition: Partition) -> None:
        """Whoever has something to read finds it, however old the session is."""
        session = partition.session
        for user in {session.owner, *partition.members}:
            member = partition.members.get(user) or joining(session, user)
            waits = is_unread(session, member) and session.status is not SessionStatus.ARCHIVED
            must(member.unread == waits, f"{user} is told of the session: {member.unread}")

    def accept(self, prompt: int, request: str) -> None:
        known = self.accepted.setdefault(prompt, request)
        must(known == request, f"prompt {prompt} answers {known} and {request}")
        again = [number for number, name in self.accepted.items() if name == request]
        must(again == [prompt], f"{request} was answered with the prompts {again}")

    def note(self, holds: bool, sentence: str) -> None:
        """For what happens inside a bridge or a function, which would swallow an exception."""
        if not holds and self.failure is None:
            self.failure = Violation(sentence)

    def has_dispatched(self) -> bool:
        """Whether any prompt was given to a bridge."""
        events = (event for entry in self.log for event in entry.frame.events)
        return any(event.get("type") == "prompt_dispatched" for event in events)

    # What is stored.

    def check(self, partition: Partition, log: list[Entry]) -> None:
        if self.failure is not None:
            raise self.failure
        if len(log) != self._seen:
            self._read(log)
        if partition.session.version != self._version:
            self._version = partition.session.version
            self._check_session(partition)

    def _read(self, log: list[Entry]) -> None:
        must(len(log) >= self._seen, "the log became shorter")
        for index in range(self._seen, len(log)):
            entry = log[index]
            must(entry.seq == index + 1, f"slot {entry.seq} stands where {index + 1} should")
            must(entry.frame.id not in self._ids, f"frame {entry.frame.id} is there twice")
            self._ids.add(entry.frame.id)
            self._in_order(entry)
        self._seen = len(log)

    def _in_order(self, entry: Entry) -> None:
        attempt = entry.frame.attempt
        if attempt is None:
            return
        number = int(entry.frame.id.rpartition("-")[2])
        must(number > self._newest.get(attempt, 0), f"frame {entry.frame.id} is out of order")
        self._newest[attempt] = number

    def acknowledge(self, frame: str, log: list[Entry]) -> None:
        stored = any(entry.frame.id == frame for entry in reversed(log))
        self.note(stored, f"frame {frame} was acknowledged and is not in the log")

    def _check_session(self, partition: Partition) -> None:
        session = partition.session
        check_sound(session)
        must(session.attempts >= self._attempt, "attempts count backwards")
        living = 0 if session.attempt is None else session.attempt.number
        must(not living or living > self._retired, f"attempt {living} came back")
        self._attempt = session.attempts
        self._retired = max(self._retired, session.attempts - bool(living))
        if self._cancelled:
            must(session.status is SessionStatus.CANCELLED, "a cancelled session came back")
        self._cancelled = session.status is SessionStatus.CANCELLED
        for number, record in partition.prompts.items():
            self._check_prompt(number, record.status)
        unfinished = {prompt.number for prompt in session.queue}
        if session.running is not None:
            unfinished.add(session.running.prompt.number)
        known = {n for n, record in partition.prompts.items() if record.status not in _FINAL}
        must(unfinished == known, f"{sorted(unfinished ^ known)} are unfinished in one place only")

    def _check_prompt(self, number: int, status: PromptStatus) -> None:
        final = self._final.get(number)
        if final is not None:
            must(status is final, f"prompt {number} was {final} and is {status}")
        elif status in _FINAL:
            self._final[number] = status
            if status is PromptStatus.COMPLETED:
                must(number in self.completed, f"prompt {number} is completed; no turn of it was")

    def final(self, prompt: int) -> PromptStatus | None:
        return self._final.get(prompt)


def _trace(effect: Effect) -> object:
    """By what it is known at the vendor."""
    match effect:
        case StartLife(attempt, life):
            return attempt, life
        case CompleteTask(token=token):
            return token
        case ArmTimer(attempt, due):
            return attempt, due
        case UpdateInboxes():
            raise AssertionError(effect)
