"""`outboard prompt` on several repositories, on none, and on the one that one stands in."""

from typing import Any

import pytest

from shared.protocol import events as on
from shared.protocol import server_events as news
from tests.fakes.api_server import ApiServer, Watched
from tests.fakes.api_server.sessions import Turn
from tests.shared.client import told
from tests.shared.client.outboard import Outboard

TOOL, SITE = ("https://git.example.com/acme/tool.git", "https://git.example.com/acme/site")
BRANCH = "outboard/s1abcdef"
OTHER = "f" * 40


def pushing(**commits: str) -> Turn:
    first = next(iter(commits.values()), None)
    pushed = [
        on.Pushed(prompt=1, repository=name, branch=BRANCH, commit=commit)
        for name, commit in commits.items()
    ]
    over = news.PromptFinished(
        prompt=1, status="completed", branch=BRANCH if first else None, commit=first
    )
    return [Watched(), *pushed, over]


def opened(server: ApiServer) -> list[dict[str, Any]]:
    (asked,) = (each.body for each in server.asked if "repositories" in (each.body or {}))
    return asked["repositories"]


def test_several_repositories_are_opened_in_the_order_in_which_they_are_said(
    server: ApiServer, outboard: Outboard
):
    ran = outboard("prompt", "--repo", f"{TOOL}#next", "--repo", SITE, "rename it")

    assert ran.status == 0
    assert opened(server) == [
        {"url": TOOL, "branch": "next", "label": ""},
        {"url": SITE, "label": ""},
    ]
    assert ran.out.startswith(f"session s1abcdef on {TOOL}, {SITE}, model acme/large\n")


def test_each_repository_that_was_pushed_to_is_told_with_its_command(
    server: ApiServer, outboard: Outboard
):
    server.sessions.turns.append(pushing(site=OTHER, tool=told.HEX))

    ran = outboard("prompt", "--repo", TOOL, "--repo", SITE, "--wait", "rename it")

    lines = ran.out.splitlines()
    short = told.HEX[:12]
    assert lines[2:4] == [
        f"pushed site: {BRANCH} at {OTHER[:12]}",
        f"pushed tool: {BRANCH} at {short}",
    ]
    assert lines[-4:] == [
        f"tool: branch {BRANCH} at {told.HEX}",
        f"get it with: git fetch {TOOL} {BRANCH}",
        f"site: branch {BRANCH} at {OTHER}",
        f"get it with: git fetch {SITE} {BRANCH}",
    ]


def test_for_a_program_each_push_of_the_turn_is_named(server: ApiServer, outboard: Outboard):
    server.sessions.turns.append(pushing(site=OTHER, elsewhere=told.HEX))

    ran = outboard("prompt", "--repo", TOOL, "--repo", SITE, "--wait", "--json", "rename it")

    *_, last = ran.json
    assert last["pushed"] == [{"repository": "site", "branch": BRANCH, "commit": OTHER}]


def test_a_session_without_a_repository_has_nothing_to_fetch(server: ApiServer, outboard: Outboard):
    server.sessions.turns.append(pushing())

    ran = outboard("prompt", "--no-repo", "--wait", "look it up")

    assert (ran.status, opened(server)) == (0, [])
    assert ran.out.splitlines()[0] == "session s1abcdef on no repository, model acme/large"
    assert ran.out.splitlines()[-1].startswith("prompt 1 completed")


def test_the_tree_that_one_stands_in_is_the_repository_if_nothing_is_said(
    server: ApiServer, outboard: Outboard
):
    url, path = "http://127.0.0.1:9/k/tool.git", str(outboard.cwd)
    server.repositories[path] = {"url": url, "path": path, "head": told.HEX, "branch": "main"}

    ran = outboard("prompt", "add a flag")

    assert ran.status == 0
    assert opened(server) == [{"url": url, "branch": "main", "label": path}]


def test_a_directory_may_have_a_number_sign_in_its_name(server: ApiServer, outboard: Outboard):
    path = outboard.cwd / "c#"
    path.mkdir()
    url = "http://127.0.0.1:9/k/c.git"
    server.repositories[str(path)] = {"url": url, "path": str(path), "head": told.HEX}

    assert outboard("prompt", "--repo", "c#", "x").status == 0
    assert outboard("prompt", "--repo", "c##next", "x").status == 0
    branches = [each.body["repositories"][0].get("branch") for each in server.asked if _opens(each)]
    assert branches == [None, "next"]


def _opens(asked: Any) -> bool:
    return "repositories" in (asked.body or {})


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--repo", TOOL, "--repo", SITE, "--branch", "next"], "REPOSITORY#BRANCH"),
        (["--no-repo", "--branch", "next"], "REPOSITORY#BRANCH"),
        (["--repo", f"{TOOL}#next", "--branch", "next"], "one branch"),
        (["--repo", f"{TOOL}#"], "one branch"),
        (["--repo", f"{TOOL}#a b"], "branch"),
        (["--repo", TOOL, "--no-repo"], "not allowed with"),
        (["--session", "s1", "--no-repo"], "not allowed with"),
        ([word for n in range(11) for word in ("--repo", f"{SITE}{n}")], "at most 10"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_asked(
    server: ApiServer, outboard: Outboard, words: list[str], problem: str
):
    ran = outboard("prompt", *words, "x")

    assert ran.status == 2
    assert problem in ran.err
    assert server.asked == []
