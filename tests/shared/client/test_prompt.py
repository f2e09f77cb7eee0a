"""`outboard prompt`, the real command, from its words to its exit status."""

from typing import Any

import pytest

from shared.protocol import events as on
from shared.protocol import server_events as news
from tests.fakes.api_server import ApiServer, Push, Watched
from tests.fakes.api_server.sessions import Close, Turn
from tests.shared.client import told
from tests.shared.client.outboard import Outboard, interrupted, read_until

URL = "https://git.example.com/acme/tool.git"


def turn(**over: Any) -> Turn:
    finished = {"prompt": 1, "status": "completed", "cost": 0.0123, "branch": "outboard/s1abcdef"}
    return [
        Watched(),
        [news.SandboxSpawning(attempt=1)],
        on.BootProgress(phase="setup", status="completed", elapsed_ms=1200),
        on.PromptStarted(prompt=1),
        on.TextDelta(prompt=1, part="a", delta="I will add\nthe "),
        on.TextDelta(prompt=1, part="a", delta="flag"),
        on.Text(prompt=1, part="a", text="I will add\nthe flag", final=True),
        on.Tool(
            prompt=1,
            call="c",
            tool="bash",
            title="pytest -q",
            status="completed",
            output="1 passed",
            exit_code=0,
        ),
        on.Pushed(prompt=1, repository="tool", branch="outboard/s1abcdef", commit=told.HEX),
        news.PromptFinished.model_validate(finished | {"commit": told.HEX} | over),
    ]


def test_a_run_that_completes_is_told_and_ends_with_its_branch(
    server: ApiServer, outboard: Outboard
):
    server.sessions.turns.append(turn())

    ran = outboard.process("prompt", "--repo", URL, "--wait", "add a flag")

    assert ran.status == 0
    assert ran.out.splitlines() == [
        f"session s1abcdef on {URL}, model acme/large",
        "prompt 1 is taken",
        "sandbox 1 starts",
        "boot: setup done in 1.2 s",
        "prompt 1 runs",
        "I will add",
        "the flag",
        "* bash: pytest -q",
        "  | 1 passed",
        "  exit code 0",
        "pushed outboard/s1abcdef at 0123456789ab",
        "prompt 1 completed · $0.0123",
        f"branch outboard/s1abcdef at {told.HEX}",
        f"get it with: git fetch {URL} outboard/s1abcdef",
    ]
    assert ran.err == ""


def test_for_a_program_every_slot_and_then_the_result_is_a_line(
    server: ApiServer, outboard: Outboard
):
    server.sockets.pushes |= {3: Push.LOST, 5: Push.TWICE, 6: Push.LATE}
    server.sessions.turns.append([*turn()[:4], Close(1001), Watched(2), *turn()[4:]])

    ran = outboard.process("prompt", "--repo", URL, "--wait", "--json", "add a flag")

    first, *entries, last = ran.json
    assert ran.status == 0
    assert first == {
        "session": "s1abcdef",
        "prompt": 1,
        "position": 0,
        "model": "acme/large",
        "demo": False,
    }
    assert [entry["seq"] for entry in entries] == list(range(1, 11))
    assert last == {
        "session": "s1abcdef",
        "prompt": 1,
        "status": "completed",
        "branch": "outboard/s1abcdef",
        "commit": told.HEX,
        "pushed": [
            {"repository": "tool", "branch": "outboard/s1abcdef", "commit": told.HEX},
        ],
        "cost": 0.0123,
        "error": None,
        "demo": False,
    }


def test_the_author_is_whom_git_knows(server: ApiServer, outboard: Outboard):
    server.sessions.turns.append(turn())

    outboard("prompt", "--repo", URL, "--title", "a title", "--branch", "next", "add a flag")

    new_session, new_prompt = (asked.body for asked in server.asked)
    assert new_session["repositories"] == [{"url": URL, "branch": "next", "label": ""}]
    assert new_session["title"] == "a title"
    assert new_prompt["author"] == {"name": "Ada Example", "email": "ada@example.com"}
    assert new_prompt["text"] == "add a flag"


def test_without_wait_it_says_how_to_follow(server: ApiServer, outboard: Outboard):
    ran = outboard("prompt", "--repo", URL, "--model", "acme/small", "-", stdin="from a pipe\n")

    assert ran.status == 0
    assert "./outboard events s1abcdef --after 0 --follow" in ran.err
    assert server.asked[-1].body["text"] == "from a pipe\n"
    assert server.asked[0].body["model"] == "acme/small"


def test_the_demo_model_is_named_at_the_start_and_at_the_end(server: ApiServer, outboard: Outboard):
    server.sessions.demo = True
    server.sessions.turns.append(turn(branch=None, commit=None))

    ran = outboard("prompt", "--repo", URL, "--wait", "add a flag")

    lines = ran.out.splitlines()
    assert lines[1] == lines[-2] == "demo model: its answers are scripted, no real model is asked"
    assert lines[-1] == "nothing changed: no branch was pushed"
    assert ran.status == 0


@pytest.mark.parametrize("status", ["failed", "stopped", "cancelled"])
def test_a_run_that_does_not_complete_is_exit_status_1(
    server: ApiServer, outboard: Outboard, status: str
):
    over = {"status": status, "branch": None, "commit": None, "error": "the model is gone"}
    server.sessions.turns.append(turn(**over))

    ran = outboard("prompt", "--repo", URL, "--wait", "add a flag")

    assert ran.status == 1
    assert ran.out.splitlines()[-1] == f"prompt 1 {status} · the model is gone · $0.0123"


def test_a_second_prompt_is_told_alone(server: ApiServer, outboard: Outboard):
    outboard("prompt", "--repo", URL, "first")
    words = on.TextDelta(prompt=1, part="p", delta="of the first\n")
    first = news.PromptFinished(prompt=1, status="completed")
    mine = on.TextDelta(prompt=2, part="p", delta="of the second\n")
    second = news.PromptFinished(prompt=2, status="completed")
    server.sessions.turns.append([Watched(), words, first, mine, second])

    ran = outboard("prompt", "--session", "s1a", "--effort", "high", "--wait", "second")

    assert ran.status == 0
    assert server.asked[-2].body["effort"] == "high"
    assert ran.out.splitlines()[1:] == [
        "prompt 2 is taken and waits behind 1",
        "of the second",
        "prompt 2 completed · $0",
        "nothing changed: no branch was pushed",
    ]


def test_a_local_path_is_served_from_its_last_commit(server: ApiServer, outboard: Outboard):
    path = outboard.cwd / "work tree"
    path.mkdir()
    url = "http://127.0.0.1:9/k/tool.git"
    served = {"url": url, "path": str(path), "head": told.HEX, "branch": "main", "dirty": True}
    server.repositories[str(path)] = served
    server.sessions.turns.append(turn())

    ran = outboard("prompt", "--repo", "work tree", "--wait", "add a flag")

    new_session = server.asked[1].body
    assert ran.status == 0
    assert new_session["repositories"] == [{"url": url, "branch": "main", "label": str(path)}]
    assert ran.err == (
        f"outboard: {path}: cloned from its last commit 0123456789ab; "
        "uncommitted changes are not included\n"
    )
    assert ran.out.endswith(f"get it with: git fetch '{path}' outboard/s1abcdef\n")


def test_a_server_that_is_busy_is_asked_again_with_the_same_request(
    server: ApiServer, outboard: Outboard
):
    server.unavailable["POST /sessions"] = 1
    server.lost_answers["POST /sessions/s1abcdef/prompts"] = 1

    ran = outboard("prompt", "--repo", URL, "add a flag")

    assert ran.status == 0
    assert ran.err.count("asking again, the same request, so nothing is done twice") == 2
    assert len(server.sessions.known["s1abcdef"].prompts) == 1


def test_ctrl_c_leaves_the_session_alone_and_says_how_to_go_on(
    server: ApiServer, outboard: Outboard
):
    server.sessions.turns.append(turn()[:-1])
    process = outboard.start("prompt", "--repo", URL, "--wait", "add a flag")
    read_until(process, "pushed")

    ran = interrupted(process)

    assert ran.status == 130
    assert ran.err == (
        "outboard: the session goes on; follow it again with: "
        "./outboard events s1abcdef --after 9 --follow\n"
    )
    assert server.sessions.known["s1abcdef"].view.status == "active"
