"""What must hold, and what is remembered to tell: turns, files, prompts, frames.

Everything here is checked from outside, on what is stored and on what truly ran; nothing asks the
product how it believes to be.
"""

import traceback
from collections import Counter
from collections.abc import Callable, Iterable

from shared.domain.session.state import PromptStatus, SessionStatus
from shared.domain.timeline import Entry
from tests.fakes.store_memory import Partition
from tests.shared.domain.session.ledger import check_session

_FINAL = {
    PromptStatus.COMPLETED,
    PromptStatus.FAILED,
    PromptStatus.STOPPED,
    PromptStatus.CANCELLED,
}


class Violation(AssertionError):
    """The simulation's finding: the message is one sentence."""


def must(holds: object, sentence: str) -> None:
    if not holds:
        raise Violation(sentence)


class Book:
    """Of one session."""

    def __init__(self) -> None:
        self.started: Counter[int] = Counter()
        self.completed: set[int] = set()
        """Turns that the agent itself brought to a good end."""
        self.running: dict[int, object] = {}
        self.work: set[int] = set()
        """Prompts whose files exist and may never be lost again."""
        self.accepted: dict[int, str] = {}
        """Which request each acknowledged prompt answers."""
        self.acked: set[str] = set()
        self._final: dict[int, PromptStatus] = {}
        self._cancelled = False
        self._version = -1
        self._attempt = 0
        self._retired = 0
        self._seen = 0
        self._ids: set[str] = set()
        self._newest: dict[int, int] = {}
        self.failure: Violation | None = None

    # Turns and files.

    def turn_begins(self, prompt: int, process: object, found: Iterable[int]) -> None:
        self.started[prompt] += 1
        missing = self.work.difference(found)
        self._note(self.started[prompt] == 1, f"prompt {prompt} was run twice")
        self._note(not self.running, f"prompt {prompt} began while {list(self.running)} ran")
        self._note(not missing, f"prompt {prompt} does not find the work of {sorted(missing)}")
        self.running[prompt] = process
        self.work.add(prompt)

    def turn_ends(self, prompt: int, process: object, *, well: bool) -> None:
        if self.running.get(prompt) is process:
            del self.running[prompt]
            if well:
                self.completed.add(prompt)

    def process_ends(self, process: object) -> None:
        self.running = {key: value for key, value in self.running.items() if value is not process}

    def accept(self, prompt: int, request: str) -> None:
        known = self.accepted.setdefault(prompt, request)
        must(known == request, f"prompt {prompt} answers {known} and {request}")
        again = [number for number, name in self.accepted.items() if name == request]
        must(again == [prompt], f"{request} was answered with the prompts {again}")

    def _note(self, holds: bool, sentence: str) -> None:
        """For what happens inside a bridge, whose loop would swallow an exception."""
        if not holds and self.failure is None:
            self.failure = Violation(sentence)

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
        self._read(log)
        must(frame in self._ids, f"frame {frame} was acknowledged and is not in the log")

    def _check_session(self, partition: Partition) -> None:
        session = partition.session
        _reworded(lambda: check_session(session))
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


def _reworded(check: Callable[[], None]) -> None:
    try:
        check()
    except AssertionError as failure:
        line = traceback.extract_tb(failure.__traceback__)[-1].line
        raise Violation(f"the stored session: {failure or line}") from failure
