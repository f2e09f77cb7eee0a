"""`outboard open`: the link, where it leads, and when a browser is opened with it."""

import stat
from pathlib import Path

import pytest

from shared.client.commands.pages import has_display, link
from tests.fakes.api_server import ApiServer
from tests.functions.browser import Browser
from tests.shared.client.outboard import Outboard
from tests.shared.client.real_server import RealServer

WEB = "https://outboard.example.com"


def _browser(directory: Path) -> Path:
    """One that only notes what it is opened with."""
    program = directory / "browser"
    program.write_text(f'#!/bin/sh\nprintf %s "$1" > {directory}/opened\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


def test_the_link_is_printed(outboard: Outboard, server: ApiServer):
    ran = outboard("open")

    assert (ran.status, ran.out) == (0, f"{server.http[:-4]}/sign-in#code-of-ada\n")
    assert ran.err == "outboard: it signs one browser in, once, until 00:00 UTC\n"


def test_it_leads_to_the_session_that_is_meant(outboard: Outboard, server: ApiServer):
    session = outboard("prompt", "--repo", "https://git.example.com/a.git", "do", "--json").json[0]

    ran = outboard("open", session["session"][:5])

    assert ran.out.strip().endswith(f"/sign-in?to=/session/{session['session']}#code-of-ada")


def test_a_session_that_is_not_there_is_refused_before_a_code_is_made(
    outboard: Outboard, server: ApiServer
):
    ran = outboard("open", "nowhere")

    assert ran.status == 2
    assert "POST /sign-in/codes" not in server.paths()


def test_a_browser_is_opened_where_there_is_a_display(
    outboard: Outboard, server: ApiServer, tmp_path: Path
):
    outboard.environment |= {"DISPLAY": ":9", "BROWSER": str(_browser(tmp_path))}

    ran = outboard.process("open", "--json")

    assert ran.json[0]["opened"] is True
    assert (tmp_path / "opened").read_text() == ran.json[0]["url"]


@pytest.mark.parametrize(("display", "words"), [(":9", ["--print"]), ("", [])])
def test_no_browser_is_opened_otherwise(
    outboard: Outboard, server: ApiServer, tmp_path: Path, display: str, words: list[str]
):
    outboard.environment |= {"DISPLAY": display, "BROWSER": str(_browser(tmp_path))}

    ran = outboard.process("open", "--json", *words)

    assert (ran.status, ran.json[0]["opened"]) == (0, False)
    assert not (tmp_path / "opened").exists()


def test_the_code_is_behind_what_a_browser_sends():
    assert link(WEB, "obk_x", None) == f"{WEB}/sign-in#obk_x"
    assert link(WEB, "obk_x", "abc") == f"{WEB}/sign-in?to=/session/abc#obk_x"


@pytest.mark.parametrize(
    ("environment", "platform", "has"),
    [
        ({}, "linux", False),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"DISPLAY": ""}, "linux", False),
        ({}, "darwin", True),
    ],
)
def test_a_display_is_known_by_its_variable(environment: dict[str, str], platform: str, has: bool):
    assert has_display(environment, platform) is has


def test_the_link_of_the_real_server_signs_in_who_asked(real_outboard: Outboard, real: RealServer):
    code = real_outboard("open").out.strip().partition("#")[2]

    me = Browser(real.world).sign_in(code)

    assert (me.status, me.body["name"]) == (200, "ada")
