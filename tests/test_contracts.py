"""The import contracts have been seen to break: each, by the import that it is there to forbid."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("functions", "infra", "layers", "sandbox_bridge", "shared")
FORBIDDEN = {
    "Functions stand on wiring": ("shared/wiring/__init__.py", "functions.http_api.handler"),
    "Inside shared, dependencies point inwards": ("shared/app/desk.py", "shared.edge.errors"),
    "The domain is plain Python": ("shared/domain/timeline.py", "pydantic"),
    "The protocol is pydantic and nothing else": ("shared/protocol/base.py", "httpx"),
    "Use cases and entry points know ports": ("shared/app/tokens.py", "botocore.session"),
    "Only its own package knows pynamodb": ("shared/edge/task.py", "pynamodb"),
    "Functions do not know each other": (
        "functions/client_auth/handler.py",
        "functions.bridge_auth.handler",
    ),
    "The client stands on the protocol alone": ("shared/client/follow.py", "shared.app.tokens"),
    "The bridge ships with the domain": ("sandbox_bridge/paths.py", "shared.settings"),
    "Infrastructure names code": ("infra/names.py", "shared.domain.timeline"),
    "No cycles": ("shared/domain/errors.py", "shared.protocol.base"),
}


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What import-linter says of a copy in which every contract is broken at once."""
    copy = tmp_path_factory.mktemp("broken")
    shutil.copy(ROOT / "pyproject.toml", copy)
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, copy / package, ignore=shutil.ignore_patterns("node_modules")
        )
    for file, module in FORBIDDEN.values():
        with (copy / file).open("a") as source:
            source.write(f"\nimport {module}\n")
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [str(linter), "--no-cache", "--no-logo"],
        cwd=copy,
        env={"PATH": str(linter.parent), "PYTHONPATH": str(copy), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    return done.stdout


@pytest.mark.parametrize("contract", FORBIDDEN)
def test_a_contract_breaks_by_what_it_forbids(contract: str, broken: str):
    said = [line for line in broken.splitlines() if line.startswith(contract)]

    assert any("BROKEN" in line for line in said), broken[:3_000]
