"""Users, tickets, settings and remembered repositories in memory."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from shared.app.ports.repositories import Remembered
from shared.app.ports.sandbox_settings import Chosen
from shared.app.ports.workspace import Ticket, User
from shared.domain.errors import Conflict, Contended, NotFound
from shared.domain.repository_url import RepositoryKey, key
from shared.domain.session.state import Repository, UserId
from tests.fakes.store_memory import Memory


class InMemoryUsers:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def by_token(self, token_hash: str) -> User | None:
        user_id = self._memory.tokens.get(token_hash)
        return None if user_id is None else self._memory.users[user_id]

    def add(self, user: User, token_hash: str) -> None:
        with self._memory.writing():
            if self._memory.tokens.get(token_hash) == user.id:
                return
            others = self._memory.users.values()
            if any(user.id == other.id or user.name == other.name for other in others):
                raise Conflict(f"there is a user {user.name!r} already")
            self._memory.users[user.id] = user
            self._memory.tokens[token_hash] = user.id

    def renew(self, user_id: UserId, token_hash: str) -> User:
        with self._memory.writing():
            if user_id not in self._memory.users:
                raise NotFound(f"no user {user_id!r}")
            others = {key: user for key, user in self._memory.tokens.items() if user != user_id}
            self._memory.tokens = {**others, token_hash: user_id}
            known = self._memory.users[user_id]
            self._memory.users[user_id] = replace(known, epoch=known.epoch + 1)
            return self._memory.users[user_id]

    def sign_out(self, user_id: UserId) -> User:
        with self._memory.writing():
            if user_id not in self._memory.users:
                raise NotFound(f"no user {user_id!r}")
            known = self._memory.users[user_id]
            self._memory.users[user_id] = replace(known, epoch=known.epoch + 1)
            return self._memory.users[user_id]

    def get(self, user_id: UserId) -> User | None:
        return self._memory.users.get(user_id)

    def describe(self, before: User, after: User) -> None:
        with self._memory.writing():
            if self._memory.users.get(before.id) not in (before, after):
                raise Contended(f"{before.name!r} is being changed by somebody else")
            self._memory.users[before.id] = after

    def all(self) -> Sequence[User]:
        return sorted(self._memory.users.values(), key=lambda user: user.id)


class InMemoryTickets:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def issue(self, ticket_hash: str, ticket: Ticket) -> None:
        with self._memory.writing():
            self._memory.tickets[ticket_hash] = ticket

    def peek(self, ticket_hash: str) -> Ticket | None:
        return self._memory.tickets.get(ticket_hash)


class InMemorySettings:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def get(self, repository: RepositoryKey | None) -> Chosen | None:
        return self._memory.settings.get(repository)

    def of_repositories(self) -> Sequence[Chosen]:
        found = [chosen for chosen in self._memory.settings.values() if chosen.repository]
        return sorted(found, key=lambda chosen: chosen.repository or "")

    def put(self, chosen: Chosen, *, instead_of: str | None) -> None:
        with self._memory.writing():
            there = self._memory.settings.get(chosen.repository)
            version = there.version if there else None
            if version not in {instead_of, chosen.version}:
                raise Conflict("these settings have changed since they were read")
            self._memory.settings[chosen.repository] = chosen

    def remove(self, repository: RepositoryKey, version: str) -> None:
        with self._memory.writing():
            there = self._memory.settings.get(repository)
            if there is not None and there.version != version:
                raise Conflict("these settings have changed since they were read")
            self._memory.settings.pop(repository, None)


class InMemoryRepositories:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def register(self, repository: Repository, now: datetime) -> Remembered:
        with self._memory.writing():
            known = self._memory.repositories.get(key(repository.url))
            registered = Remembered(repository, known.used_at if known else now)
            self._memory.repositories[key(repository.url)] = registered
            return registered

    def use(self, repository: Repository, now: datetime) -> None:
        with self._memory.writing():
            known = self._memory.repositories.get(key(repository.url))
            used = replace(known, used_at=now) if known else Remembered(repository, now)
            self._memory.repositories[key(repository.url)] = used

    def all(self, *, limit: int) -> Sequence[Remembered]:
        known = self._memory.repositories.values()
        return sorted(known, key=lambda one: one.used_at, reverse=True)[:limit]
