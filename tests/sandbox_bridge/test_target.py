"""Several repositories side by side, and none: what boots, where the agent is, what goes out."""

from pathlib import Path

import pytest

from tests.fakes.bridge_server import BridgeServer
from tests.sandbox_bridge.boots import HOOKS, ran, told
from tests.sandbox_bridge.repositories import BRANCH, Remote, spec
from tests.sandbox_bridge.sandbox import Sandbox, identity, killed, live


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Remote, Remote]:
    return Remote(tmp_path / "api", {"a.txt": "1\n"}), Remote(tmp_path / "web", {"w.txt": "1\n"})


def test_one_prompt_changes_two_repositories_and_both_branches_are_pushed(
    root: Path, pair: tuple[Remote, Remote]
):
    api, web = pair

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        both = (spec(api.url, name="api"), spec(web.url, name="web"))
        await sandbox.bridge(identity(server.url, *both))

        end = await server.until_finished(
            await server.submit("write api/b.txt two\nrun echo three > web/c.txt\nrun pwd")
        )

        assert (end["status"], end["branch"], end["commit"]) == ("completed", BRANCH, api.tip())
        pushed = {each["repository"]: each["commit"] for each in server.of_type("pushed")}
        assert pushed == {"api": api.tip(), "web": web.tip()}
        assert (api.files(), web.files()) == ({"a.txt", "b.txt"}, {"w.txt", "c.txt"})
        authors = {remote.log("%an")[0] for remote in pair}
        assert authors == {"Ada Example"}

    live(root, story)


def test_only_what_was_changed_is_pushed(root: Path, pair: tuple[Remote, Remote]):
    api, web = pair

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        both = (spec(api.url, name="api"), spec(web.url, name="web"))
        await sandbox.bridge(identity(server.url, *both))

        end = await server.until_finished(await server.submit("write web/c.txt three"))

        assert (end["branch"], end["commit"]) == (BRANCH, web.tip())
        assert [each["repository"] for each in server.of_type("pushed")] == ["web"]

    live(root, story)


@pytest.mark.parametrize("boot", ["fresh", "image", "restore"])
def test_without_a_repository_the_boot_has_nothing_to_sync_or_to_run(root: Path, boot: str):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, boot=boot))

        await server.until(
            lambda: server.of_type("ready", complete=True) or server.of_type("boot_completed")
        )

        assert "fatal" not in told(server)
        assert "sync completed" in told(server)
        assert all(not each["repository"] for each in server.of_type("boot_progress"))
        assert [
            each["warning"] for each in server.of_type("boot_progress") if each["warning"]
        ] == []

    live(root, story)


def test_without_a_repository_the_agent_works_in_the_workspace_and_nothing_is_pushed(root: Path):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url))

        end = await server.until_finished(await server.submit("write notes.txt one\nsay done"))

        assert (end["status"], end["error"]) == ("completed", None)
        assert (end["branch"], end["commit"]) == (None, None)
        assert (sandbox.paths.workspace / "notes.txt").read_text().strip() == "one"
        assert not {"committed", "pushed", "warning"} & {each["type"] for each in server.events}
        assert not (sandbox.paths.workspace / ".git").exists()

    live(root, story)


def test_without_a_repository_the_files_of_a_turn_are_there_in_the_next_sandbox(root: Path):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        first = await sandbox.bridge(identity(server.url))
        await server.until_finished(await server.submit("write notes.txt one"))
        await killed(first)

        more = {"attempt": 2, "boot": "resume", "resumed": True}
        await sandbox.bridge(identity(server.url, **more))
        end = await server.until_finished(await server.submit("read notes.txt"))

        assert end["status"] == "completed"
        assert "one" in server.of_type("text")[-1]["text"]

    live(root, story)


def test_scripts_run_only_in_the_repositories_that_have_them(tmp_path: Path, root: Path):
    plain, scripted = Remote(tmp_path / "api", {"a": "1"}), Remote(tmp_path / "web", HOOKS)

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        both = (spec(plain.url, name="api"), spec(scripted.url, name="web"))
        await sandbox.bridge(identity(server.url, *both, boot="fresh"))

        await server.until_event("ready")

        assert ran(sandbox) == ["setup fresh", "start fresh"]
        of = {each["repository"] for each in server.of_type("boot_progress", phase="setup")}
        assert of == {"web"}

    live(root, story)
