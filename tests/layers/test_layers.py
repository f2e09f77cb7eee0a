"""What is built for Lambda works with nothing else on the path."""

import os
import subprocess
import sys
from importlib.util import MAGIC_NUMBER
from pathlib import Path

import pytest

from infra.sources import LARGEST, NoSuchFunction, UnfitClient, pages, staged
from layers import build
from layers.artifact import BUILD, ROOT
from tests.web import BUILT

pytestmark = pytest.mark.slow

FUNCTIONS = sorted(path.parent.name for path in ROOT.glob("functions/*/handler.py"))
WITH_SANDBOXES = {"sandbox_task"}

_IMPORT = """\
import importlib, sys
sys.path[:0] = sys.argv[2:]
print(importlib.import_module(sys.argv[1]).__file__)
"""


def _alone(module: str, *path: Path) -> "subprocess.CompletedProcess[str]":
    """Import with the standard library and `path`: no site-packages, no checkout."""
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", _IMPORT, module, *map(str, path)],
        cwd="/",
        env={"PATH": os.defpath, "AWS_REGION": "us-east-1", "AWS_DEFAULT_REGION": "us-east-1"},
        capture_output=True,
        text=True,
        check=False,
    )


def _python(layer: Path) -> Path:
    return layer / "python"


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_imports_with_its_layers_alone(function: str):
    layers = [build.dependencies(), build.shared()]
    if function in WITH_SANDBOXES:
        layers.insert(1, build.sandboxes())
    code = staged(function)

    imported = _alone(f"functions.{function}.handler", code, *map(_python, layers))

    assert imported.returncode == 0, imported.stderr
    assert imported.stdout.startswith(str(code))


def test_a_function_that_is_not_written_is_not_deployed():
    with pytest.raises(NoSuchFunction, match=r"functions/nobody/handler\.py is not there"):
        staged("nobody")


def test_the_pages_are_deployed_as_they_were_built_and_their_source_is_not(tmp_path: Path):
    web = pages(BUILT, target=BUILD / "functions" / "web-of-tests") / "functions" / "web"

    assert (web / "static" / "index.html").read_bytes() == (BUILT / "index.html").read_bytes()
    assert not (web / "client").exists()


def test_pages_that_are_not_built_are_not_deployed(tmp_path: Path):
    with pytest.raises(UnfitClient, match="run make client"):
        pages(tmp_path, target=tmp_path / "staged")


def test_a_file_that_could_not_be_answered_with_is_not_deployed(tmp_path: Path):
    (tmp_path / "index.html").write_text("")
    (tmp_path / "huge.js").write_bytes(bytes(LARGEST + 1))

    with pytest.raises(UnfitClient, match=r"huge\.js is too large"):
        pages(tmp_path, target=tmp_path / "staged")


def test_the_sdk_of_sandboxes_is_in_its_own_layer_only():
    assert _alone("e2b", _python(build.sandboxes())).returncode == 0
    assert _alone("e2b", _python(build.dependencies()), _python(build.shared())).returncode != 0


def test_the_client_and_the_tests_are_not_deployed():
    shared = _python(build.shared()) / "shared"

    assert (shared / "domain").is_dir()
    assert not (shared / "client").exists()
    assert [path.name for path in _python(build.shared()).iterdir()] == ["shared"]


def test_layers_hold_bytecode_that_is_never_checked_against_its_source():
    (compiled,) = (_python(build.shared()) / "shared" / "__pycache__").glob("settings.*.pyc")

    content = compiled.read_bytes()

    assert content[:4] == MAGIC_NUMBER
    assert int.from_bytes(content[4:8], "little") == 0b01  # by hash, unchecked
    assert b"/opt/python/shared/settings.py" in content


def test_a_layer_fits_into_lambda():
    layers = (build.dependencies(), build.sandboxes(), build.shared())
    megabytes = (
        sum(path.stat().st_size for layer in layers for path in layer.rglob("*") if path.is_file())
        / 2**20
    )

    assert megabytes < 250
