"""The ways a sandbox boots, as a server sees them: what runs, in which order, and from what."""

import os
from pathlib import Path

import pytest

from tests.fakes.bridge_server import BridgeServer
from tests.sandbox_bridge.boots import HELD, HOOKS, by_hand, ran, told, warnings
from tests.sandbox_bridge.repositories import BRANCH, Remote, git, put, spec
from tests.sandbox_bridge.sandbox import Sandbox, bridge_of, identity, killed, live
from tests.sandbox_bridge.slow_remote import SlowRemote


@pytest.fixture
def remote(tmp_path: Path) -> Remote:
    return Remote(tmp_path / "remote", {"a.txt": "one\n", **HOOKS})


def test_several_repositories_are_synced_as_one_then_set_up_then_started_in_order(
    tmp_path: Path, root: Path
):
    api, web = (Remote(tmp_path / name, HOOKS) for name in ("api", "web"))

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        both = (spec(api.url, name="api"), spec(web.url, name="web"))
        await sandbox.bridge(identity(server.url, *both, boot="fresh"))

        ready = await server.until_event("ready")

        assert ready["complete"]
        begun = server.of_type("boot_progress", status="started")
        assert [(each["phase"], each["repository"]) for each in begun] == [
            ("starting", None),
            ("sync", None),
            ("setup", "api"),
            ("setup", "web"),
            ("start", "api"),
            ("start", "web"),
            ("skills", None),
            ("harness", None),
        ]
        assert ran(sandbox) == ["setup fresh"] * 2 + ["start fresh"] * 2

    live(root, story)


@pytest.mark.parametrize("boot", ["resume", "restore"])
def test_a_kept_workspace_is_read_while_its_branch_is_fetched_and_written_after_that(
    root: Path, remote: Remote, boot: str
):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        first = await sandbox.bridge(identity(server.url, spec(remote.url)))
        await server.until_finished(await server.submit("write b.txt two\nfail half done"))
        await killed(first)
        theirs = remote.commit({"c.txt": "theirs"}, branch=BRANCH)
        slow, before = SlowRemote(sandbox.root.parent / "slow"), len(told(server))

        more = {"attempt": 2, "boot": boot, "resumed": True, "environment": slow.environment}
        await sandbox.bridge(identity(server.url, spec(remote.url), **more))
        prompt = await server.submit("read b.txt\nwrite c.txt three\nsay written")
        await server.until_event("text", text="two\n ")

        assert not (sandbox.paths.workspace / "tool/c.txt").exists()
        assert server.of_type("ready")[-1]["complete"] is False
        slow.answer()
        await server.until_finished(prompt)
        assert told(server)[before:] == [
            "starting started",
            "starting completed",
            "sync started",
            *("start started", "start completed", "skills started", "skills completed"),
            *("harness started", "harness completed", "ready"),
            *("sync completed", "boot_completed"),
        ]
        assert ran(sandbox) == ["setup fresh", "start fresh", "start snapshot_restore"]
        assert git(sandbox.paths.workspace / "tool", "rev-parse", f"origin/{BRANCH}") == theirs

    live(root, story)


def test_an_image_is_read_while_it_is_brought_up_to_date_and_its_services_start(
    root: Path, remote: Remote
):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        by_hand(sandbox, remote)
        new = remote.commit({"a.txt": "new\n", ".openinspect/start.sh": HELD})
        slow = SlowRemote(sandbox.root.parent / "slow")

        more = {"boot": "image", "environment": slow.environment}
        await sandbox.bridge(identity(server.url, spec(remote.url), **more))
        prompt = await server.submit("read a.txt\nwrite c.txt three\nread a.txt")
        await server.until_event("text", text="one\n ")
        assert server.of_type("ready")[-1]["complete"] is False
        slow.answer()
        await server.until_event("boot_progress", phase="start", status="started")
        assert not (sandbox.paths.workspace / "tool/c.txt").exists()
        (sandbox.paths.home / "go").touch()
        end = await server.until_finished(prompt)

        assert server.of_type("text")[-1]["text"] == "new\n "
        assert remote.git("rev-parse", f"{BRANCH}^") == new
        assert end["commit"] == remote.tip()
        assert server.boots == 1
        assert "setup started" not in told(server)

    live(root, story)


def test_a_boot_that_has_nothing_left_to_do_is_ready_and_complete(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        by_hand(sandbox, remote)
        after = sandbox.root / "start-now"
        more = {"boot": "resume", "environment": {"AGENT_STARTS_AFTER": str(after)}}
        await sandbox.bridge(identity(server.url, spec(remote.url), **more))
        await server.until_event("boot_progress", phase="sync", status="completed")

        after.touch()

        assert (await server.until_event("ready"))["complete"]
        assert server.of_type("boot_completed") == []
        assert ran(sandbox) == ["start snapshot_restore"]

    live(root, story)


def test_an_image_with_work_of_somebodys_keeps_it_and_says_so(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        image = by_hand(sandbox, remote)
        put(image, {"a.txt": "mine\n"})
        remote.commit({"a.txt": "theirs\n"})
        await sandbox.bridge(identity(server.url, spec(remote.url), boot="image"))

        await server.until(lambda: server.boots)

        (warning,) = warnings(server, "sync")
        assert warning.startswith("tool: not brought up to date: error: Your local changes")
        assert (image / "a.txt").read_text() == "mine\n"
        assert git(image, "branch", "--show-current") == BRANCH

    live(root, story)


def test_an_image_without_the_remote_is_used_as_it_is(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        by_hand(sandbox, remote)
        remote.path.rename(remote.path.with_name("moved.git"))
        await sandbox.bridge(identity(server.url, spec(remote.url), boot="image"))

        await server.until(lambda: server.boots)

        (warning,) = warnings(server, "sync")
        assert "not brought up to date: fatal:" in warning

    live(root, story)


def test_a_bridge_that_starts_over_on_an_image_leaves_the_agents_work_alone(
    root: Path, remote: Remote
):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        by_hand(sandbox, remote)
        await sandbox.supervisor(identity(server.url, spec(remote.url), boot="image"))
        await server.until_finished(await server.submit("write b.txt two"))
        await server.until_finished(await server.submit("write c.txt three\nfail"))

        os.kill(bridge_of(sandbox), 9)

        await server.until(lambda: server.boots == 2)
        end = await server.until_finished(await server.submit("say done"))
        assert end["status"] == "completed"
        assert {"b.txt", "c.txt"} <= remote.files()
        assert warnings(server, "sync") == []

    live(root, story)


def test_a_bridge_that_starts_over_says_first_that_there_may_be_work(root: Path, remote: Remote):
    """The word of the one before may have died with it, and this boot may fail."""
    remote.commit({".openinspect/start.sh": "! test -e $HOME/once && touch $HOME/once\n"})

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        by_hand(sandbox, remote)
        await sandbox.supervisor(identity(server.url, spec(remote.url), boot="image"))
        await server.until_finished(await server.submit("write b.txt two\nfail"))
        before = len(told(server))

        os.kill(bridge_of(sandbox), 9)

        await server.until_event("fatal")
        after = told(server)[before:]
        assert (after[0], after[-1]) == ("boot_completed", "fatal")

    live(root, story)


@pytest.mark.parametrize("boot", ["resume", "image"])
def test_a_repository_that_is_missing_is_cloned_before_anything_runs_in_it(
    root: Path, remote: Remote, boot: str
):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(remote.url), boot=boot))

        ready = await server.until_event("ready")

        assert ready["complete"]
        mode = {"resume": "snapshot_restore", "image": "repo_image"}[boot]
        assert ran(sandbox) == [f"setup {mode}", f"start {mode}"]
        assert warnings(server, "sync") == ["tool was not in the workspace and was cloned again"]

    live(root, story)


def test_a_kept_directory_that_is_no_repository_any_more_is_kept(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        first = await sandbox.bridge(identity(server.url, spec(remote.url)))
        await server.until_finished(await server.submit("write b.txt two\nrun rm -rf .git"))
        await killed(first)

        await sandbox.bridge(identity(server.url, spec(remote.url), attempt=2, boot="resume"))

        await server.until(lambda: server.boots == 2)
        assert warnings(server, "sync") == [
            "tool is no git repository any more: its files are kept"
        ]
        assert (sandbox.paths.workspace / "tool/b.txt").exists()

    live(root, story)


def test_scripts_find_the_tunnels_and_no_commit_has_them(root: Path, remote: Remote):
    tells = "cat ../.tunnels.env >> $HOME/ran\n"
    remote.commit({f".openinspect/{each}.sh": tells for each in ("setup", "start")})

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        tunnels = {"3000": "https://3000-sb.example.com"}
        more = {"sandbox_id": "sb", "tunnel_ports": [3000], "tunnels": tunnels}
        await sandbox.bridge(identity(server.url, spec(remote.url), **more))

        await server.until_finished(await server.submit("write b.txt two"))

        lines = ["TUNNEL_SANDBOX_ID=sb", "TUNNEL_3000=https://3000-sb.example.com"]
        assert ran(sandbox) == lines * 2
        assert (sandbox.paths.workspace / ".tunnels.env").read_text().splitlines() == lines
        assert not any("tunnels" in name for name in remote.files())

    live(root, story)
