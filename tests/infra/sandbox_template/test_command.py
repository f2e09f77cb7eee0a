"""`python -m infra.sandbox_template`, as somebody types it."""

import sys
from pathlib import Path

import pytest

from infra.sandbox_template.__main__ import main
from infra.sandbox_template.contents import CONTENTS
from tests.fakes.template_builds import API_KEY, TemplateBuilds
from tests.infra.local.sandbox_host import hosting


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("E2B_API_KEY", "E2B_API_URL", "E2B_SANDBOX_URL", "SANDBOX_TEMPLATE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OUTBOARD_STATE", str(tmp_path))


def _run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["python -m infra.sandbox_template", *words])
    return main()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("build",), "E2B_API_KEY is not set"),
        (("check",), "E2B_API_KEY is not set"),
        (("check", "--local"), "start it with make run"),
    ],
)
def test_what_it_lacks_it_says_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    reason: str,
):
    assert _run(monkeypatch, *words) == 1

    assert reason in capsys.readouterr().err


def test_a_build_that_gives_no_sandbox_is_not_used(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("E2B_API_KEY", API_KEY)
    monkeypatch.setenv("SANDBOX_TEMPLATE", "of-this-deployment")

    with TemplateBuilds().running() as builds:
        monkeypatch.setenv("E2B_API_URL", builds.url)
        status = _run(monkeypatch, "build")

    assert status == 1
    assert builds.asked["name"].startswith("of-this-deployment:")
    assert builds.tagged == {}
    assert capsys.readouterr().err.endswith("outboard: 404: not found\n")


@pytest.mark.sandbox
def test_a_check_lists_everything_and_fails_when_something_is_not_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    with hosting.hosting() as host:
        monkeypatch.setenv("E2B_API_KEY", hosting.API_KEY)
        monkeypatch.setenv("E2B_API_URL", host.url)
        monkeypatch.setenv("E2B_SANDBOX_URL", host.url)
        status = _run(monkeypatch, "check")

    *findings, summary = capsys.readouterr().out.splitlines()
    assert status == 1
    assert len(findings) == len(CONTENTS)
    assert any("git: " in line and "git version " in line for line in findings)
    assert "missing     OpenCode" in "\n".join(findings)
    assert "not so: " in summary


def test_it_prints_the_recipe_for_whoever_wants_to_read_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    assert _run(monkeypatch, "print") == 0

    assert capsys.readouterr().out.startswith("FROM python:3.12.13-bookworm\n")
