"""Asks each code host what has changed of pull requests since it was last asked.

So what a webhook should have told and did not is known all the same, though nobody looks, and
where no webhook comes at all. Only what was wholly taken moves the time to ask from.
"""

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.app.ports.forge_lists import ForgeListStore, Kept
from shared.app.ports.forges import Forge, ForgeLimited, Forges
from shared.app.ports.repositories import RememberedRepositories
from shared.app.pull_request_news import BRANCHES, PullRequestNews
from shared.domain.errors import Contended, DomainError, Unavailable
from shared.domain.repository_url import key

logger = logging.getLogger(__name__)

LONGEST = timedelta(days=30)
"""How far back a repository is asked about that was not for so long, or never."""
OVERLAP = timedelta(hours=1)
"""Clocks differ, and a host's lists may lag behind what it has said."""
MOST = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequestSweep:
    news: PullRequestNews
    forges: Forges
    remembered: RememberedRepositories
    asked: ForgeListStore
    clock: Callable[[], datetime]

    def sweep(self) -> Mapping[str, int]:
        """How often what was done; who was not asked for longest comes first."""
        done: Counter[str] = Counter()
        limited = set[str]()
        now = self.clock()
        urls = [known.repository.url for known in self.remembered.all(limit=MOST)]
        for since, url in sorted((self._since(url, now), url) for url in urls):
            try:
                forge = self.forges.of(url)
                if forge.kind not in limited:
                    done["told"] += self._ask(forge, url, since, now, limited)
            except DomainError as error:
                logger.info("pull_requests_not_asked", extra={"code": error.code})
                done["failed"] += 1
        return +done

    def _since(self, url: str, now: datetime) -> datetime:
        kept = self.asked.get(_name(url))
        return now - LONGEST if kept is None else kept.as_of - OVERLAP

    def _ask(
        self, forge: Forge, url: str, since: datetime, now: datetime, limited: set[str]
    ) -> int:
        try:
            told = forge.pull_requests(url, since)
        except ForgeLimited:
            limited.add(forge.kind)
            raise
        ours = [one for one in told if one.head.startswith(BRANCHES)]
        about = [self.news.told(url, one, asked=True) for one in ours]
        try:
            self.asked.put(_name(url), Kept(now), now + LONGEST)
        except (Contended, Unavailable):
            logger.exception("sweep_not_kept")  # the next one asks about a little more
        return sum(about)


def _name(url: str) -> str:
    return f"pull requests {key(url)}"
