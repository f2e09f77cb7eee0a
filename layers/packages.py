"""Installs a dependency group as the lock pins it, hashes checked, without Docker."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from layers.artifact import BUILD, ROOT

LOCK = ROOT / "layers" / "requirements.lock"
PROJECT = ROOT / "pyproject.toml"
LAMBDA_PYTHON = "3.13"
LAMBDA_PLATFORM = "x86_64-manylinux_2_28"

_FOR_LAMBDA = ("--python-version", LAMBDA_PYTHON, "--python-platform", LAMBDA_PLATFORM)


class BuildFailed(Exception):
    """With the sentence for whoever asked for the build."""


def install_for_lambda(group: str, target: Path) -> None:
    """As Lambda unpacks it to /opt: `target/python`, compiled."""
    packages = target / "python"
    _install(group, packages, _FOR_LAMBDA)
    compile_all(packages, shown_as="/opt/python")


def install_into(environment: Path, group: str) -> Path:
    """Into a new virtual environment on the interpreter that runs this; returns where it looks."""
    _run(uv(), "venv", "--quiet", "--no-project", "--python", sys.executable, str(environment))
    packages = next(environment.glob("lib/python3*/site-packages"))
    _install(group, packages, ("--python", sys.executable))
    return packages


def pin(group: str, target: Path, interpreter: Sequence[str] = _FOR_LAMBDA) -> None:
    """Write what the lock says about a group, with hashes, as a file that pip takes."""
    locked = ("--group", group, "--constraints", str(LOCK), "--generate-hashes")
    _uv("compile", *locked, "--no-header", "--no-annotate", "-o", str(target), *interpreter)


def compile_all(directory: Path, *, shown_as: str) -> None:
    """Write bytecode that is used unchecked: where it runs, files can't be written."""
    if sys.version_info[:2] != tuple(int(part) for part in LAMBDA_PYTHON.split(".")):
        raise BuildFailed(f"bytecode for Lambda needs Python {LAMBDA_PYTHON}: run make setup")
    _run(
        *(sys.executable, "-m", "compileall", "-q", "-j", "0"),
        *("--invalidation-mode", "unchecked-hash"),
        *("-s", str(directory), "-p", shown_as, str(directory)),
    )


def _install(group: str, target: Path, interpreter: Sequence[str]) -> None:
    target.mkdir(parents=True, exist_ok=True)
    pins = target.with_name("requirements.txt")
    pin(group, pins, interpreter)
    _uv("install", "--require-hashes", "--no-deps", "-r", str(pins), *interpreter, target=target)


def _uv(verb: str, *arguments: str, target: Path | None = None) -> None:
    into = ("--target", str(target)) if target else ()
    _run(uv(), "pip", verb, "--quiet", "--only-binary", ":all:", *arguments, *into)


def uv() -> str:
    """The checkout's own, else one that is on PATH."""
    own = BUILD / "uv" / "bin" / "uv"
    found = str(own) if own.is_file() else shutil.which("uv")
    if found is None:
        raise BuildFailed("uv is not here: run make setup first")
    return found


def _run(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip()[-2_000:]
        raise BuildFailed(f"{Path(command[0]).name} {' '.join(command[1:3])} failed: {said}")
