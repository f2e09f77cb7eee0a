import asyncio

import pytest

from sandbox_bridge.git.checkout import Checkout
from sandbox_bridge.git.command import GitFailed
from sandbox_bridge.git.push import Push, push
from tests.sandbox_bridge.repositories import BRANCH, Remote, git, put


def work(here: Checkout, content: str) -> str:
    """The agent commits something by itself."""
    place = here.git.directory
    put(place, {"a.txt": content})
    git(place, "commit", "--quiet", "--all", "--message", "The agent's own")
    return git(place, "rev-parse", "HEAD")


def pushed(here: Checkout) -> Push:
    return asyncio.run(push(here))


def test_the_remote_has_the_session_branch_at_the_checked_out_commit(
    here: Checkout, remote: Remote
):
    head = work(here, "two")

    assert pushed(here) == Push(head)
    assert remote.tip() == head
    assert git(here.git.directory, "rev-parse", f"origin/{BRANCH}") == head


def test_nothing_new_is_not_pushed(here: Checkout, remote: Remote):
    assert pushed(here) == Push()
    assert remote.tip() is None

    work(here, "two")
    pushed(here)

    assert pushed(here) == Push()


def test_what_is_pushed_is_what_is_checked_out(here: Checkout, remote: Remote):
    git(here.git.directory, "switch", "--quiet", "--create", "elsewhere")
    work(here, "two")
    git(here.git.directory, "checkout", "--quiet", "--detach")
    head = work(here, "three")

    assert pushed(here) == Push(head)
    assert remote.tip() == head
    assert remote.tip("elsewhere") is None


def test_it_goes_to_the_sessions_repository_wherever_origin_points(here: Checkout, remote: Remote):
    git(here.git.directory, "remote", "set-url", "origin", "file:///elsewhere")
    head = work(here, "two")

    pushed(here)

    assert remote.tip() == head


def test_a_refused_push_says_why_and_the_next_one_takes_everything(here: Checkout, remote: Remote):
    remote.refuse("no pushes on Fridays")
    work(here, "two")

    with pytest.raises(GitFailed, match="no pushes on Fridays"):
        pushed(here)

    remote.accept()
    head = work(here, "three")
    assert pushed(here) == Push(head)
    assert len(remote.log("%H")) == 3


def test_somebody_elses_push_is_never_overwritten(here: Checkout, remote: Remote):
    work(here, "two")
    pushed(here)
    theirs = remote.commit({"b.txt": "theirs"}, branch=BRANCH)
    work(here, "three")

    for _ in range(2):
        with pytest.raises(GitFailed, match=f"somebody else pushed {theirs[:10]}"):
            pushed(here)

    assert remote.tip() == theirs
    git(here.git.directory, "merge", "--quiet", f"origin/{BRANCH}")
    assert pushed(here).commit == remote.tip()


def test_rewritten_commits_are_not_forced(here: Checkout, remote: Remote):
    first = work(here, "two")
    pushed(here)
    git(here.git.directory, "commit", "--quiet", "--amend", "--message", "Better words")

    with pytest.raises(GitFailed, match="the agent rewrote commits"):
        pushed(here)

    assert remote.tip() == first


def test_a_branch_that_was_taken_back_keeps_its_commits_on_the_remote(
    here: Checkout, remote: Remote
):
    first = work(here, "two")
    pushed(here)
    git(here.git.directory, "reset", "--quiet", "--hard", "HEAD~1")

    done = pushed(here)

    assert done.commit is None
    assert "keeps commits on the remote" in done.notes[0]
    assert remote.tip() == first


def test_hooks_of_the_repository_are_not_run(here: Checkout, remote: Remote):
    hook = here.git.directory / ".git/hooks/pre-push"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    head = work(here, "two")

    pushed(here)

    assert remote.tip() == head


def test_a_remote_that_is_gone_is_the_reason(here: Checkout, remote: Remote):
    work(here, "two")
    remote.path.rename(remote.path.with_name("moved.git"))

    with pytest.raises(GitFailed, match=r"does not exist|not appear to be a git repository"):
        pushed(here)
