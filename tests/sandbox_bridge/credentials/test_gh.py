"""gh, as it is found first on the PATH: the real one with a token, or a sentence."""

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox_bridge.credentials import client
from tests.sandbox_bridge.credentials.place import Clock, FakeServer, Place

PACKAGE = Path(client.__file__).parents[1]
TOOL = "https://github.com/acme/tool"
REAL = '#!/bin/sh\necho "$GH_HOST:${GH_TOKEN-none}:$GITHUB_TOKEN:$*"\nexit 3\n'


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """With the template's wrapper before a gh of the image's."""
    made = Place(tmp_path / "sandbox", FakeServer(Clock()), ("https://github.com/acme/tool",))
    template = made.paths.template
    for directory in (
        made.paths.wrappers,
        template / "python/bin",
        template / "code",
        tmp_path / "bin",
    ):
        directory.mkdir(parents=True)
    (template / "python/bin/python").symlink_to(sys.executable)
    (template / "code/sandbox_bridge").symlink_to(PACKAGE)
    wrapper = made.paths.wrappers / "gh"
    shutil.copy(PACKAGE / "credentials/gh.sh", wrapper)
    wrapper.chmod(0o755)
    (tmp_path / "bin/gh").write_text(REAL)
    (tmp_path / "bin/gh").chmod(0o755)
    for program in ("bash", "dirname", "readlink"):
        (tmp_path / "bin" / program).symlink_to(shutil.which(program) or "")
    made.environment["PATH"] = f"{made.paths.wrappers}:{tmp_path}/bin"
    return made


def ran(place: Place, script: str, **variables: str) -> subprocess.CompletedProcess[str]:
    ended = list[subprocess.CompletedProcess[str]]()

    async def story() -> None:
        ended.append(await place.shell(script, **variables))

    place.tell(story)
    return ended[0]


def test_the_real_one_runs_with_a_token_that_nobody_else_has(place: Place):
    ended = ran(place, 'gh pr list --json "a b"; echo "$?:${GH_TOKEN-none}"')

    assert ended.stdout == "github.com:a-secret-password-1::pr list --json a b\n3:none\n"
    assert ended.stderr == ""
    assert place.learnt == ["a-secret-password-1"]
    assert place.files_with("a-secret-password") == []


def test_one_hour_has_one_token(place: Place):
    ended = ran(place, "gh one; gh two")

    assert ended.stdout.count("a-secret-password-1") == 2


def test_a_token_of_somebodys_own_is_left_to_them(place: Place):
    ended = ran(place, "gh api", GITHUB_TOKEN="mine")

    assert ended.stdout == ":none:mine:api\n"
    assert place.server.asked == []


def test_without_a_repository_on_github_it_says_so_and_runs_all_the_same(place: Place):
    place.server.needed = False

    ended = ran(place, "gh --version")

    assert ended.stdout == ":none::--version\n"
    assert "no repository of this session is on GitHub" in ended.stderr


def test_a_refusal_is_a_sentence(place: Place):
    place.server.refusal = "the attempt is over"

    ended = ran(place, "gh api")

    assert (ended.returncode, ended.stderr) == (3, "outboard: the attempt is over\n")


def test_without_a_bridge_it_says_so(place: Place):
    ended = asyncio.run(place.shell("gh api"))

    assert "the sandbox's bridge does not answer" in ended.stderr
    assert ended.stdout == ":none::api\n"


def test_where_there_is_no_real_one_it_says_so(place: Place, tmp_path: Path):
    (tmp_path / "bin/gh").unlink()

    ended = ran(place, "gh api")

    assert (ended.returncode, ended.stderr) == (
        127,
        "outboard: gh is not installed in this sandbox\n",
    )
    assert place.server.asked == []


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        ("pr list -R acme/tool", "gh https://github.com/acme/tool"),
        ("pr list --repo=github.com/acme/tool", "gh https://github.com/acme/tool"),
        ("pr view 7 -Racme/tool", "gh https://github.com/acme/tool"),
        ("api -X GET /repos/acme/tool/pulls?state=open", "gh https://github.com/acme/tool"),
        ("pr list -R cli/cli", "gh"),
        ("pr list -R tool", "gh"),
        ("status", "gh"),
    ],
)
def test_its_token_is_for_the_repository_that_it_is_asked_about(
    place: Place, arguments: str, asked: str
):
    ran(place, f"gh {arguments}")

    assert place.server.asked == [(asked, "write")]


def test_in_a_clone_its_token_is_for_that_repository(place: Place, tmp_path: Path):
    (tmp_path / "bin/git").symlink_to(shutil.which("git") or "")

    ran(place, "git init -q tool && cd tool && git remote add origin $U && gh pr list", U=TOOL)

    assert place.server.asked == [(f"gh {TOOL}", "write")]


@pytest.mark.parametrize("arguments", ["pr create --fill", "-R acme/tool pr new", "pr -R a/b new"])
def test_it_opens_no_pull_request_and_says_what_does(place: Place, arguments: str):
    ended = ran(place, f"gh {arguments}")

    assert (ended.returncode, ended.stdout, place.server.asked) == (1, "", [])
    assert "outboard_pull_request" in ended.stderr


def test_with_a_token_of_ones_own_it_does_what_it_is_told(place: Place):
    assert ran(place, "gh pr create", GITHUB_TOKEN="mine").returncode == 3
