"""Real git against a host that wants a password, with nothing but the broker to get one from."""

import asyncio
import os
import stat
from collections.abc import Generator
from datetime import timedelta
from pathlib import Path

import pytest

from sandbox_bridge.credentials.broker import MARGIN
from sandbox_bridge.git import remote
from sandbox_bridge.git.clone import clone
from sandbox_bridge.git.command import GitFailed
from sandbox_bridge.git.push import Push, push
from tests.sandbox_bridge.credentials.place import HOUR, Clock, FakeServer, Place
from tests.sandbox_bridge.guarded_host import GuardedHost
from tests.sandbox_bridge.repositories import BRANCH, git, put, spec

MINUTES = timedelta(minutes=1)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def host(tmp_path: Path, clock: Clock) -> Generator[GuardedHost]:
    with GuardedHost(tmp_path / "host", clock).serving() as serving:
        serving.remote("tool", {"a.txt": "one"})
        serving.remote("other", {"b.txt": "one"})
        yield serving


@pytest.fixture
def place(tmp_path: Path, clock: Clock, host: GuardedHost) -> Place:
    return Place(tmp_path / "sandbox", FakeServer(clock, [host]), (host.url_of("tool"),))


def commit(place: Place, content: str) -> str:
    directory = place.paths.workspace / "tool"
    put(directory, {"a.txt": content})
    git(directory, "commit", "--quiet", "--all", "--message", "Work")
    return git(directory, "rev-parse", "HEAD")


def test_a_clone_a_fetch_and_a_push_leave_a_plain_url_and_nothing_on_the_disk(
    place: Place, host: GuardedHost
):
    url = host.url_of("tool")
    checkout = place.checkout(url)

    async def story() -> None:
        await clone(checkout, spec(url))
        await remote.fetch_branch(checkout, "main")
        head = commit(place, "two")
        assert await push(checkout) == Push(head)
        assert await remote.tip(checkout) == head

    place.tell(story)

    assert place.server.asked == [(url, "read"), (url, "write")]
    assert place.learnt == host.seen == ["a-secret-password-1", "a-secret-password-2"]
    assert git(place.paths.workspace / "tool", "remote", "get-url", "origin") == url
    assert place.files_with("a-secret-password") == []


def test_the_agents_own_git_is_let_in_from_its_shell(place: Place, host: GuardedHost):
    url = host.url_of("tool")
    script = (
        f"git clone --quiet {url} tool && cd tool && echo two >a.txt"
        " && git commit --quiet -am Work && git push --quiet origin HEAD:refs/heads/mine"
        " && git pull --quiet origin mine"
    )

    async def story() -> None:
        ended = await place.shell(script)
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")

    place.tell(story)

    assert place.server.asked == [(url, "read"), (url, "write")]
    assert place.files_with("a-secret-password") == []


def test_a_helper_that_would_store_passwords_is_not_given_any(place: Place, host: GuardedHost):
    script = (
        "git config --global credential.helper store"
        f" && git clone --quiet {host.url_of('tool')} tool"
        " && git -C tool config credential.helper store && git -C tool fetch --quiet"
    )

    async def story() -> None:
        assert (await place.shell(script)).returncode == 0

    place.tell(story)

    assert place.files_with("a-secret-password") == []
    assert not (place.paths.home / ".git-credentials").exists()


def test_a_push_after_more_than_an_hour_has_credentials_of_its_own(place: Place, host: GuardedHost):
    url = host.url_of("tool")
    checkout = place.checkout(url)

    async def story() -> None:
        await clone(checkout, spec(url))
        commit(place, "two")
        await push(checkout)
        place.server.clock.pass_time(61 * MINUTES)
        head = commit(place, "three")
        assert await push(checkout) == Push(head)

    place.tell(story)

    assert [operation for _, operation in place.server.asked] == ["read", "write", "write", "read"]


def test_what_is_about_to_expire_is_good_enough_for_a_hook_of_four_minutes(
    place: Place, host: GuardedHost, tmp_path: Path
):
    """The hook runs between git's first request and the one that carries the commits."""
    url, at_work, done = host.url_of("tool"), tmp_path / "at work", tmp_path / "done"
    os.mkfifo(at_work)
    os.mkfifo(done)

    async def story() -> None:
        assert (await place.shell(f"git clone --quiet {url} tool")).returncode == 0
        put(
            place.paths.workspace / "tool/.git/hooks",
            {"pre-push.sh": f"#!/bin/sh\necho >'{at_work}'\nread _ <'{done}'\n"},
        )
        hook = place.paths.workspace / "tool/.git/hooks/pre-push.sh"
        hook.rename(hook.with_name("pre-push"))
        await place.shell("git -C tool push --quiet --no-verify origin HEAD:refs/heads/first")
        place.server.clock.pass_time(HOUR - MARGIN - MINUTES)
        pushing = asyncio.create_task(place.shell("git -C tool push origin HEAD:refs/heads/mine"))
        await asyncio.to_thread(at_work.read_text)
        place.server.clock.pass_time(4 * MINUTES)
        await asyncio.to_thread(done.write_text, "\n")
        ended = await pushing
        assert ended.returncode == 0, ended.stderr

    place.tell(story)

    assert [operation for _, operation in place.server.asked] == ["read", "write"]


def test_what_the_host_does_not_take_any_more_is_asked_for_anew(place: Place, host: GuardedHost):
    url = host.url_of("tool")
    checkout = place.checkout(url)

    async def story() -> None:
        await clone(checkout, spec(url))
        host.passwords.clear()
        with pytest.raises(GitFailed, match="Authentication failed"):
            await remote.fetch_branch(checkout, "main")
        await remote.fetch_branch(checkout, "main")

    place.tell(story)

    assert host.seen == ["a-secret-password-1", "a-secret-password-2"]


def test_large_files_are_the_repositorys_own(place: Place, host: GuardedHost):
    at = host.url.removeprefix("http://")
    asked = rf"protocol=http\nhost={at}\npath=tool/remote.git/info/lfs\n\n"

    async def story() -> None:
        ended = await place.shell(f"printf '{asked}' | git credential fill")
        assert "password=a-secret-password-1\n" in ended.stdout

    place.tell(story)

    assert place.server.asked == [(host.url_of("tool"), "write")]


def test_another_repository_of_the_same_host_gets_nothing(place: Place, host: GuardedHost):
    async def story() -> None:
        ended = await place.shell(f"git clone {host.url_of('other')}")
        assert ended.returncode != 0
        assert "this is no repository of the session's" in ended.stderr

    place.tell(story)

    assert (place.server.asked, host.seen) == ([], [])


def test_submodules_of_a_foreign_host_get_nothing(
    place: Place, host: GuardedHost, tmp_path: Path, clock: Clock
):
    with GuardedHost(tmp_path / "foreign", clock).serving() as foreign:
        foreign.remote("inner", {"c.txt": "one"})
        script = (
            f"git clone --quiet {host.url_of('tool')} tool && cd tool"
            f" && git submodule add {foreign.url_of('inner')} inner"
        )

        async def story() -> None:
            ended = await place.shell(script)
            assert ended.returncode != 0
            assert "terminal prompts disabled" in ended.stderr

        place.tell(story)

        assert foreign.seen == []
        assert place.server.asked == [(host.url_of("tool"), "read")]


def test_a_refusal_is_the_reason_that_git_gives(place: Place, host: GuardedHost):
    place.server.refusal = "the app is not installed in acme"
    url = host.url_of("tool")

    async def story() -> None:
        with pytest.raises(GitFailed) as failed:
            await clone(place.checkout(url), spec(url))
        said = f"outboard: {url.removeprefix('http://')}: the app is not installed in acme"
        assert str(failed.value) == said

    place.tell(story)


def test_a_host_that_wants_what_there_is_none_of_is_named(place: Place, host: GuardedHost):
    place.server.needed = False
    url = host.url_of("tool")

    async def story() -> None:
        with pytest.raises(GitFailed, match=r"Outboard has no credentials for 127\.0\.0\.1"):
            await clone(place.checkout(url), spec(url))

    place.tell(story)


def test_without_a_bridge_git_says_so(place: Place, host: GuardedHost):
    ended = asyncio.run(place.shell(f"git clone {host.url_of('tool')}"))

    assert ended.returncode != 0
    assert "the sandbox's bridge does not answer" in ended.stderr


def test_a_rejected_push_says_what_the_remote_says(place: Place, host: GuardedHost):
    url = host.url_of("tool")
    hook = host.root / "tool/remote.git/hooks/pre-receive"
    hook.write_text("#!/bin/sh\necho 'no pushes on Fridays' >&2\nexit 1\n")
    hook.chmod(0o755)

    async def story() -> None:
        checkout = place.checkout(url)
        await clone(checkout, spec(url))
        commit(place, "two")
        with pytest.raises(GitFailed, match=f"no pushes on Fridays.*{BRANCH}.*pre-receive hook"):
            await push(checkout)

    place.tell(story)


def test_the_socket_is_for_this_user_alone(place: Place):
    socket = place.paths.runtime / "credentials.sock"

    async def story() -> None:
        assert stat.S_IMODE(socket.stat().st_mode) == 0o600

    place.tell(story)

    assert not socket.exists()


def test_whatever_is_said_at_the_socket_the_next_one_is_answered(place: Place, host: GuardedHost):
    socket = place.paths.runtime / "credentials.sock"

    async def story() -> None:
        for words in (
            b"",
            b"\n",
            b"nonsense\n",
            b'{"ask": "everything"}\n',
            b"x" * 100_000 + b"\n",
        ):
            reader, writer = await asyncio.open_unix_connection(str(socket))
            writer.write(words)
            writer.write_eof()
            said = await reader.read()
            assert said == b"" or b"problem" in said
            writer.close()
        ended = await place.shell(f"git ls-remote {host.url_of('tool')}")
        assert ended.returncode == 0

    place.tell(story)
