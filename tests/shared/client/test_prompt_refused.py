"""Prompts that are not taken: each with a sentence, and nothing is left behind."""

import pytest

from tests.fakes.api_server import ApiServer
from tests.fakes.api_server.sessions import Refusal
from tests.shared.client.outboard import Outboard, git_identity

URL = "https://git.example.com/acme/tool.git"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["prompt", "--repo", URL, " \n"], "the prompt is empty"),
        (["prompt", "--repo", "nowhere", "x"], "'nowhere' is neither a directory here nor"),
        (["prompt", "--session", "s1", "--branch", "b", "x"], "use them with --repo"),
        (["prompt", "x"], "is no git repository"),
        (["prompt", "--session", "s9", "x"], "no session 's9'"),
        (["prompt", "--repo", URL, "--branch", "a b", "x"], "branch: 'a b' has characters"),
    ],
)
def test_a_wrong_prompt_is_refused_with_a_sentence(
    server: ApiServer, outboard: Outboard, words: list[str], sentence: str
):
    ran = outboard(*words)

    assert ran.status == 2
    assert sentence in ran.err
    assert server.sessions.known == {}


def test_a_prompt_that_is_too_long_or_no_text_is_refused(outboard: Outboard):
    long = outboard("prompt", "--repo", URL, "-", stdin="x" * 64_001)
    binary = outboard("prompt", "--repo", URL, "-", stdin=b"\xff\xfe")

    assert (long.status, binary.status) == (2, 2)
    assert "64,001 characters; 64,000 is the most" in long.err
    assert "not UTF-8" in binary.err


def test_what_the_server_refuses_is_said_also_to_a_program(server: ApiServer, outboard: Outboard):
    outboard("prompt", "--repo", URL, "first")
    server.sessions.known["s1abcdef"].change(status="archived")

    ran = outboard("prompt", "--session", "s1abcdef", "--json", "second")

    assert ran.status == 2
    assert ran.json == [
        {"error": "a session that is archived takes no prompts", "code": "rejected"}
    ]
    assert "archived takes no prompts" in ran.err


def test_without_a_name_git_is_told_about(outboard: Outboard):
    git_identity(outboard.cwd, name="")

    ran = outboard("prompt", "--repo", URL, "x")

    assert ran.status == 2
    assert 'git config --global user.name "Your Name"' in ran.err
    assert "user.email" not in ran.err


def test_a_session_whose_prompt_was_refused_is_named(server: ApiServer, outboard: Outboard):
    server.sessions.refusal = Refusal(422, "invalid", "text: a prompt needs other words", "text")

    ran = outboard("prompt", "--repo", URL, "x")

    assert ran.status == 2
    assert ran.err.splitlines() == [
        "outboard: session s1abcdef is open, without this prompt",
        "outboard: text: a prompt needs other words",
    ]
