import asyncio
from pathlib import Path

import pytest

from sandbox_bridge.git.checkout import BASE, PUSHED
from sandbox_bridge.git.clone import clone, unlock
from sandbox_bridge.git.command import GitFailed
from sandbox_bridge.git.remote import fetch
from tests.sandbox_bridge.repositories import BRANCH, Remote, checkout, git, spec


def test_a_clone_is_on_the_session_branch_where_work_starts(tmp_path: Path):
    remote = Remote(tmp_path, {"a.txt": "one"})
    here = checkout(tmp_path / "workspace", remote.url)

    asyncio.run(clone(here, spec(remote.url)))

    place = here.git.directory
    assert git(place, "branch", "--show-current") == BRANCH
    assert git(place, "rev-parse", "HEAD") == remote.tip("main")
    assert git(place, "rev-parse", BASE) == remote.tip("main")
    assert (place / "a.txt").read_text() == "one"


def test_work_starts_at_the_branch_that_was_asked_for(tmp_path: Path):
    remote = Remote(tmp_path, {"a.txt": "one"})
    start = remote.commit({"b.txt": "two"}, branch="next")
    here = checkout(tmp_path / "workspace", remote.url)

    asyncio.run(clone(here, spec(remote.url, branch="next")))

    assert git(here.git.directory, "rev-parse", "HEAD") == start


def test_work_goes_on_where_the_remote_has_the_session_branch(tmp_path: Path):
    remote = Remote(tmp_path, {"a.txt": "one"})
    pushed = remote.commit({"b.txt": "two"}, branch=BRANCH)
    here = checkout(tmp_path / "workspace", remote.url)

    asyncio.run(clone(here, spec(remote.url)))

    assert git(here.git.directory, "rev-parse", "HEAD") == pushed
    assert git(here.git.directory, "rev-parse", PUSHED) == pushed
    assert git(here.git.directory, "branch", "--show-current") == BRANCH


def test_an_empty_repository_has_the_session_branch_to_be(tmp_path: Path):
    remote = Remote(tmp_path, {})
    here = checkout(tmp_path / "workspace", remote.url)

    asyncio.run(clone(here, spec(remote.url)))

    assert git(here.git.directory, "symbolic-ref", "HEAD") == f"refs/heads/{BRANCH}"
    assert asyncio.run(here.commit_at("HEAD")) is None


@pytest.mark.parametrize("branch", [None, "main"])
def test_an_unknown_repository_is_refused_with_gits_reason(tmp_path: Path, branch: str | None):
    here = checkout(tmp_path / "workspace", f"file://{tmp_path}/nowhere.git")

    with pytest.raises(GitFailed, match=r"nowhere.git' does not appear to be a git repository"):
        asyncio.run(clone(here, spec(here.url, branch=branch)))

    assert not here.git.directory.exists()


def test_an_unknown_branch_is_refused_with_gits_reason(tmp_path: Path):
    remote = Remote(tmp_path, {"a.txt": "one"})
    here = checkout(tmp_path / "workspace", remote.url)

    with pytest.raises(GitFailed, match="Remote branch nope not found"):
        asyncio.run(clone(here, spec(remote.url, branch="nope")))


def test_a_tag_is_no_branch(tmp_path: Path):
    remote = Remote(tmp_path, {"a.txt": "one"})
    remote.git("tag", "v1", "main")
    here = checkout(tmp_path / "workspace", remote.url)

    with pytest.raises(GitFailed, match="'v1' is not a branch"):
        asyncio.run(clone(here, spec(remote.url, branch="v1")))


def test_a_secret_in_an_address_is_not_in_the_reason(tmp_path: Path):
    url = "https://ada:hunter22hunter@127.0.0.1:9/x.git"
    here = checkout(tmp_path / "workspace", url)

    with pytest.raises(GitFailed) as refused:
        asyncio.run(clone(here, spec(url)))

    assert "hunter22" not in str(refused.value)
    assert "127.0.0.1" in str(refused.value)


def test_a_clone_that_was_cut_off_is_begun_anew(tmp_path: Path):
    remote = Remote(tmp_path, {"a.txt": "one"})
    here = checkout(tmp_path / "workspace", remote.url)
    (tmp_path / "workspace/.tool.cloning/half").mkdir(parents=True)

    asyncio.run(clone(here, spec(remote.url)))

    assert (here.git.directory / "a.txt").exists()
    assert not (tmp_path / "workspace/.tool.cloning").exists()


def test_locks_of_killed_git_processes_are_removed(tmp_path: Path):
    remote = Remote(tmp_path, {"a.txt": "one"})
    here = checkout(tmp_path / "workspace", remote.url)
    asyncio.run(clone(here, spec(remote.url)))
    place = here.git.directory
    for lock in ("index.lock", "HEAD.lock", f"refs/heads/{BRANCH}.lock"):
        (place / ".git" / lock).touch()

    unlock(place)

    git(place, "commit", "--allow-empty", "--message", "works")


def test_the_session_branch_is_fetched_and_nothing_here_moves(tmp_path: Path):
    remote = Remote(tmp_path, {"a.txt": "one"})
    here = checkout(tmp_path / "workspace", remote.url)
    asyncio.run(clone(here, spec(remote.url)))
    before = git(here.git.directory, "rev-parse", "HEAD")
    theirs = remote.commit({"b.txt": "two"}, branch=BRANCH)

    fetched = asyncio.run(fetch(here))

    assert fetched == theirs
    assert git(here.git.directory, "rev-parse", f"origin/{BRANCH}") == theirs
    assert git(here.git.directory, "rev-parse", "HEAD") == before


def test_a_branch_that_was_never_pushed_is_not_fetched(tmp_path: Path):
    remote = Remote(tmp_path, {"a.txt": "one"})
    here = checkout(tmp_path / "workspace", remote.url)
    asyncio.run(clone(here, spec(remote.url)))

    assert asyncio.run(fetch(here)) is None
