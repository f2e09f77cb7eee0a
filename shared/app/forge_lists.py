"""The repositories and branches to choose from: the code hosts' own lists, kept for a while."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.app.ports.forge_lists import ForgeListStore, Kept
from shared.app.ports.forges import Branch, Forge, ForgeRepository, Forges
from shared.domain.errors import Contended, Unavailable
from shared.domain.repository_url import key

logger = logging.getLogger(__name__)

FRESH = timedelta(minutes=5)
STALE = timedelta(hours=1)
"""For when the host does not answer."""
MOST = 200


@dataclass(frozen=True, slots=True)
class Listed[T]:
    """`as_of`: the oldest part of it is from then; None of nothing."""

    found: Sequence[T]
    as_of: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgeLists:
    forges: Forges
    store: ForgeListStore
    clock: Callable[[], datetime]

    def repositories(self, query: str) -> Listed[ForgeRepository]:
        """Those with all of the words, at most `MOST`. Raises `Unavailable`."""
        kept = [self._repositories_of(forge) for forge in self.forges.all()]
        words = query.lower().split()
        found = [one for list_ in kept for one in list_.repositories if _has(one, words)]
        as_of = min((list_.as_of for list_ in kept), default=None)
        return Listed(found[:MOST], as_of)

    def branches(self, url: str) -> Listed[Branch]:
        """Raises `Invalid`, `NotFound` and `Unavailable`."""
        forge = self.forges.of(url)
        kept = self._kept(
            f"branches {key(url)}", lambda now: Kept(now, branches=tuple(forge.branches(url)))
        )
        return Listed(kept.branches, kept.as_of)

    def _repositories_of(self, forge: Forge) -> Kept:
        return self._kept(
            f"repositories {forge.kind}",
            lambda now: Kept(now, repositories=tuple(forge.repositories())),
        )

    def _kept(self, name: str, ask: Callable[[datetime], Kept]) -> Kept:
        now = self.clock()
        known = self.store.get(name)
        if known is not None and now - known.as_of < FRESH:
            return known
        try:
            answered = ask(now)
        except Unavailable:
            if known is None or now - known.as_of >= STALE:
                raise
            return known
        self._keep(name, answered)
        return answered

    def _keep(self, name: str, answered: Kept) -> None:
        try:
            self.store.put(name, answered, answered.as_of + STALE)
        except (Contended, Unavailable):
            logger.exception("forge_list_not_kept")


def _has(repository: ForgeRepository, words: Sequence[str]) -> bool:
    text = f"{repository.full_name} {repository.description}".lower()
    return all(word in text for word in words)
