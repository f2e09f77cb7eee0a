"""What every local sandbox has at /opt/outboard: the bridge on a Python of its own, and OpenCode.

bin/supervisor   starts the bridge
bin/opencode     and whatever else a sandbox needs that this machine has outside of /usr
first/gh         stands before this machine's own, if it has one, and gets a token for it
python/          a virtual environment: the `bridge` group, sandbox_bridge, shared.{domain,protocol}
opencode/        what sandbox_bridge/package.json pins, from npm

Other tools are this machine's own, or missing: `python -m infra.sandbox_template check --local`
says which. Claude Agent is left out: its SDK is a download of 178 MB and takes 400 MB here.
"""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from infra.local.builds import as_program
from infra.local.refusal import Refusal
from layers import packages
from layers.artifact import BUILD, ROOT, copy_package, fingerprint, make

TEMPLATE = BUILD / "local-sandbox-template"

_BRIDGE = ROOT / "sandbox_bridge"
_SHARED = ("domain", "protocol")
_NPM = (_BRIDGE / "package.json", _BRIDGE / "package-lock.json", ROOT / ".npmrc")
_PROGRAMS = ("node", "npm", "npx", "git", "rg")
_OPENCODE = "opencode/node_modules/opencode-linux-x64/bin/opencode"
_GH = _BRIDGE / "credentials/gh.sh"
_SEEN = ("/usr/", "/bin/")
"""A sandbox sees these as they are here."""

_SUPERVISOR = """\
#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/../python/bin/python" -I -m sandbox_bridge "$@"
"""


def built() -> Path:
    """Raises `Refusal` or `BuildFailed`."""
    sources = (_BRIDGE, *(ROOT / "shared" / part for part in _SHARED), *_NPM)
    pins = (packages.LOCK, packages.PROJECT, ROOT / "layers", Path(__file__))
    programs = (shutil.which(program) or "" for program in _PROGRAMS)
    here = (sys.base_prefix, sys.version, *programs)
    make(TEMPLATE, fingerprint((*sources, *pins), *here), _build)
    return TEMPLATE


def _build(draft: Path) -> None:
    with ThreadPoolExecutor() as pool:
        parts = [pool.submit(_python, draft), pool.submit(_opencode, draft)]
    for part in parts:
        part.result()
    _bin(draft / "bin")
    _first(draft / "first")


def _python(draft: Path) -> None:
    site = packages.install_into(draft / "python", "bridge")
    copy_package(_BRIDGE, site / "sandbox_bridge", without=("package*.json", "node_modules"))
    for part in _SHARED:
        copy_package(ROOT / "shared" / part, site / "shared" / part)
    (site / "shared" / "__init__.py").touch()
    packages.compile_all(site, shown_as=f"/opt/outboard/{site.relative_to(draft)}")


def _opencode(draft: Path) -> None:
    target = draft / "opencode"
    target.mkdir()
    for file in _NPM:
        if not file.is_file():
            raise Refusal(f"{file.relative_to(ROOT)} is not there: it says which OpenCode to take")
        shutil.copy(file, target)
    command = ("npm", "ci", "--ignore-scripts", "--omit=dev", "--loglevel=error")
    done = subprocess.run(command, cwd=target, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refusal(f"npm could not install OpenCode: {done.stderr.strip()[-2_000:]}")


def _bin(directory: Path) -> None:
    directory.mkdir()
    supervisor = directory / "supervisor"
    supervisor.write_text(_SUPERVISOR)
    supervisor.chmod(0o755)
    (directory / "opencode").symlink_to(Path("..") / _OPENCODE)
    for program in _PROGRAMS:
        found = shutil.which(program)
        if found and not os.path.realpath(found).startswith(_SEEN):
            (directory / program).symlink_to(found)


def _first(directory: Path) -> None:
    directory.mkdir()
    shutil.copy(_GH, directory / "gh")
    (directory / "gh").chmod(0o755)


if __name__ == "__main__":
    as_program(built)
