"""Participants in memory."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from shared.app.ports.members import Found, MemberChanged
from shared.app.ports.sessions import Commit
from shared.domain.inbox import Member, joining
from shared.domain.listing import Shelf, shelf
from shared.domain.session.facts import PromptQueued
from shared.domain.session.state import Session, SessionId, UserId
from tests.fakes.store_memory import Memory, Partition


class InMemoryMembers:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def get(self, session_id: SessionId, user: UserId) -> Member | None:
        partition = self._memory.partitions.get(session_id)
        return partition.members.get(user) if partition else None

    def of_session(self, session_id: SessionId) -> Sequence[Member]:
        partition = self._memory.partitions.get(session_id)
        return sorted(partition.members.values(), key=lambda one: one.user) if partition else []

    def put(self, session: Session, before: Member | None, after: Member) -> None:
        members = self._memory.partitions[session.id].members
        with self._memory.writing():
            there = members.get(after.user)
            if there and _written(there) == _written(after):
                return
            if (there and (there.read, there.filed)) != (before and (before.read, before.filed)):
                raise MemberChanged
            members[after.user] = replace(after, prompts=there.prompts if there else 0)

    def inbox(self, user: UserId, *, newest: int, most: int, owner: UserId | None) -> Found:
        partitions = [
            one
            for one in self._memory.partitions.values()
            if owner in {None, one.session.owner} and shelf(one.session) is not Shelf.ARCHIVED
        ]
        waiting = [one for one in partitions if _waits_for(one, user)]
        active = [one for one in partitions if shelf(one.session) is Shelf.ACTIVE]
        others = [one for one in partitions if shelf(one.session) is Shelf.OPEN]
        chosen = [*_newest(waiting, most), *_newest(active, most), *_newest(others, newest)]
        found = {one.session.id: (one.session, one.members.get(user)) for one in chosen}
        return Found(list(found.values()), more=len(waiting) > most)


def keep_members(partition: Partition, commit: Commit) -> None:
    for fact in commit.facts:
        if isinstance(fact, PromptQueued):
            user = fact.prompt.author.user
            known = partition.members.get(user) or joining(commit.before, user)
            asked = replace(known, prompts=known.prompts + 1, seen_at=commit.now)
            partition.members[user] = asked


def _written(member: Member) -> Member:
    return replace(member, prompts=0)


def _waits_for(partition: Partition, user: UserId) -> bool:
    member = partition.members.get(user)
    return member is not None and member.unread


def _newest(partitions: Iterable[Partition], many: int) -> list[Partition]:
    def recency(one: Partition) -> tuple[object, str]:
        return one.session.updated_at, one.session.id

    return sorted(partitions, key=recency, reverse=True)[:many]
