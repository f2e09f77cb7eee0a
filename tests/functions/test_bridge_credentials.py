"""A whole bridge against the real functions, and a host that lets in what these hand out."""

from collections.abc import Generator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from shared.app import tokens
from shared.app.ports.forges import Access
from shared.domain.session.commands import Launching, Retire
from shared.domain.session.state import Repository, SessionId
from shared.protocol.bridge import Identity
from tests import build
from tests.fakes.bridge_server import BridgeServer
from tests.fakes.forges import FakeForge, FakeForges
from tests.sandbox_bridge.eventually import eventually
from tests.sandbox_bridge.guarded_host import GuardedHost
from tests.sandbox_bridge.repositories import BRANCH, Remote, git
from tests.sandbox_bridge.sandbox import Sandbox, identity, live
from tests.shared.client.real_server import RealServer
from tests.world import World

SESSION = SessionId("s1")
PUSH = "run git commit -qam Mine && git push -q origin HEAD:refs/heads/mine 2>../said"


@dataclass
class Stage:
    """`forge` hands out what `host` lets in."""

    server: RealServer
    forge: FakeForge
    host: GuardedHost
    remote: Remote
    root: Path

    @property
    def url(self) -> str:
        return self.host.url_of("tool")

    def identity(self, server: BridgeServer) -> Identity:
        """Of a living attempt."""
        world = self.server.world
        target = (Repository(url=self.url, name="tool"),)
        self.server.app.store.create(build.session(id=SESSION, target=target), "r1")
        world.submit(SESSION)
        token = tokens.new_sandbox_token(SESSION, 1)
        self.server.app.sessions.handle(SESSION, Launching(1, tokens.digest(token), "key"))
        spec = {"url": self.url, "name": "tool"}
        server.token = token
        given = identity(server.url, token=token, api_url=self.server.http)
        return Identity.model_validate({**given.model_dump(), "repositories": [spec]})

    def accesses(self) -> list[Access]:
        return [made.access for made in self.forge.given]

    def files_with(self, text: str) -> list[Path]:
        kept = [self.root / name for name in ("workspace", "home", "var")]
        found = [path for place in kept for path in place.rglob("*") if path.is_file()]
        return [path for path in found if text.encode() in path.read_bytes()]


@pytest.fixture
def stage(tmp_path: Path) -> Generator[Stage]:
    now = datetime.now(UTC)
    with GuardedHost(tmp_path / "host", lambda: now).serving() as host:
        remote = host.remote("tool", {"a.txt": "one"})
        forge = FakeForge(host.url, now=now)
        forge.has("tool/remote")
        host.passwords = {
            f"ghs_{number}": ("tool", now + timedelta(hours=1)) for number in range(9)
        }
        with RealServer(World(forges=FakeForges([forge]))).running() as server:
            yield Stage(server, forge, host, remote, tmp_path / "root")


def test_a_prompt_is_cloned_for_and_pushed_with_what_the_server_hands_out(stage: Stage):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(stage.identity(server))

        end = await server.until_finished(await server.submit(f"write a.txt two\n{PUSH}"))

        assert (end["status"], end["commit"]) == ("completed", stage.remote.tip())
        assert stage.remote.tip("mine") == stage.remote.tip()
        assert stage.remote.content("a.txt", BRANCH) == "two"

    live(stage.root, story)

    assert stage.accesses() == [Access.READ, Access.WRITE]
    assert stage.host.seen == ["ghs_0", "ghs_1"]
    assert git(stage.root / "workspace/tool", "remote", "get-url", "origin") == stage.url
    assert stage.files_with("ghs_") == []


def test_a_push_after_61_minutes_has_what_is_good_then(stage: Stage):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(stage.identity(server))
        await server.until_finished(await server.submit("write a.txt two"))
        stage.forge.now += timedelta(minutes=61)
        del stage.host.passwords["ghs_0"], stage.host.passwords["ghs_1"]

        end = await server.until_finished(await server.submit("clock 3660\nwrite a.txt three"))

        assert (end["status"], end["commit"]) == ("completed", stage.remote.tip())
        assert stage.remote.content("a.txt", BRANCH) == "three"

    live(stage.root, story)

    assert stage.accesses()[:3] == [Access.READ, Access.WRITE, Access.WRITE]


def test_a_dead_attempt_gets_nothing_more(stage: Stage):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(stage.identity(server))
        await server.until_event("ready")
        stage.server.app.sessions.handle(SESSION, Retire(1, None))

        await server.until_finished(await server.submit(f"write a.txt two\n{PUSH}"))

        said = stage.root / "workspace/said"
        await eventually(said.exists)
        assert "this needs the token of an attempt that is not over" in said.read_text()

    live(stage.root, story)

    assert stage.accesses() == [Access.READ]
    assert (stage.remote.tip(), stage.remote.tip("mine")) == (None, None)


def test_a_dead_attempt_fails_to_clone_with_a_sentence(stage: Stage):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        who = stage.identity(server)
        stage.server.app.sessions.handle(SESSION, Retire(1, None))
        await sandbox.bridge(who)

        fatal = await server.until_event("fatal")

        assert fatal["error"].startswith("tool: outboard: 127.0.0.1:")
        assert fatal["error"].endswith("this needs the token of an attempt that is not over")

    live(stage.root, story)

    assert stage.host.seen == []
