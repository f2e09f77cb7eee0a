import asyncio
from datetime import timedelta
from hashlib import sha256

import pytest

from sandbox_bridge.credentials.asking import NoCredential
from sandbox_bridge.credentials.broker import MARGIN, Broker
from shared.protocol.credentials import GitCredential
from tests.sandbox_bridge.credentials.place import HOUR, Clock, FakeServer
from tests.sandbox_bridge.eventually import eventually

URL = "https://git.example.com/acme/tool.git"
OTHER = "https://git.example.com/acme/other.git"


class World:
    def __init__(self) -> None:
        self.clock = Clock()
        self.server = FakeServer(self.clock)
        self.learnt = list[str]()
        self.broker = Broker(self.server, [URL, OTHER], self.clock, self.learnt.append)

    async def password(self, url: str = URL) -> str:
        found = await self.broker.git(url, "write")
        assert found
        return found.password


def test_it_is_asked_for_once_until_shortly_before_it_expires():
    async def story() -> None:
        world = World()
        first = await world.password()
        world.clock.pass_time(HOUR - MARGIN - timedelta(seconds=1))
        assert await world.password() == first
        world.clock.pass_time(timedelta(seconds=1))
        assert await world.password() != first
        assert len(world.server.asked) == 2

    asyncio.run(story())


def test_what_never_expires_is_asked_for_again_all_the_same():
    class Lasting(FakeServer):
        async def git(self, url: str, operation: str, refused: str | None = None) -> GitCredential:
            self.asked.append((url, operation))
            return GitCredential(username="outboard", password=f"for-ever-{len(self.asked)}")

    async def story() -> None:
        world = World()
        server = Lasting(world.clock)
        broker = Broker(server, [URL], world.clock, world.learnt.append)
        await broker.git(URL, "write")
        await broker.git(URL, "write")
        assert len(server.asked) == 1
        world.clock.pass_time(HOUR)
        await broker.git(URL, "write")
        assert len(server.asked) == 2

    asyncio.run(story())


def test_those_who_ask_at_once_share_one_answer_for_each_repository():
    async def story() -> None:
        world = World()
        world.server.answers = asyncio.Event()
        asking = [asyncio.create_task(world.password(url)) for url in (URL, OTHER) * 5]
        await eventually(lambda: len(world.server.asked) == 2)
        asking[0].cancel()
        world.server.answers.set()
        found = await asyncio.gather(*asking[1:])
        assert len(set(found)) == 2
        assert sorted(world.server.asked) == [(OTHER, "write"), (URL, "write")]

    asyncio.run(story())


def test_a_refusal_is_for_those_who_asked_and_nobody_later():
    async def story() -> None:
        world = World()
        world.server.refusal = "not now"
        refused = await asyncio.gather(
            *[world.password() for _ in range(3)], return_exceptions=True
        )
        assert [str(each) for each in refused] == ["not now"] * 3
        assert len(world.server.asked) == 1
        world.server.refusal = ""
        assert await world.password()

    asyncio.run(story())


def test_what_was_not_taken_is_forgotten_and_nothing_else():
    async def story() -> None:
        world = World()
        first, other = await world.password(), await world.password(OTHER)
        world.broker.forget(first)
        world.broker.forget("never heard of")
        assert await world.password(OTHER) == other
        assert await world.password() != first

    asyncio.run(story())


def test_with_what_was_not_taken_goes_all_of_that_repository_and_the_server_hears_of_it():
    async def story() -> None:
        world = World()
        read, write = await world.broker.git(URL, "read"), await world.broker.git(URL, "write")
        assert read
        assert write
        world.broker.forget(write.password)
        await world.broker.git(URL, "read")
        await world.broker.git(URL, "write")
        told = [sha256(found.password.encode()).hexdigest() for found in (read, write)]
        assert world.server.refused == [None, None, *told]

    asyncio.run(story())


@pytest.mark.parametrize("url", ["https://git.example.com/acme/third.git", "nonsense", "https://"])
def test_what_is_not_the_sessions_is_asked_of_nobody(url: str):
    async def story() -> None:
        world = World()
        with pytest.raises(NoCredential, match="no repository of the session's"):
            await world.password(url)
        assert world.server.asked == []

    asyncio.run(story())


def test_each_secret_is_learnt_before_anybody_has_it():
    async def story() -> None:
        world = World()
        first = await world.password("https://GIT.example.com/acme/tool/")
        token = await world.broker.gh()
        assert token
        assert world.learnt == [first, token.token]
        assert world.server.asked == [(URL, "write"), ("gh", "write")]

    asyncio.run(story())
