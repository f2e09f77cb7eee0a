"""Who may have credentials here, and for how long those that came are good enough.

They are kept in memory until shortly before they expire. What is asked for while the same is being
asked for waits for that one answer.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from sandbox_bridge.credentials.asking import Ask, NoCredential
from shared.domain.errors import Invalid
from shared.domain.repository_url import RepositoryKey, key
from shared.protocol.credentials import GhCredential, GitCredential, GitOperation

MARGIN: Final = timedelta(minutes=5)
"""What is handed out is good for that long: git sends it again after hooks that take minutes."""

KEPT_AT_MOST: Final = timedelta(minutes=10)
"""What does not expire by itself may still be taken back."""

_OWNER_AND_NAME: Final = 2

type Learn = Callable[[str], None]
type _What = tuple[RepositoryKey, GitOperation]

_OPERATIONS: Final[tuple[GitOperation, ...]] = ("read", "write")


@dataclass(frozen=True, slots=True)
class _Kept[T]:
    value: T
    password: str
    until: datetime


class _Memory[W, T]:
    """One answer for each thing that is asked for."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._kept: dict[W, _Kept[T]] = {}
        self._asking: dict[W, asyncio.Task[T]] = {}

    async def get(self, what: W, ask: Callable[[], Coroutine[Any, Any, T]]) -> T:
        kept = self._kept.get(what)
        if kept and self._now() < kept.until:
            return kept.value
        if what not in self._asking:
            task = self._asking[what] = asyncio.create_task(ask())
            task.add_done_callback(lambda _: self._asking.pop(what))
        # Whoever goes away leaves the question to the others.
        return await asyncio.shield(self._asking[what])

    def keep(self, what: W, value: T, password: str, expires_at: datetime | None) -> None:
        until = expires_at - MARGIN if expires_at else self._now() + KEPT_AT_MOST
        self._kept[what] = _Kept(value, password, until)

    def of(self, password: str) -> set[W]:
        return {what for what, kept in self._kept.items() if kept.password == password}

    def forget(self, what: W) -> str | None:
        """The password that it had."""
        kept = self._kept.pop(what, None)
        return kept and kept.password


class Broker:
    """`urls` are the session's repositories; `learn` is told each secret before anybody has it."""

    def __init__(
        self, ask: Ask, urls: Iterable[str], now: Callable[[], datetime], learn: Learn
    ) -> None:
        self._ask = ask
        self._repositories = {found: url for url in urls if (found := _key(url))}
        self._git = _Memory[_What, GitCredential | None](now)
        self._gh = _Memory[str | None, GhCredential | None](now)
        self._learn = learn
        self._refused: dict[_What, str] = {}

    async def git(self, url: str, operation: GitOperation) -> GitCredential | None:
        """None: git needs none there. Raises `NoCredential`."""
        repository = _key(url)
        own = self._repositories.get(repository) if repository else None
        if repository is None or own is None:
            raise NoCredential("this is no repository of the session's: it has no credentials here")
        what = repository, operation

        async def ask() -> GitCredential | None:
            found = await self._ask.git(own, operation, self._refused.get(what))
            if found:
                self._learn(found.password)
                self._git.keep(what, found, found.password, found.expires_at)
            return found

        return await self._git.get(what, ask)

    async def gh(self, named: str = "") -> GhCredential | None:
        """For the repository of the session that is named as gh names them, if one is.

        None: the session has nothing on GitHub. Raises `NoCredential`.
        """
        url = self._named(named)

        async def ask() -> GhCredential | None:
            found = await self._ask.gh(url)
            if found:
                self._learn(found.token)
                self._gh.keep(url, found, found.token, found.expires_at)
            return found

        return await self._gh.get(url, ask)

    def _named(self, named: str) -> str | None:
        """By its URL, or by the end of it: [HOST/]OWNER/NAME."""
        if (known := _key(named)) is not None:
            return self._repositories.get(known)
        end = f"/{named.strip('/').removesuffix('.git')}".lower()
        if end.count("/") < _OWNER_AND_NAME:
            return None
        found = (url for known, url in self._repositories.items() if known.lower().endswith(end))
        return next(found, None)

    def forget(self, password: str) -> None:
        """The host did not take it, and so takes nothing else that was given with it."""
        for repository in {what[0] for what in self._git.of(password)}:
            for operation in _OPERATIONS:
                if gone := self._git.forget((repository, operation)):
                    self._refused[repository, operation] = sha256(gone.encode()).hexdigest()
        for what in self._gh.of(password):
            self._gh.forget(what)


def _key(url: str) -> RepositoryKey | None:
    with suppress(Invalid):
        return key(url)
    return None
