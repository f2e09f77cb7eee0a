"""A pull request that the agent wants: its work is pushed first, and the turn ends it."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest

from sandbox_bridge.files.server import FileFailed, Files
from sandbox_bridge.git.author import Author
from sandbox_bridge.git.checkout import Checkout
from sandbox_bridge.git.clone import clone
from sandbox_bridge.harness.seam import NotHandedIn
from sandbox_bridge.redaction import Redactor
from sandbox_bridge.turns.publish import Published, Work
from sandbox_bridge.turns.pull_requests import PullRequests
from shared.protocol.events import BridgeEvent, Committed, Pushed
from shared.protocol.pull_requests import (
    NewPullRequest,
    PullRequestOfferView,
    PullRequestOutcome,
    PullRequestView,
)
from tests.sandbox_bridge.repositories import BRANCH, Remote, checkout, put, spec

WORK = Work(1, Author("Ada Example", "ada@example.com"), "Add a flag\n")
TOLD = PullRequestView(
    repository="tool",
    number=7,
    url="https://git.example.com/tool/pull/7",
    title="Add a flag",
    state="open",
    draft=False,
    head=BRANCH,
    base="main",
    head_commit="c1",
    author="ada",
    updated_at=datetime(2026, 1, 2, tzinfo=UTC),
)
OFFER = PullRequestOfferView(
    repository="tool", head=BRANCH, base="main", url="https://git.example.com/new"
)


class Server:
    """Takes what is handed in, as it is told to."""

    exist = True

    def __init__(self, answer: PullRequestOutcome | FileFailed | None) -> None:
        self.answer = answer
        self.asked: list[NewPullRequest] = []

    async def open_pull_request(self, asked: NewPullRequest) -> PullRequestOutcome:
        self.asked.append(asked)
        match self.answer:
            case None:
                await asyncio.Event().wait()
                raise AssertionError
            case FileFailed() as failure:
                raise failure
            case outcome:
                return outcome


class Desk:
    """A turn whose agent asks for pull requests."""

    def __init__(self, checkouts: Sequence[Checkout], server: Server) -> None:
        redact = Redactor({"A_TOKEN": "of-nobodys-business"})
        self.asking = PullRequests(cast("Files", server), checkouts, redact)
        self.told: list[BridgeEvent] = []
        self.published = Published()

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[None]:
        async with self.asking.during(WORK, self.published, self.told.append):
            yield


@pytest.fixture
def tool(tmp_path: Path, remote: Remote) -> Checkout:
    cloned = checkout(tmp_path / "workspace", remote.url)
    asyncio.run(clone(cloned, spec(remote.url)))
    return cloned


def opened() -> Server:
    return Server(PullRequestOutcome(outcome="opened", pull_request=TOLD))


def test_what_is_not_committed_is_pushed_before_anybody_is_asked(tool: Checkout, remote: Remote):
    server = opened()
    desk = Desk([tool], server)
    put(tool.git.directory, {"new.txt": "work"})

    async def story() -> str:
        async with desk.turn():
            return await desk.asking(NewPullRequest(title="Add a flag", body="Because."))

    said = asyncio.run(story())

    assert said == f"Pull request #7 is open: {TOLD.url}"
    assert [type(event) for event in desk.told] == [Committed, Pushed]
    assert remote.tip() == cast("Pushed", desk.told[1]).commit
    assert desk.published.first_push == desk.told[1]
    assert [asked.repository for asked in server.asked] == [tool.name]


def test_no_secret_is_in_what_is_asked(tool: Checkout):
    server = opened()
    desk = Desk([tool], server)

    async def story() -> None:
        async with desk.turn():
            await desk.asking(
                NewPullRequest(title="of-nobodys-business", body="of-nobodys-business")
            )

    asyncio.run(story())

    (asked,) = server.asked
    assert (asked.title, asked.body) == ("[redacted]", "[redacted]")


def test_who_has_no_token_is_told_where_to_open_it(tool: Checkout):
    desk = Desk([tool], Server(PullRequestOutcome(outcome="offered", offer=OFFER)))

    async def story() -> str:
        async with desk.turn():
            return await desk.asking(NewPullRequest(title="Add a flag"))

    assert OFFER.url in asyncio.run(story())


def test_what_the_server_refuses_the_agent_hears(tool: Checkout):
    desk = Desk([tool], Server(FileFailed("a pull request needs a title")))

    async def story() -> None:
        async with desk.turn():
            await desk.asking(NewPullRequest())

    with pytest.raises(NotHandedIn, match="a pull request needs a title"):
        asyncio.run(story())


@pytest.mark.parametrize(
    ("name", "why"), [("other", "is not in this session"), (None, "tool, two")]
)
def test_of_several_repositories_one_is_named(tool: Checkout, name: str | None, why: str):
    two = Checkout("two", tool.url, tool.branch, tool.git)
    desk = Desk([tool, two], opened())

    async def story() -> None:
        async with desk.turn():
            await desk.asking(NewPullRequest(title="x", repository=name))

    with pytest.raises(NotHandedIn, match=why):
        asyncio.run(story())


def test_between_turns_nobody_has_asked_for_one(tool: Checkout):
    desk = Desk([tool], opened())

    with pytest.raises(NotHandedIn, match="no turn is running"):
        asyncio.run(desk.asking(NewPullRequest(title="x")))


def test_the_end_of_the_turn_ends_what_it_began(tool: Checkout):
    desk = Desk([tool], Server(None))

    async def story() -> None:
        async with desk.turn():
            call = asyncio.create_task(desk.asking(NewPullRequest(title="x")))
            while not cast("Server", desk.asking._files).asked:  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.01)
        with pytest.raises(NotHandedIn, match="the turn was over"):
            await call

    asyncio.run(story())
