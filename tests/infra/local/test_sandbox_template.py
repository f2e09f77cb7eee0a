"""The bridge runs with what the template holds, and what it doesn't need is not in there."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from infra.local import sandbox_template
from infra.sandbox_template import inspection
from layers.artifact import ROOT
from tests.infra.local.sandbox_host.hosting import prepared

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed"),
]

MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in (ROOT / "sandbox_bridge").rglob("*.py")
    if path.name != "__main__.py"
)


@pytest.fixture(scope="module")
def template() -> Path:
    return sandbox_template.built()


def _run(*command: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(word) for word in command],
        cwd="/",
        env={"PATH": os.defpath},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_module_of_the_bridge_imports_with_the_template_alone(template: Path):
    code = "import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]"

    imported = _run(template / "python/bin/python", "-I", "-c", code, *MODULES)

    assert imported.returncode == 0, imported.stderr


@pytest.mark.parametrize(
    "module", ["shared.app", "shared.adapters", "shared.client", "functions", "boto3", "pytest"]
)
def test_nothing_of_the_server_is_in_a_sandbox(template: Path, module: str):
    imported = _run(template / "python/bin/python", "-I", "-c", f"import {module}")

    assert "ModuleNotFoundError" in imported.stderr


def test_opencode_is_the_pinned_one(template: Path):
    pinned = (ROOT / "sandbox_bridge" / "package.json").read_text()

    version = _run(template / "bin/opencode", "--version").stdout.strip()

    assert f'"opencode-linux-x64": "{version}"' in pinned
    assert "node_modules" in (template / "bin/opencode").resolve().parts


@pytest.mark.sandbox
def test_a_sandbox_holds_what_one_at_e2b_does_or_is_seen_to_lack_it(template: Path):
    with prepared() as host:
        shutil.rmtree(host.root / "template")
        (host.root / "template").symlink_to(template)
        found = inspection.inspect(host.start().client, "outboard")

    states = {one.content.name: one.state for one in found}
    assert (states["OpenCode"], states["bridge"]) == ("as defined", "as defined")
    assert states["Claude Agent"] == "missing"
    assert "Claude Agent SDK" in inspection.summary(found)


def test_the_supervisor_is_started_from_wherever_the_template_is_shown(
    template: Path, tmp_path: Path
):
    (tmp_path / "outboard").symlink_to(template)

    started = _run("sh", "-n", tmp_path / "outboard/bin/supervisor")

    assert started.returncode == 0, started.stderr
    assert os.access(tmp_path / "outboard/bin/supervisor", os.X_OK)


def test_ghs_wrapper_finds_the_bridge_from_wherever_the_template_is_shown(
    template: Path, tmp_path: Path
):
    (tmp_path / "outboard").symlink_to(template)
    for program in ("dirname", "readlink"):
        (tmp_path / program).symlink_to(shutil.which(program) or "")

    started = subprocess.run(
        [tmp_path / "outboard/first/gh", "api"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (started.returncode, started.stderr) == (
        127,
        "outboard: gh is not installed in this sandbox\n",
    )
