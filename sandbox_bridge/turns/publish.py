"""After a turn that ended well: what it left is committed and pushed, and the remote is asked.

Every repository of the session, in order; the first that can't be published fails the run, and
those before it stay pushed. What failed is pushed with the next turn that ends well.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

from sandbox_bridge.git.author import Author
from sandbox_bridge.git.checkout import Checkout
from sandbox_bridge.git.command import GitFailed
from sandbox_bridge.git.commit import commit_leftovers
from sandbox_bridge.git.push import push
from shared.protocol.events import BridgeEvent, Committed, Pushed, Warned

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Work:
    prompt: int
    author: Author
    message: str


@dataclass(slots=True)
class Published:
    """What there is to say about it; `error` is why it went no further."""

    events: list[BridgeEvent] = field(default_factory=list[BridgeEvent])
    earlier: list[Pushed] = field(default_factory=list[Pushed])
    """Told of while the turn ran: the agent asked for it."""
    error: str | None = None

    @property
    def first_push(self) -> Pushed | None:
        """The last that is on that branch now; of several repositories the first's."""
        pushes = [*self.earlier, *(event for event in self.events if isinstance(event, Pushed))]
        first = next(iter(pushes), None)
        ours = [push for push in pushes if first and push.repository == first.repository]
        return ours[-1] if ours else None


async def publish(checkouts: Sequence[Checkout], work: Work, published: Published) -> None:
    """`published` tells how far it came, also when it is cancelled."""
    for checkout in checkouts:
        try:
            await _commit(checkout, work, published.events)
            await _push(checkout, work, published.events)
        except GitFailed as failure:
            published.error = f"{checkout.name}: {failure}"
            logger.warning("not published", extra={"repository": checkout.name})
            break


async def _commit(checkout: Checkout, work: Work, events: list[BridgeEvent]) -> None:
    made = await commit_leftovers(checkout, work.author, work.message)
    events += [Warned(message=f"{checkout.name}: {note}", scope="commit") for note in made.notes]
    if made.commit:
        events.append(
            Committed(
                prompt=work.prompt,
                repository=checkout.name,
                commit=made.commit,
                files=made.files,
            )
        )


async def _push(checkout: Checkout, work: Work, events: list[BridgeEvent]) -> None:
    done = await push(checkout)
    events += [Warned(message=f"{checkout.name}: {note}", scope="push") for note in done.notes]
    if done.commit:
        events.append(
            Pushed(
                prompt=work.prompt,
                repository=checkout.name,
                branch=checkout.branch,
                commit=done.commit,
            )
        )
