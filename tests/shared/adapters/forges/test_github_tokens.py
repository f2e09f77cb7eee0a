"""What the App's tokens allow, tried with real git, and how long they are kept."""

import os
import subprocess
from base64 import b64encode
from datetime import timedelta
from pathlib import Path

import pytest

from shared.adapters.github.app import GitHubApp
from shared.adapters.github.forge import GitHubForge
from shared.adapters.plain_git import PlainGit
from shared.app.ports.forges import Access, Credential
from shared.domain.errors import Invalid, NotFound, Unavailable
from tests.fakes.vendors import FakeSecrets
from tests.forge.hosting import APP_ID, Hosted, needs_openapi
from tests.shared.adapters.forges.worlds import GitHubWorld

pytestmark = needs_openapi


def git(credential: Credential | None, *arguments: str, at: Path | None = None) -> bool:
    header = []
    if credential:
        both = f"{credential.username}:{credential.password}".encode()
        header = ["-c", f"http.extraHeader=Authorization: Basic {b64encode(both).decode()}"]
    environment = {"PATH": os.environ["PATH"], "GIT_TERMINAL_PROMPT": "0", "HOME": "/nonexistent"}
    done = subprocess.run(
        ["git", *header, *arguments], cwd=at, env=environment, capture_output=True, check=False
    )
    return done.returncode == 0


def test_a_token_is_good_for_its_repository_and_its_access_alone(
    github: GitHubWorld, tmp_path: Path
):
    mine, other = github.has("team/tool"), github.has("team/other")
    read = github.forge.credential([mine], Access.READ)
    write = github.forge.credential([mine], Access.WRITE)

    clone = tmp_path / "clone"
    assert git(read, "clone", mine, str(clone))
    assert not git(read, "push", mine, "HEAD:refs/heads/work", at=clone)
    assert git(write, "push", mine, "HEAD:refs/heads/work", at=clone)
    assert not git(write, "ls-remote", other)
    assert not git(None, "ls-remote", mine)


def test_one_token_is_for_several_repositories_of_an_owner(github: GitHubWorld):
    urls = [github.has("team/tool"), github.has("team/other")]

    both = github.forge.credential(urls, Access.READ)

    assert all(git(both, "ls-remote", url) for url in urls)


def test_no_token_is_for_repositories_of_two_owners(github: GitHubWorld):
    with pytest.raises(Invalid):
        github.forge.credential([github.has("team/a"), github.has("ada/b")], Access.READ)


def test_a_token_is_asked_for_once_until_five_minutes_before_its_end(github: GitHubWorld):
    url, now = github.has("team/tool"), github.hosted.github.clock()
    github.hosted.github.clock = lambda: now
    first = github.forge.credential([url], Access.READ)
    assert first

    github.hosted.github.clock = lambda: now + timedelta(minutes=54)
    assert github.forge.credential([url], Access.READ) == first
    github.hosted.github.clock = lambda: now + timedelta(minutes=56)
    again = github.forge.credential([url], Access.READ)

    assert again
    assert again.password != first.password
    assert len(github.hosted.github.tokens) == 2


def test_a_token_that_was_taken_back_is_replaced(github: GitHubWorld):
    url = github.has("team/tool")
    github.forge.branches(url)
    github.hosted.github.tokens.clear()

    assert github.forge.branches(url)


def test_what_git_was_refused_is_not_given_to_it_again(github: GitHubWorld):
    url = github.has("team/tool")
    first = github.forge.credential([url], Access.WRITE)
    github.hosted.github.tokens.clear()

    github.forge.forget_credentials([url])

    again = github.forge.credential([url], Access.WRITE)
    assert first
    assert again
    assert github.hosted.github.issued(again.password)


def test_an_app_that_was_installed_again_has_another_number(github: GitHubWorld):
    url = github.has("team/tool")
    github.forge.branches(url)
    github.hosted.github.tokens.clear()
    github.hosted.github.installations["team"] = 99

    assert github.forge.branches(url)


def test_where_it_is_not_installed_a_sentence_says_so(github: GitHubWorld):
    url = github.has("team/secret", installed=False)

    with pytest.raises(NotFound, match="GitHub App is not installed"):
        github.forge.credential([url], Access.WRITE)


@pytest.mark.parametrize("key", ["", "no key at all"])
def test_a_key_that_is_none_is_said_without_it(hosted: Hosted, key: str):
    secrets = FakeSecrets({"GITHUB_APP_PRIVATE_KEY": key})
    app = GitHubApp(APP_ID, secrets, hosted.github.clock)
    forge = GitHubForge.at(hosted.url, hosted.api_url, app, PlainGit(loopback=True))

    with pytest.raises(Unavailable) as refused:
        forge.repositories()

    assert not key or key not in str(refused.value)


def test_a_key_of_another_app_is_not_taken(hosted: Hosted):
    with pytest.raises(Unavailable, match="App id and key"):
        GitHubWorld.on(hosted, app_id="4712").forge.repositories()


def test_without_an_app_all_is_as_anybody_sees_it(hosted: Hosted):
    github = GitHubWorld.on(hosted, app_id="")
    url = github.has("world/lib", ["main", "dev"], private=False)

    assert github.forge.repositories() == []
    assert github.forge.repository(url).full_name == "world/lib"
    assert len(github.forge.branches(url)) == 2
    assert github.forge.credential([url], Access.READ) is None


def test_nothing_that_is_written_down_has_a_token_in_it(github: GitHubWorld):
    credential = github.forge.credential([github.has("team/tool")], Access.WRITE)

    assert credential
    assert credential.password not in repr(github.forge)


WORKS = {
    "actions": "read",
    "checks": "read",
    "contents": "read",
    "issues": "read",
    "metadata": "read",
    "pull_requests": "read",
    "statuses": "read",
}


def issued(github: GitHubWorld, credential: Credential | None):
    assert credential
    return github.hosted.github.tokens[credential.password]


def test_a_token_to_work_with_reads_and_changes_nothing(github: GitHubWorld):
    url = github.has("team/tool")

    given = issued(github, github.forge.credential([url], Access.WORK))

    assert (given.permissions, given.repositories) == (WORKS, frozenset({"tool"}))


def test_what_nobody_has_granted_is_not_asked_for(github: GitHubWorld):
    url = github.has("team/tool")
    github.hosted.github.granted = {"contents": "read", "metadata": "read", "issues": "write"}

    given = issued(github, github.forge.credential([url], Access.WORK))

    assert given.permissions == {"contents": "read", "metadata": "read", "issues": "read"}


def test_what_was_granted_and_is_no_more_is_found_out(github: GitHubWorld):
    url, granted = github.has("team/tool"), github.hosted.github.granted
    github.forge.repository(url)
    del granted["actions"]

    given = issued(github, github.forge.credential([url], Access.WORK))

    assert given.permissions == {name: WORKS[name] for name in WORKS if name != "actions"}


def test_each_owner_has_an_installation_of_its_own(github: GitHubWorld, tmp_path: Path):
    urls = [github.has("team/tool"), github.has("ada/tool")]

    for url, other in (urls, urls[::-1]):
        for access in Access:
            given = github.forge.credential([url], access)
            assert git(given, "ls-remote", url)
            assert not git(given, "ls-remote", other)
    assert all(github.forge.branches(url) for url in urls)
    assert all(github.forge.open_pull_request(url, "work", None) is None for url in urls)
