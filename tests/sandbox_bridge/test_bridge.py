"""The bridge as a process, against a server that checks the wire, with real repositories."""

import asyncio
import signal
from http import HTTPStatus
from pathlib import Path

import pytest

from shared.protocol.attachments import Attached
from tests.fakes.bridge_server import BridgeServer
from tests.sandbox_bridge.eventually import eventually
from tests.sandbox_bridge.repositories import BRANCH, Remote, git, spec
from tests.sandbox_bridge.sandbox import Sandbox, identity, killed, live, shown_by


def test_a_prompt_ends_with_its_commit_on_the_session_branch(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(remote.url)))
        prompt = await server.submit("say hello there\nwrite b.txt two\nrun echo three > c.txt")

        end = await server.until_finished(prompt)

        tip = remote.tip()
        assert end == {
            "type": "execution_complete",
            "prompt": 1,
            "status": "completed",
            "error": None,
            "cost": 0.25,
            "tokens": {"input": 0, "output": 0, "cached": 0},
            "branch": BRANCH,
            "commit": tip,
            "marked": True,
        }
        assert remote.files() == {".gitignore", "a.txt", "b.txt", "c.txt"}
        assert remote.log("%an <%ae> %s")[0] == "Ada Example <ada@example.com> say hello there"
        assert server.of_type("committed")[0]["files"] == 2
        assert server.of_type("pushed")[0]["commit"] == tip
        order = [event["type"] for event in server.events]
        assert order[-3:] == ["committed", "pushed", "execution_complete"]
        assert order.index("prompt_started") < order.index("text")

    live(root, story)


def test_the_boot_reports_its_phases_and_then_that_it_is_ready(root: Path, remote: Remote):
    remote.commit({".openinspect/setup.sh": "echo set up\n", ".openinspect/start.sh": "true\n"})

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(remote.url)))

        ready = await server.until_event("ready")

        assert (ready["harness"], ready["isolation"]) == ("fake", "plain")
        phases = [(each["phase"], each["status"]) for each in server.of_type("boot_progress")]
        names = ("starting", "sync", "setup", "start", "skills", "harness")
        expected = [(name, status) for name in names for status in ("started", "completed")]
        assert phases == expected
        setup = server.of_type("boot_progress", phase="setup")
        assert {each["repository"] for each in setup} == {"tool"}

    live(root, story)


ATTACHED = Attached(id="f1", name="page.png", type="image/png", size=5, width=1, height=1)


def test_the_agent_gets_the_images_that_the_bridge_fetches(root: Path, remote: Remote):
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.readuntil(b"\r\n\r\n")
        asked.append(request.decode())
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nimage")
        await writer.drain()
        writer.close()

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        files = await asyncio.start_server(answer, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{files.sockets[0].getsockname()[1]}"
        server.attachments = [ATTACHED]
        await sandbox.bridge(identity(server.url, spec(remote.url), api_url=url))

        end = await server.until_finished(await server.submit("look"))

        files.close()
        assert (end["status"], end["error"]) == ("completed", None)
        assert server.of_type("text")[-1]["text"].strip() == "page.png:image/png:5"

    asked: list[str] = []
    live(root, story)
    (request,) = (each for each in asked if "/attachments/" in each.partition("\r\n")[0])
    assert request.startswith("GET /sandbox/attachments/f1/parts/0 ")
    assert "authorization: bearer token-of-this-attempt" in request.lower()


def test_an_image_that_cannot_be_fetched_fails_the_prompt_and_the_next_one_runs(
    root: Path, remote: Remote
):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        server.attachments = [ATTACHED]
        await sandbox.bridge(identity(server.url, spec(remote.url)))

        failed = await server.until_finished(await server.submit("look"))
        server.attachments = []
        done = await server.until_finished(await server.submit("look"))

        assert (failed["status"], failed["error"]) == (
            "failed",
            "the server did not say where its files are",
        )
        assert done["status"] == "completed"

    live(root, story)


def test_nothing_changed_is_a_completed_run_without_a_branch(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(remote.url)))
        first, second = await server.submit("write b.txt two"), await server.submit("say no")

        await server.until_finished(first)
        end = await server.until_finished(second)

        assert (end["status"], end["branch"], end["commit"]) == ("completed", None, None)
        assert len(remote.log("%H")) == 2

    live(root, story)


def test_a_failed_turn_commits_nothing_and_the_next_one_takes_its_files(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(remote.url)))
        failed = await server.submit("write b.txt two\nfail no credit left")
        raised = await server.submit("write c.txt three\nbreak")
        good = await server.submit("write d.txt four")

        assert (await server.until_finished(failed))["error"] == "no credit left"
        broken = await server.until_finished(raised)
        assert broken["error"] == "the agent failed: RuntimeError: broken"
        assert remote.tip() is None
        assert (await server.until_finished(good))["status"] == "completed"
        assert remote.files() == {".gitignore", "a.txt", "b.txt", "c.txt", "d.txt"}

    live(root, story)


def test_what_only_the_bridge_may_say_is_not_let_through(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(remote.url)))

        await server.until_finished(await server.submit("overstep\nsay hello"))

        assert len(server.of_type("execution_complete")) == 1

    live(root, story)


def test_a_stop_ends_the_command_and_the_next_prompt_works(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(remote.url)))
        prompt = await server.submit("write b.txt two\nrun sleep 600")
        await server.until_event("tool", status="running")

        await server.stop_prompt()
        end = await server.until_finished(prompt)

        assert (end["status"], end["error"], end["branch"]) == ("stopped", None, None)
        assert remote.tip() is None
        again = await server.until_finished(await server.submit("write c.txt three"))
        assert again["status"] == "completed"

    live(root, story)


def test_an_agent_that_ignores_a_stop_is_restarted_after_the_answer(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        after = sandbox.root / "start-now"
        environment = {"AGENT_STARTS_AFTER": str(after)}
        sandbox.root.mkdir()
        after.touch()
        await sandbox.bridge(identity(server.url, spec(remote.url), environment=environment))
        prompt = await server.submit("ignore")
        await server.until_event("prompt_started")
        after.unlink()

        await server.stop_prompt()
        end = await server.until_finished(prompt, within=15)

        assert end["status"] == "stopped"
        following = await server.submit("write c.txt three")
        beats = server.heartbeats
        await server.until(lambda: server.heartbeats > beats + 1)
        assert server.of_type("prompt_started", prompt=following) == []
        after.touch()
        assert (await server.until_finished(following))["status"] == "completed"

    live(root, story)


def test_a_stop_ends_a_push_that_gets_no_answer(root: Path, remote: Remote):
    remote.refuse("never")
    hook = remote.path / "hooks/pre-receive"
    hook.write_text("#!/bin/sh\nexec sleep 600\n")

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(remote.url)))
        prompt = await server.submit("write b.txt two")
        place = sandbox.paths.workspace / "tool"
        await eventually(lambda: place.exists() and b"\0push\0" in _commands(sandbox))

        await server.stop_prompt()
        end = await server.until_finished(prompt, within=15)

        assert (end["status"], end["branch"]) == ("stopped", None)
        assert server.of_type("committed") != []
        remote.accept()
        again = await server.until_finished(await server.submit("say hello"))
        assert (again["status"], again["commit"]) == ("completed", remote.tip())

    live(root, story)


def _commands(sandbox: Sandbox) -> bytes:
    return b"".join(shown_by(pid) for pid in sandbox.everything())


def test_a_stop_for_a_prompt_that_never_ran_is_answered(root: Path, remote: Remote):
    remote.commit({".openinspect/start.sh": "while [ ! -e go ]; do sleep 0.05; done\n"})

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        server._ready = True  # a server that dispatches while the bridge still boots
        await sandbox.bridge(identity(server.url, spec(remote.url)))
        await server.until_event("boot_progress", phase="start")
        prompt = await server.submit("write b.txt two")
        await server.stop_prompt()

        end = await server.until_finished(prompt)

        assert end["status"] == "stopped"
        assert server.of_type("prompt_started") == []
        (sandbox.paths.workspace / "tool/go").touch()
        await server.until_finished(await server.submit("say hello"))

    live(root, story)


def test_a_long_prompt_of_many_alphabets_arrives_whole(root: Path, remote: Remote):
    words = "write long.txt " + "aé漢🙂" * 15_990
    assert 63_900 < len(words) <= 64_000

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(remote.url)))

        await server.until_finished(await server.submit(words))

        assert remote.content("long.txt") == words.removeprefix("write long.txt ")

    live(root, story)


def test_a_push_that_is_refused_fails_the_run_with_its_reason(root: Path, remote: Remote):
    remote.refuse("no pushes on Fridays")

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(remote.url)))

        end = await server.until_finished(await server.submit("write b.txt two"))

        assert end["status"] == "failed"
        assert "no pushes on Fridays" in end["error"]
        assert (end["branch"], end["commit"]) == (None, None)
        remote.accept()
        again = await server.until_finished(await server.submit("say hello"))
        assert (again["status"], again["commit"]) == ("completed", remote.tip())

    live(root, story)


def test_the_agents_own_commits_are_pushed_as_they_are(root: Path, remote: Remote):
    script = "echo two > a.txt; git commit -qam Mine; git switch -qc aside; echo x > b.txt"

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(remote.url)))

        end = await server.until_finished(await server.submit(f"run {script}"))

        assert end["commit"] == remote.tip()
        ours, theirs = remote.log("%s|%an")[:2]
        assert ours.startswith("run echo two")
        assert theirs == "Mine|Ada Example"

    live(root, story)


def test_several_repositories_are_published_one_by_one(tmp_path: Path, root: Path):
    api = Remote(tmp_path / "api", {"a.txt": "api"})
    web = Remote(tmp_path / "web", {"a.txt": "web"})

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        both = (spec(api.url, name="api"), spec(web.url, name="web"))
        await sandbox.bridge(identity(server.url, *both))

        end = await server.until_finished(
            await server.submit("write api/b.txt one\nwrite web/c.txt two")
        )

        assert [each["repository"] for each in server.of_type("pushed")] == ["api", "web"]
        assert end["commit"] == api.tip()
        assert (api.files(), web.files()) == ({"a.txt", "b.txt"}, {"a.txt", "c.txt"})

    live(root, story)


def test_a_repository_that_is_unknown_ends_the_boot(root: Path, tmp_path: Path):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        url = f"file://{tmp_path}/nowhere.git"
        bridge = await sandbox.bridge(identity(server.url, spec(url)))

        fatal = await server.until_event("fatal")

        failed = server.of_type("boot_progress", status="failed")
        assert [(each["phase"], each["repository"]) for each in failed] == [("sync", "tool")]
        assert "does not appear to be a git repository" in failed[0]["error"]
        assert fatal["error"] == failed[0]["error"]
        beats = server.heartbeats
        await server.until(lambda: server.heartbeats > beats)  # it waits to be retired
        await server.retire()
        assert await bridge.wait() == 0

    live(root, story)


def test_a_setup_that_fails_is_a_warning(root: Path, remote: Remote):
    remote.commit({".openinspect/setup.sh": "echo $MY_TOKEN for you; exit 7\n"})

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        environment = {"MY_TOKEN": "abcdefghijk"}
        await sandbox.bridge(identity(server.url, spec(remote.url), environment=environment))

        await server.until_event("ready")

        (setup,) = server.of_type("boot_progress", phase="setup", status="completed")
        assert setup["warning"] == ".openinspect/setup.sh ended with status 7"
        assert setup["outputTail"] == "[redacted] for you"

    live(root, story)


def test_a_start_that_fails_ends_the_boot_in_the_first_repository_only(tmp_path: Path, root: Path):
    good = Remote(tmp_path / "good", {".openinspect/start.sh": "true\n"})
    bad = Remote(tmp_path / "bad", {".openinspect/start.sh": "echo broken\nexit 2\n"})

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        order = (spec(good.url, name="good"), spec(bad.url, name="bad"))
        await sandbox.bridge(identity(server.url, *order))
        await server.until_event("ready")
        (warned,) = server.of_type("boot_progress", repository="bad", status="completed")
        assert warned["warning"] == ".openinspect/start.sh ended with status 2"

        await sandbox.bridge(identity(server.url, *order[::-1], attempt=2))

        await server.until_event("fatal")
        (failed,) = server.of_type("boot_progress", status="failed")
        assert (failed["phase"], failed["repository"]) == ("start", "bad")
        assert failed["outputTail"] == "broken"

    live(root, story)


def test_a_resumed_workspace_keeps_its_files_and_runs_no_setup(root: Path, remote: Remote):
    remote.commit({".openinspect/setup.sh": "touch $HOME/set-up-$RANDOM\n"})

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        first = await sandbox.bridge(identity(server.url, spec(remote.url)))
        await server.until_finished(await server.submit("write b.txt two\nfail half done"))
        await killed(first)
        theirs = remote.commit({"c.txt": "theirs"}, branch=BRANCH)

        await sandbox.bridge(identity(server.url, spec(remote.url), attempt=2, resumed=True))

        await server.until(lambda: server.boots == 2)
        assert len(list(sandbox.paths.home.glob("set-up-*"))) == 1
        place = sandbox.paths.workspace / "tool"
        assert (place / "b.txt").read_text() == "two\n"
        assert git(place, "rev-parse", f"origin/{BRANCH}") == theirs

    live(root, story)


def test_a_resume_without_the_remote_is_a_warning(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        first = await sandbox.bridge(identity(server.url, spec(remote.url)))
        await server.until_event("ready")
        await killed(first)
        remote.path.rename(remote.path.with_name("moved.git"))

        await sandbox.bridge(identity(server.url, spec(remote.url), attempt=2, resumed=True))

        await server.until(lambda: server.boots == 2)
        sync = server.of_type("boot_progress", phase="sync", status="completed")[-1]
        assert sync["warning"].startswith("tool: not fetched: fatal:")

    live(root, story)


def test_an_empty_repository_gets_its_first_commit(tmp_path: Path, root: Path):
    empty = Remote(tmp_path / "empty", {})

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(empty.url)))

        await server.until_finished(await server.submit("write first.txt hello"))

        assert empty.files() == {"first.txt"}

    live(root, story)


@pytest.mark.parametrize("status", [401, 403, 410])
def test_a_dead_token_ends_the_bridge_at_the_handshake(root: Path, status: int):
    server = BridgeServer(status=HTTPStatus(status))

    async def story(there: BridgeServer, sandbox: Sandbox) -> None:
        bridge = await sandbox.bridge(identity(there.url))

        assert await bridge.wait() == 0

    live(root, story, server)


def test_a_terminated_bridge_ends(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        bridge = await sandbox.bridge(identity(server.url, spec(remote.url)))
        await server.until_event("ready")

        bridge.send_signal(signal.SIGTERM)

        async with asyncio.timeout(10):
            assert await bridge.wait() == 0

    live(root, story)


def test_a_git_command_that_was_cut_off_does_not_lock_the_next_turn_out(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(remote.url)))
        await server.submit("run touch .git/index.lock\nwait")
        await server.until_event("tool", status="completed")
        await server.stop_prompt()

        end = await server.until_finished(await server.submit("write b.txt two"))

        assert (end["status"], end["commit"]) == ("completed", remote.tip())

    live(root, story)


@pytest.mark.parametrize("damage", ["rm -rf .git", "rm -rf ../tool"])
def test_a_checkout_that_was_destroyed_fails_the_run_and_touches_nothing_around_it(
    tmp_path: Path, root: Path, remote: Remote, damage: str
):
    git(tmp_path, "init", "--quiet")  # the sandbox lies inside somebody's own repository

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(remote.url)))

        end = await server.until_finished(await server.submit(f"run {damage}"))

        assert end["status"] == "failed"
        assert "not a git repository" in end["error"] or "not in the workspace" in end["error"]
        assert git(tmp_path, "ls-files") == ""

    live(root, story)


def test_a_secret_does_not_leave_with_the_words_the_commit_or_the_end(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        given = identity(
            server.url,
            spec(remote.url),
            environment={"GREETING": "correct horse battery"},
            secret_names=["GREETING"],
        )
        await sandbox.bridge(given)
        done = await server.submit("say so correct horse battery it is\nrun echo $GREETING > c.txt")
        await server.until_finished(done)
        failed = await server.submit(f"say a correct\nfail {'x' * 1_490} correct horse battery")
        end = await server.until_finished(failed)

        assert remote.log("%s")[0] == "say so [redacted] it is"
        assert end["error"] == f"{'x' * 1_490} [redacted"
        deltas = [each["delta"] for each in server.of_type("text_delta")]
        assert not [each for each in deltas if "horse" in each]
        assert "so [redacted] it is" in [each["text"].strip() for each in server.of_type("text")]
        assert "correct horse" not in str(server.events)

    live(root, story)
