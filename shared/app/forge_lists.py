"""The repositories and branches to choose from: the code hosts' own lists, kept for a while."""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from shared.app.ports.forge_lists import ForgeListStore, Kept
from shared.app.ports.forges import Branch, ForgeLimited, ForgeRepository, Forges, KnownForge
from shared.app.single_flight import SingleFlight
from shared.domain.errors import Contended, Unavailable
from shared.domain.repository_url import key

logger = logging.getLogger(__name__)

FRESH = timedelta(minutes=5)
STALE = timedelta(hours=1)
"""For when the host does not answer."""
PATIENCE = timedelta(seconds=12)
"""With the slowest host; whoever asked us waits for half a minute at most."""
MOST = 200


@dataclass(frozen=True, slots=True)
class Problem:
    """A host that has not answered. `listed_at`: what is listed of it is from then."""

    host: str
    message: str
    listed_at: datetime | None
    retry_at: datetime | None


@dataclass(frozen=True, slots=True)
class Listed[T]:
    """`as_of`: the oldest part of it is from then; None of nothing."""

    found: Sequence[T]
    as_of: datetime | None
    problems: Sequence[Problem] = ()


@dataclass(frozen=True, slots=True)
class _Told:
    """What one host has said, or has said before."""

    kept: Kept | None
    problem: Problem | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgeLists:
    forges: Forges
    store: ForgeListStore
    clock: Callable[[], datetime]
    patience: timedelta = PATIENCE
    _flights: SingleFlight[Kept] = field(default_factory=SingleFlight[Kept], repr=False)

    def repositories(self, query: str) -> Listed[ForgeRepository]:
        """Those with all of the words, at most `MOST`. Raises `Unavailable` when all fail."""
        told = self._everybody()
        kept = [each.kept for each in told if each.kept is not None]
        problems = [each.problem for each in told if each.problem is not None]
        if problems and not kept:
            raise Unavailable("; ".join(problem.message for problem in problems))
        words = query.lower().split()
        found = [one for list_ in kept for one in list_.repositories if _has(one, words)]
        as_of = min((list_.as_of for list_ in kept), default=None)
        return Listed(found[:MOST], as_of, problems)

    def branches(self, url: str) -> Listed[Branch]:
        """Raises `Invalid`, `NotFound` and `Unavailable`."""
        forge = self.forges.of(url)
        name = f"branches {key(url)}"
        try:
            kept = self._kept(name, lambda now: Kept(now, branches=tuple(forge.branches(url))))
        except Unavailable:
            old = self._old(name)
            if old is None:
                raise
            kept = old
        return Listed(kept.branches, kept.as_of)

    def _everybody(self) -> Sequence[_Told]:
        """All at once: who is slow keeps nobody from what the others have."""
        forges = self.forges.all()
        if not forges:
            return []
        pool = ThreadPoolExecutor(len(forges), thread_name_prefix="forge")
        asked = [(forge, pool.submit(self._told, forge)) for forge in forges]
        wait([each for _, each in asked], timeout=self.patience.total_seconds())
        pool.shutdown(wait=False)
        return [each.result() if each.done() else self._late(forge) for forge, each in asked]

    def _told(self, forge: KnownForge) -> _Told:
        def ask(now: datetime) -> Kept:
            return Kept(now, repositories=tuple(forge.repositories()))

        try:
            return _Told(self._kept(_name(forge), ask))
        except Unavailable as error:
            return self._failed(forge, error)

    def _late(self, forge: KnownForge) -> _Told:
        return self._failed(forge, Unavailable(f"{forge.host} takes too long to answer"))

    def _failed(self, forge: KnownForge, error: Unavailable) -> _Told:
        old = self._old(_name(forge))
        wait_for = error.retry_after if isinstance(error, ForgeLimited) else None
        return _Told(
            old,
            Problem(
                host=forge.host,
                message=str(error),
                listed_at=old and old.as_of,
                retry_at=None if wait_for is None else self.clock() + timedelta(seconds=wait_for),
            ),
        )

    def _kept(self, name: str, ask: Callable[[datetime], Kept]) -> Kept:
        """Not older than `FRESH`."""

        def asked() -> Kept:
            now = self.clock()
            known = self.store.get(name)
            if known is not None and now - known.as_of < FRESH:
                return known
            answered = ask(now)
            self._keep(name, answered)
            return answered

        return self._flights.run(name, asked)

    def _old(self, name: str) -> Kept | None:
        known = self.store.get(name)
        return known if known is not None and self.clock() - known.as_of < STALE else None

    def _keep(self, name: str, answered: Kept) -> None:
        try:
            self.store.put(name, answered, answered.as_of + STALE)
        except (Contended, Unavailable):
            logger.exception("forge_list_not_kept")


def _name(forge: KnownForge) -> str:
    return f"repositories {forge.host}"


def _has(repository: ForgeRepository, words: Sequence[str]) -> bool:
    text = f"{repository.full_name} {repository.description}".lower()
    return all(word in text for word in words)
