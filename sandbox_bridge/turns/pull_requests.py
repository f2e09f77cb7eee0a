"""The agent asks for a pull request: its work is pushed from here, and the server opens it.

Only while a turn runs, whose author it is opened for; what a turn has begun so ends with it.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from sandbox_bridge.files.server import FileFailed, Files
from sandbox_bridge.git.checkout import Checkout
from sandbox_bridge.git.command import GitFailed
from sandbox_bridge.harness.seam import Emit, NotHandedIn
from sandbox_bridge.redaction import Redactor
from sandbox_bridge.turns.publish import Published, Work, publish
from shared.protocol.events import Pushed
from shared.protocol.pull_requests import NewPullRequest, PullRequestOutcome


@dataclass(frozen=True, slots=True)
class _Turn:
    work: Work
    published: Published
    emit: Emit


class PullRequests:
    def __init__(self, files: Files, checkouts: Sequence[Checkout], redact: Redactor) -> None:
        self._files = files
        self._redact = redact
        self._checkouts = checkouts
        self._turn: _Turn | None = None
        self._one_at_a_time = asyncio.Lock()
        self._calls = set[asyncio.Task[Any]]()

    @property
    def possible(self) -> bool:
        return self._files.exist and bool(self._checkouts)

    @asynccontextmanager
    async def during(self, work: Work, published: Published, emit: Emit) -> AsyncGenerator[None]:
        """What is still going on when the turn is over is cut off: nothing writes behind it."""
        self._turn = _Turn(work, published, emit)
        try:
            yield
        finally:
            self._turn = None
            calls = tuple(self._calls)
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)

    async def __call__(self, asked: NewPullRequest) -> str:
        """What the agent is told. Raises `NotHandedIn`."""
        if self._turn is None:
            raise NotHandedIn("no turn is running: nobody has asked for a pull request")
        checkout = self._checkout(asked.repository)
        call = asyncio.create_task(self._open(self._turn, checkout, asked))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)
        try:
            return await call
        except asyncio.CancelledError:
            call.cancel()
            raise NotHandedIn("the turn was over before the pull request was open") from None

    async def _open(self, turn: _Turn, checkout: Checkout, asked: NewPullRequest) -> str:
        async with self._one_at_a_time:
            await self._push(turn, checkout)
            told = {"title": self._redact(asked.title), "body": self._redact(asked.body)}
            named = asked.model_copy(update={"repository": checkout.name, **told})
            try:
                outcome = await self._files.open_pull_request(named)
            except FileFailed as error:
                raise NotHandedIn(
                    f"the work is pushed, no pull request is open: {error}"
                ) from error
        return _told(outcome)

    async def _push(self, turn: _Turn, checkout: Checkout) -> None:
        now = Published()
        try:
            await publish([checkout], turn.work, now)
        except GitFailed as error:
            raise NotHandedIn(f"{checkout.name} could not be pushed: {error}") from error
        finally:
            for event in now.events:
                turn.emit(event)
                if isinstance(event, Pushed):
                    turn.published.earlier.append(event)
        if now.error:
            raise NotHandedIn(f"it could not be pushed: {now.error}")

    def _checkout(self, name: str | None) -> Checkout:
        names = ", ".join(checkout.name for checkout in self._checkouts)
        if name is None and len(self._checkouts) > 1:
            raise NotHandedIn(f"of which repository: {names}?")
        for checkout in self._checkouts:
            if name in {None, checkout.name}:
                return checkout
        raise NotHandedIn(f"{name!r} is not in this session, which has {names or 'none'}")


def _told(outcome: PullRequestOutcome) -> str:
    warnings = "".join(f"\n{warning}" for warning in outcome.warnings)
    if (made := outcome.pull_request) is not None:
        was = "was open already; your work is in it" if outcome.outcome == "updated" else "is open"
        return f"Pull request #{made.number} {was}: {made.url}{warnings}"
    assert outcome.offer is not None
    return (
        "The branch is pushed. Whoever asked has not let Outboard open pull requests in their "
        f"name, so they open it themselves: {outcome.offer.url}{warnings}"
    )
