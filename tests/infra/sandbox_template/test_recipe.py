"""The recipe for E2B, as far as it can be known without E2B."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from e2b import Template

from infra.sandbox_template import context, recipe

FOLDERS = ("agents", "code", "tools")
FILES = ("agent-browser", "bridge.txt", "claude.txt", "gh", "supervisor", "tools.txt")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for folder in FOLDERS:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "module.py").write_text("")
    for file in FILES:
        (tmp_path / file).write_text("")
    return tmp_path


def _serialised(files: Path) -> dict[str, Any]:
    return json.loads(Template.to_json(recipe.template(files)))


def test_the_sdk_can_send_the_recipe_as_it_is(files: Path):
    sent = _serialised(files)

    copied = [step for step in sent["steps"] if step["type"] == "COPY"]
    assert sent["fromImage"] == "python:3.12.13-bookworm"
    assert sorted(step["args"][0] for step in copied) == sorted((*FOLDERS, *FILES))
    assert all(step["filesHash"] for step in copied)


def test_another_bridge_is_another_template_and_costs_only_the_last_steps(files: Path):
    before = _serialised(files)["steps"]

    (files / "code" / "module.py").write_text("changed = True\n")

    after = _serialised(files)["steps"]
    changed = [place for place, step in enumerate(after) if step != before[place]]
    assert len(changed) == 1
    assert not any("npm" in str(step) or "pip" in str(step) for step in after[changed[0] :])


def test_nothing_runs_when_the_template_is_built(files: Path):
    """A start command would be frozen with the template and see nothing of its sandbox."""
    assert not {"startCmd", "readyCmd"} & _serialised(files).keys()


def test_the_context_is_the_bridge_and_what_it_may_import():
    made = context.context()

    assert sorted(path.name for path in made.iterdir()) == sorted((*FOLDERS, *FILES))
    assert {path.name for path in (made / "code" / "shared").iterdir()} == {
        "__init__.py",
        "domain",
        "protocol",
    }
    pins = (made / "bridge.txt").read_text()
    assert "websockets==" in pins
    assert "--hash=sha256:" in pins


def test_the_supervisor_starts_the_bridge_from_wherever_it_is(tmp_path: Path):
    place = tmp_path / "place"
    _program(place / "bin" / "supervisor", context.SUPERVISOR)
    _program(place / "python" / "bin" / "python", '#!/bin/sh\necho "$PYTHONPATH $*"\n')
    link = tmp_path / "link"
    link.symlink_to(place)

    said = subprocess.run([link / "bin" / "supervisor"], capture_output=True, text=True, check=True)

    assert said.stdout == f"{place}/code -m sandbox_bridge\n"


def test_the_browser_is_debians_unless_somebody_chose_another(tmp_path: Path):
    real = "/opt/tools/npm/node_modules/agent-browser/bin/agent-browser-linux-x64"
    stand_in = _program(tmp_path / "stand-in", '#!/bin/sh\necho "$AGENT_BROWSER_EXECUTABLE_PATH"\n')
    _program(tmp_path / "agent-browser", context.BROWSER.replace(real, str(stand_in)))

    def browser(**environment: str) -> str:
        return subprocess.run(
            [tmp_path / "agent-browser"],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()

    assert real in context.BROWSER
    assert browser() == "/usr/bin/chromium"
    assert browser(AGENT_BROWSER_EXECUTABLE_PATH="/opt/other") == "/opt/other"


def _program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path
