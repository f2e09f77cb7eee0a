"""The checkout of a prebuilt image: brought to where work starts, without losing anybody's."""

import asyncio
from pathlib import Path

import pytest

from sandbox_bridge.git import renewal
from sandbox_bridge.git.checkout import BASE, PUSHED, Checkout
from sandbox_bridge.git.command import GitFailed
from sandbox_bridge.git.push import Push, push
from shared.protocol.bridge import RepositorySpec
from tests.sandbox_bridge.repositories import BRANCH, Remote, checkout, git, put, spec


@pytest.fixture
def image(tmp_path: Path, remote: Remote) -> Checkout:
    """A plain clone, as by hand: nothing of ours is in it."""
    made = checkout(tmp_path / "workspace", remote.url)
    git(tmp_path / "workspace", "clone", "--quiet", remote.url, "tool")
    return made


def renewed(image: Checkout, of: RepositorySpec) -> None:
    async def both() -> None:
        await renewal.begin(image, await renewal.fetch(image, of))

    asyncio.run(both())


def test_work_starts_at_what_the_remote_has_now(image: Checkout, remote: Remote):
    new = remote.commit({"b.txt": "two"})

    renewed(image, spec(remote.url))

    place = image.git.directory
    assert git(place, "branch", "--show-current") == BRANCH
    assert [git(place, "rev-parse", name) for name in ("HEAD", BASE)] == [new, new]
    assert (place / "b.txt").exists()
    assert asyncio.run(push(image)) == Push()


def test_work_starts_at_the_branch_that_was_asked_for(image: Checkout, remote: Remote):
    start = remote.commit({"b.txt": "two"}, branch="next")

    renewed(image, spec(remote.url, branch="next"))

    assert git(image.git.directory, "rev-parse", "HEAD") == start


def test_work_goes_on_where_the_remote_has_the_session_branch(image: Checkout, remote: Remote):
    pushed = remote.commit({"b.txt": "two"}, branch=BRANCH)

    renewed(image, spec(remote.url))

    assert git(image.git.directory, "rev-parse", "HEAD") == pushed
    assert git(image.git.directory, "rev-parse", PUSHED) == pushed


def test_what_another_session_had_pushed_is_forgotten(image: Checkout, remote: Remote):
    git(image.git.directory, "update-ref", PUSHED, "HEAD")

    renewed(image, spec(remote.url))

    assert asyncio.run(image.commit_at(PUSHED)) is None


def test_what_setup_left_is_kept(image: Checkout, remote: Remote):
    put(image.git.directory, {"built/x": "built", "a.log": "ignored", "a.txt": "changed"})
    remote.commit({"b.txt": "two"})

    renewed(image, spec(remote.url))

    place = image.git.directory
    assert (place / "built/x").read_text() == "built"
    assert (place / "a.txt").read_text() == "changed"
    assert (place / "b.txt").exists()


@pytest.mark.parametrize("name", ["a.txt", "new.txt", "new.log"])
def test_a_file_that_would_be_overwritten_is_not(image: Checkout, remote: Remote, name: str):
    before = git(image.git.directory, "rev-parse", "HEAD")
    put(image.git.directory, {name: "mine"})
    git(image.git.directory, "config", "core.excludesFile", "/dev/null")
    remote.commit({"a.txt": "theirs", "new.txt": "theirs", ".gitignore": ""})
    remote.commit({"new.log": "theirs"})

    with pytest.raises(GitFailed):
        renewed(image, spec(remote.url))

    assert (image.git.directory / name).read_text() == "mine"
    assert git(image.git.directory, "rev-parse", "HEAD") == before


@pytest.mark.parametrize("branch", ["main", BRANCH, "--detach"])
def test_commits_that_no_remote_has_stay_where_they_are(
    image: Checkout, remote: Remote, branch: str
):
    place = image.git.directory
    git(
        place,
        "checkout",
        "--quiet",
        *((branch,) if branch in {"main", "--detach"} else ("-b", branch)),
    )
    put(place, {"mine.txt": "mine"})
    git(place, "add", "--all")
    git(place, "commit", "--quiet", "--message", "Mine")
    mine = git(place, "rev-parse", "HEAD")
    remote.commit({"b.txt": "two"})

    with pytest.raises(GitFailed, match=f"{mine[:10]} is on no remote"):
        renewed(image, spec(remote.url))

    assert git(place, "rev-parse", "HEAD") == mine
    assert asyncio.run(push(image)).commit == mine


def test_a_remote_that_rewrote_its_history_does_not_make_the_old_one_ours(
    image: Checkout, remote: Remote
):
    remote.git("update-ref", "refs/heads/main", remote.git("commit-tree", "main^{tree}", "-m", "x"))

    renewed(image, spec(remote.url))

    assert git(image.git.directory, "rev-parse", "HEAD") == remote.tip("main")


def test_without_the_remote_work_starts_where_the_image_is(image: Checkout, remote: Remote):
    remote.path.rename(remote.path.with_name("moved.git"))

    with pytest.raises(GitFailed):
        renewed(image, spec(remote.url))
    asyncio.run(renewal.make_do(image))

    assert git(image.git.directory, "branch", "--show-current") == BRANCH
    assert asyncio.run(push(image)) == Push()


def test_an_unknown_branch_is_refused_with_gits_reason(image: Checkout, remote: Remote):
    with pytest.raises(GitFailed, match="couldn't find remote ref refs/heads/nowhere"):
        renewed(image, spec(remote.url, branch="nowhere"))
