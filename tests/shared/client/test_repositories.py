"""`outboard repo`: what the browser offers to work on."""

from tests.fakes.api_server import ApiServer
from tests.shared.client.outboard import Outboard

URL = "https://git.example.com/acme/tool.git"


def test_a_repository_is_added_and_listed(server: ApiServer, outboard: Outboard):
    nothing = outboard("repo", "list")
    added = outboard("repo", "add", URL, "--branch", "dev", "--label", "the tool")
    listed = outboard("repo", "list")

    assert nothing.out == "no repositories\n"
    assert (added.status, added.out) == (0, "tool is the tool (dev)\n")
    assert listed.out.splitlines()[1].endswith("the tool (dev)")
    assert server.asked[-2].body == {"url": URL, "branch": "dev", "label": "the tool"}


def test_repositories_are_told_as_json(outboard: Outboard):
    added = outboard("repo", "add", URL, "--json").json

    assert added == outboard("repo", "list", "--json").json
    assert added[0]["url"] == URL


def test_what_is_no_repository_is_refused(outboard: Outboard):
    ran = outboard("repo", "add", "no/such/place")

    assert ran.status == 2
    assert "neither a directory here nor an https URL" in ran.err


def test_what_the_code_hosts_have_is_shown_without_what_would_colour_it(outboard: Outboard):
    found = outboard("repo", "find", "hammer")
    nothing = outboard("repo", "find", "saw")
    branches = outboard("repo", "branches", URL)

    assert found.out.splitlines()[0].startswith(
        "https://github.com/acme/tool.git  (private) A hammer"
    )
    assert "\x1b" not in found.out
    assert nothing.out == "no repositories\n"
    assert branches.out.splitlines()[0] == "0123456789ab  main"
    assert outboard("repo", "find", "--json").json[0]["repositories"][0]["fullName"] == "acme/tool"


def test_a_code_host_that_does_not_answer_is_named(outboard: Outboard):
    found = outboard("repo", "find", "axe")

    assert found.out.splitlines() == [
        "no repositories",
        "gitlab.example: it is tired; nothing of it is listed",
    ]
