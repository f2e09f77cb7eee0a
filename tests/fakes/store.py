"""Sessions in memory. Kept honest by the contract tests in `tests/shared/adapters/dynamodb`."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from shared.app.ports.boots import BootRecord
from shared.app.ports.sessions import (
    Answered,
    Artifact,
    Commit,
    Committed,
    PendingEffect,
    PromptRecord,
    RequestTaken,
    SessionPage,
    VersionConflict,
)
from shared.domain.errors import Conflict, Invalid, NotFound
from shared.domain.listing import OPEN_ONES, Wanted
from shared.domain.session.facts import (
    AttemptEnding,
    BranchPushed,
    PromptDispatched,
    PromptFinished,
    PromptQueued,
    ScreenshotHandedIn,
    StopRequested,
)
from shared.domain.session.state import PromptStatus, Session, SessionId
from tests.fakes.store_boots import keep_boots
from tests.fakes.store_members import keep_members
from tests.fakes.store_memory import Memory, Partition
from tests.fakes.store_timeline import place, put_in
from tests.fakes.uploads import keep_uploads


class InMemorySessions:
    def __init__(self, memory: Memory, *sessions: Session) -> None:
        self._memory = memory
        for session in sessions:
            memory.partitions[session.id] = Partition(session)

    def create(self, session: Session, fingerprint: str) -> Session:
        with self._memory.writing():
            there = self._memory.partitions.setdefault(session.id, Partition(session, fingerprint))
        if there.fingerprint != fingerprint:
            raise Conflict(f"session {session.id} exists, made of something else")
        return there.session

    def load(self, session_id: SessionId) -> Session:
        if session_id not in self._memory.partitions:
            raise NotFound(f"no session {session_id!r}")
        return self._memory.partitions[session_id].session

    def commit(self, commit: Commit) -> Committed:
        effects = _pending(commit)
        if commit.frame is None:
            self._write(commit, slot=None)
            return Committed(None, effects)
        log = self._memory.logs[commit.after.id]
        entry, already = place(
            log, commit.frame, commit.after_slot, lambda slot: self._write(commit, slot=slot)
        )
        return Committed(entry, () if already else effects, already)

    def answered(self, session_id: SessionId, request_id: str) -> Answered | None:
        partition = self._memory.partitions.get(session_id)
        found = partition and partition.requests.get(request_id)
        return found[0] if found else None

    def prompt(self, session_id: SessionId, number: int) -> PromptRecord:
        partition = self._memory.partitions.get(session_id)
        if partition is None or number not in partition.prompts:
            raise NotFound(f"no prompt {number} in session {session_id!r}")
        return partition.prompts[number]

    def prompts(self, session_id: SessionId, *, after: int, limit: int) -> Sequence[PromptRecord]:
        partition = self._memory.partitions.get(session_id)
        found = sorted(partition.prompts.items()) if partition else []
        return [
            replace(record, text=record.text[:1_000]) for number, record in found if number > after
        ][:limit]

    def artifacts(self, session_id: SessionId) -> Sequence[Artifact]:
        partition = self._memory.partitions.get(session_id)
        return list(partition.artifacts.values()) if partition else []

    def alive(self) -> Sequence[SessionId]:
        partitions = self._memory.partitions.values()
        return [one.session.id for one in partitions if one.session.is_alive]

    def boots(self, session_id: SessionId, *, limit: int) -> Sequence[BootRecord]:
        partition = self._memory.partitions.get(session_id)
        known = partition.boots if partition else {}
        return [known[number] for number in sorted(known, reverse=True)[:limit]]

    def recent(
        self,
        *,
        limit: int,
        start: str | None = None,
        wanted: Wanted = OPEN_ONES,
    ) -> SessionPage:
        before = None if start is None else _position(start)
        found = [
            session
            for session in sorted(
                (partition.session for partition in self._memory.partitions.values()),
                key=_recency,
                reverse=True,
            )
            if wanted.matches(session) and (before is None or _recency(session) < before)
        ]
        page = found[:limit]
        more = len(found) > limit
        return SessionPage(tuple(page), _cursor(page[-1]) if more else None)

    def _write(self, commit: Commit, *, slot: int | None) -> bool:
        """The transaction. False: the slot is taken, by this frame or with all else in order."""
        with self._memory.writing():
            log = self._memory.logs[commit.after.id]
            there = None if slot is None or len(log) < slot else log[slot - 1]
            if there and commit.frame and there.frame.id == commit.frame.id:
                return False
            partition = self._check(commit)
            if there:
                return False
            if slot is not None and commit.frame is not None:
                put_in(log, slot, commit.frame, commit.now)
            self._apply(partition, commit)
        return True

    def _check(self, commit: Commit) -> Partition:
        partition = self._memory.partitions.get(commit.after.id)
        if partition is None:
            raise VersionConflict
        if commit.request and commit.request.id in partition.requests:
            _, expires = partition.requests[commit.request.id]
            if expires > commit.now:
                raise RequestTaken
        if partition.session.version != commit.before.version:
            raise VersionConflict
        return partition

    def _apply(self, partition: Partition, commit: Commit) -> None:
        partition.session = replace(commit.after, version=commit.before.version + 1)
        _keep_prompts(partition, commit)
        _keep_branch(partition, commit)
        _keep_screenshots(partition, commit)
        keep_uploads(self._memory, commit)
        keep_boots(partition, commit)
        keep_members(partition, commit)
        if commit.request is not None:
            answered = Answered(commit.request.fingerprint, _prompt_of(commit))
            partition.requests[commit.request.id] = (answered, commit.now + timedelta(days=30))
        for effect in _pending(commit):
            self._memory.effects[effect.session_id, effect.key] = effect
        if any(isinstance(fact, AttemptEnding) for fact in commit.facts):
            self._memory.bridges.pop(commit.after.id, None)


def _keep_prompts(partition: Partition, commit: Commit) -> None:
    prompts = partition.prompts
    for fact in commit.facts:
        match fact:
            case PromptQueued(prompt, text, attachments):
                prompts[prompt.number] = PromptRecord(
                    prompt=prompt,
                    text=text,
                    status=PromptStatus.QUEUED,
                    created_at=commit.now,
                    attachments=attachments,
                )
            case PromptDispatched(number):
                prompts[number] = replace(prompts[number], status=PromptStatus.RUNNING)
            case PromptFinished(number=number):
                prompts[number] = replace(
                    prompts[number],
                    status=fact.status,
                    finished_at=commit.now,
                    error=fact.error,
                    branch=fact.branch,
                    commit=fact.commit,
                    cost=fact.cost,
                    tokens=fact.tokens,
                )
            case _:
                pass


def _keep_branch(partition: Partition, commit: Commit) -> None:
    for fact in commit.facts:
        if isinstance(fact, BranchPushed):
            made = partition.artifacts.get(fact.artifact)
            partition.artifacts[fact.artifact] = Artifact(
                id=fact.artifact,
                kind="branch",
                title=fact.branch,
                url=None,
                metadata=(
                    ("repository", fact.repository),
                    ("branch", fact.branch),
                    ("commit", fact.commit),
                ),
                created_at=made.created_at if made else commit.now,
            )


def _keep_screenshots(partition: Partition, commit: Commit) -> None:
    for fact in commit.facts:
        if isinstance(fact, ScreenshotHandedIn):
            partition.artifacts[fact.id] = Artifact(
                id=fact.id,
                kind="screenshot",
                title=fact.title,
                url=None,
                metadata=() if fact.prompt is None else (("prompt", str(fact.prompt)),),
                created_at=commit.now,
                file=fact.file,
            )


def _pending(commit: Commit) -> tuple[PendingEffect, ...]:
    return tuple(
        PendingEffect(
            commit.after.id,
            f"{commit.before.version + 1}.{index}",
            effect,
            commit.now + timedelta(seconds=30),
        )
        for index, effect in enumerate(commit.effects)
    )


def _prompt_of(commit: Commit) -> int:
    about = [
        fact.prompt.number if isinstance(fact, PromptQueued) else fact.number
        for fact in commit.facts
        if isinstance(fact, PromptQueued | StopRequested | PromptFinished)
    ]
    return about[0] if about else 0


def _recency(session: Session) -> tuple[datetime, str]:
    return session.updated_at, session.id


def _cursor(session: Session) -> str:
    return f"{session.updated_at.isoformat()}|{session.id}"


def _position(cursor: str) -> tuple[datetime, str]:
    moment, _, session_id = cursor.partition("|")
    try:
        return datetime.fromisoformat(moment), session_id
    except ValueError:
        raise Invalid("start", "not a place in this list") from None
