"""The one transaction by which a session changes: what it writes, and what its refusal means."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from pynamodb.expressions.operand import Path

from shared.adapters.dynamodb import keys, meta, timeline
from shared.adapters.dynamodb.artifacts import artifact_writes
from shared.adapters.dynamodb.attempts import attempt_writes
from shared.adapters.dynamodb.boots import phase_writes
from shared.adapters.dynamodb.database import Refusals, Step
from shared.adapters.dynamodb.effects import effect_write, pending
from shared.adapters.dynamodb.members import member_writes
from shared.adapters.dynamodb.prompts import prompt_writes
from shared.adapters.dynamodb.slots import Unsure, place
from shared.adapters.dynamodb.table import Table
from shared.adapters.dynamodb.uploads import keeping_writes
from shared.adapters.dynamodb.writes import ABSENT, Delete, Put, Write, item, number, text
from shared.app.ports.sessions import (
    Commit,
    Committed,
    Request,
    RequestTaken,
    VersionConflict,
)
from shared.domain.session.facts import AttemptEnding, PromptFinished, PromptQueued, StopRequested
from shared.domain.timeline import Entry

REQUEST_LIFE = timedelta(days=30)


def perform(sessions: Table, commit: Commit) -> Committed:
    transaction = _Transaction(sessions, commit)
    effects = pending(commit)
    if commit.frame is None:
        transaction.write(slot=None)
        return Committed(None, effects)
    slot, stored = place(transaction, commit.frame.id, after=commit.after_slot)
    if stored is not None:
        return Committed(stored, (), already=True)
    return Committed(timeline.entry(slot, commit.frame, commit.now), effects)


def request_write(commit: Commit, request: Request) -> Put:
    """An expired one that DynamoDB has not deleted yet may be overwritten."""
    now = int(commit.now.timestamp())
    row = item(
        keys.session(commit.after.id),
        keys.request(request.id),
        fingerprint=text(request.fingerprint),
        prompt=number(_prompt_of(commit)),
        expires_at=number(now + int(REQUEST_LIFE.total_seconds())),
    )
    return Put(row, ABSENT | (Path(keys.EXPIRES_AT) <= number(now)))


@dataclass(frozen=True, slots=True)
class _Transaction:
    """The log as a commit sees it: a slot is taken together with everything else, or not."""

    sessions: Table
    commit: Commit

    def put(self, slot: int) -> Entry | None:
        return self.write(slot=slot)

    def behind(self, slot: int) -> tuple[Entry | None, int]:
        assert self.commit.frame is not None
        return timeline.behind(self.sessions, self.commit.after.id, self.commit.frame.id, slot)

    def write(self, *, slot: int | None) -> Entry | None:
        refusals = self.sessions.database.transact(self._steps(slot))
        return self._there(refusals) if refusals else None

    def _there(self, refusals: Refusals) -> Entry | None:
        """The frame that has the slot. Our own comes first: then all of it is stored already."""
        taken = refusals.get("log")
        entry = None if taken is None else timeline.to_entry(taken)
        if entry is not None and self.commit.frame and entry.frame.id == self.commit.frame.id:
            return entry
        if "request" in refusals:
            raise RequestTaken
        if "meta" in refusals:
            raise VersionConflict
        if "log" not in refusals:
            raise AssertionError(f"the version holds, yet {sorted(refusals)} do not")
        if entry is None:
            raise Unsure
        return entry

    def _steps(self, slot: int | None) -> Iterable[Step]:
        commit, step = self.commit, self.sessions.step
        yield step("meta", meta.changed(commit.before, commit.after))
        if slot is not None and commit.frame is not None:
            frame = timeline.slot_write(commit.after.id, slot, commit.frame, commit.now)
            yield step("log", frame)
        if commit.request is not None:
            yield step("request", request_write(commit, commit.request))
        for write in _guarded(commit):
            yield step(f"{type(write).__name__} beside META", write)


def _guarded(commit: Commit) -> Iterable[Write]:
    """What the version condition on META protects."""
    yield from prompt_writes(commit)
    yield from attempt_writes(commit)
    yield from phase_writes(commit)
    yield from artifact_writes(commit)
    yield from member_writes(commit)
    yield from keeping_writes(commit)
    yield from map(effect_write, pending(commit))
    if any(isinstance(fact, AttemptEnding) for fact in commit.facts):
        # From here on no frame of that bridge is taken, whatever it still sends.
        yield Delete(keys.connections(commit.after.id), keys.BRIDGE)


def _prompt_of(commit: Commit) -> int:
    """The prompt that a request is about; 0: none."""
    for fact in commit.facts:
        match fact:
            case PromptQueued(prompt):
                return prompt.number
            case StopRequested(number) | PromptFinished(number=number):
                return number
            case _:
                pass
    return 0
