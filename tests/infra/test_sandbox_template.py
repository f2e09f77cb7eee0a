"""The template for E2B, as far as it can be known without E2B."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from e2b import Template

from infra import sandbox_template
from layers.artifact import ROOT


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "module.py").write_text("")
    (tmp_path / "requirements.txt").write_text("")
    (tmp_path / "supervisor").write_text("")
    return tmp_path


def _serialised(files: Path) -> dict[str, Any]:
    return json.loads(Template.to_json(sandbox_template.template(files)))


def test_the_sdk_can_send_the_template_as_it_is(files: Path):
    sent = _serialised(files)

    assert sent["fromImage"] == "python:3.13-bookworm"
    copied = [step["args"][:2] for step in sent["steps"] if step["type"] == "COPY"]
    assert copied == [
        ["requirements.txt", "/opt/outboard/requirements.txt"],
        ["code", "/opt/outboard/code"],
        ["supervisor", "/opt/outboard/bin/supervisor"],
    ]
    assert all(step["filesHash"] for step in sent["steps"] if step["type"] == "COPY")


def test_another_bridge_is_another_template(files: Path):
    before = _serialised(files)

    (files / "code" / "module.py").write_text("changed = True\n")

    assert _serialised(files) != before


def test_nothing_runs_when_the_template_is_built(files: Path):
    """A start command would be frozen with the template and see nothing of its sandbox."""
    assert not {"startCmd", "readyCmd"} & _serialised(files).keys()


def test_the_agents_are_pinned_and_no_package_runs_a_script(files: Path):
    commands = [step["args"][0] for step in _serialised(files)["steps"] if step["type"] == "RUN"]

    npm = [command for command in commands if "npm install" in command]
    assert all("--ignore-scripts" in command for command in npm)
    pins = json.loads((ROOT / "sandbox_bridge" / "package.json").read_text())["dependencies"]
    binary, plugin = pins["opencode-linux-x64"], pins["@opencode-ai/plugin"]
    assert binary[0].isdigit()
    assert plugin[0].isdigit()
    assert any(f"opencode-linux-x64@{binary}" in command for command in npm)
    assert any(f"~/.config/opencode @opencode-ai/plugin@{plugin}" in command for command in npm)
    assert any("--require-hashes" in command for command in commands)


def test_the_context_is_the_bridge_and_what_it_may_import():
    context = sandbox_template.context()

    assert sorted(path.name for path in context.iterdir()) == [
        "code",
        "requirements.txt",
        "supervisor",
    ]
    assert {path.name for path in (context / "code" / "shared").iterdir()} == {
        "__init__.py",
        "domain",
        "protocol",
    }
    pins = (context / "requirements.txt").read_text()
    assert "websockets==" in pins
    assert "--hash=sha256:" in pins


def test_the_supervisor_starts_the_bridge_from_wherever_it_is(tmp_path: Path):
    place = tmp_path / "place"
    (place / "bin").mkdir(parents=True)
    (place / "bin" / "supervisor").write_text(sandbox_template.SUPERVISOR)
    (place / "bin" / "supervisor").chmod(0o755)
    python = place / "venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "$PYTHONPATH $*"\n')
    python.chmod(0o755)
    link = tmp_path / "link"
    link.symlink_to(place)

    said = subprocess.run([link / "bin" / "supervisor"], capture_output=True, text=True, check=True)

    assert said.stdout == f"{place}/code -m sandbox_bridge\n"
