"""The files that are copied into the sandbox template."""

import shutil
from pathlib import Path

from infra.sandbox_template import pins
from layers.artifact import BUILD, ROOT, copy_package, fingerprint, make
from layers.packages import LAMBDA_PLATFORM, LOCK, PROJECT, pin

CODE = ("sandbox_bridge", "shared/domain", "shared/protocol")
"""All that a sandbox has of us."""

SUPERVISOR = """\
#!/bin/sh
place=$(dirname "$(dirname "$(readlink -f "$0")")")
PYTHONPATH="$place/code" exec "$place/python/bin/python" -m sandbox_bridge "$@"
"""

# Debian's browser needs no download; its own sandbox needs privileges that this one doesn't give.
BROWSER = """\
#!/bin/sh
: "${AGENT_BROWSER_EXECUTABLE_PATH:=/usr/bin/chromium}"
: "${AGENT_BROWSER_ARGS:=--no-sandbox,--disable-gpu,--disable-dev-shm-usage}"
export AGENT_BROWSER_EXECUTABLE_PATH AGENT_BROWSER_ARGS
exec /opt/tools/npm/node_modules/agent-browser/bin/agent-browser-linux-x64 "$@"
"""

GH = "sandbox_bridge/credentials/gh.sh"
"""Stands before Debian's own, also in a shell that makes up its PATH anew."""

_NPM = ("package.json", "package-lock.json")
_ON_SANDBOXES = ("--python-version", pins.PYTHON, "--python-platform", LAMBDA_PLATFORM)


def context() -> Path:
    """A directory with these files, made again when any of it has changed."""
    target = BUILD / "sandbox-template"
    make(target, _fingerprint(), _stage)
    return target


def _fingerprint() -> str:
    code = (*(ROOT / name for name in CODE), ROOT / "shared" / "__init__.py")
    # This package decides what is done with the files, so a build is named after all of it.
    return fingerprint((*code, LOCK, PROJECT, ROOT / ".npmrc", Path(__file__).parent))


def version(files: Path) -> str:
    """A tag for a build of these files: the same for the same definition."""
    return files.with_name(f"{files.name}.made-from").read_text()[:12]


def _stage(draft: Path) -> None:
    for name in CODE:
        copy_package(ROOT / name, draft / "code" / name, without=("node_modules",))
    shutil.copy(ROOT / "shared" / "__init__.py", draft / "code" / "shared")
    pin("bridge", draft / "bridge.txt", _ON_SANDBOXES)
    for name in ("claude.txt", "tools.txt"):
        shutil.copy(pins.LOCKS / name, draft)
    _stage_npm(draft / "agents", pins.AGENTS)
    _stage_npm(draft / "tools", pins.LOCKS)
    (draft / "supervisor").write_text(SUPERVISOR)
    (draft / "agent-browser").write_text(BROWSER)
    shutil.copy(ROOT / GH, draft / "gh")


def _stage_npm(target: Path, source: Path) -> None:
    target.mkdir()
    for file in (*(source / name for name in _NPM), ROOT / ".npmrc"):
        shutil.copy(file, target)
