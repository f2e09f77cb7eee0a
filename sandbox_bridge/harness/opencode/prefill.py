"""Puts what OpenCode would install from npm into its configuration folders before it looks.

OpenCode installs `@opencode-ai/plugin` into every configuration folder: its own under HOME and a
repository's `.opencode/`. It leaves a folder alone that has `node_modules` and a lock file that
names the package. A folder that asks for more packages is left to OpenCode: it needs the network.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

PLUGIN: Final = "@opencode-ai/plugin"
_DEPENDENCIES: Final = (
    "dependencies",
    "devDependencies",
    "peerDependencies",
    "optionalDependencies",
)
_BINARY: Final = "opencode-linux-x64"


def prefill(folder: Path, packages: Path) -> bool:
    """Links `packages`, a node_modules, into `folder`; false when the folder needs more than those.

    Repeated at every start: a sandbox may wake up beside a newer template.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = folder / "package-lock.json"
    wanted = _named_in(_read(folder / "package.json")) - {PLUGIN}
    locked = _named_in(_read(lock).get("packages", {}).get("", {}))
    if wanted or (os.path.lexists(lock) and PLUGIN not in locked):
        return False
    _link(folder / "node_modules", packages)
    if not os.path.lexists(lock):
        lock.write_text(json.dumps({"packages": {"": {"dependencies": {PLUGIN: "*"}}}}))
    return True


def hide(folder: Path) -> None:
    """Keeps what `prefill` made in a checkout out of git's sight; no tracked file is touched."""
    exclude = folder.parent / ".git" / "info" / "exclude"
    rules = f"/{folder.name}/node_modules\n/{folder.name}/package-lock.json\n"
    if not exclude.parent.is_dir() or rules in _text(exclude):
        return
    with exclude.open("a") as file:
        file.write(f"\n{rules}")


def _link(modules: Path, packages: Path) -> None:
    """A folder of links, not a link: an install of the agent's own must not reach the template."""
    if modules.exists() and not (modules / PLUGIN).is_symlink():
        return
    for name in _top_level(packages):
        link = modules / name
        link.parent.mkdir(parents=True, exist_ok=True)
        if link.is_symlink():
            link.unlink()
        if not link.exists():
            link.symlink_to(packages / name)


def _top_level(packages: Path) -> Iterator[str]:
    for entry in packages.iterdir():
        if entry.name.startswith("@"):
            yield from (f"{entry.name}/{scoped.name}" for scoped in entry.iterdir())
        elif not entry.name.startswith(".") and entry.name != _BINARY:
            yield entry.name


def _named_in(package: dict[str, Any]) -> frozenset[str]:
    return frozenset(name for kind in _DEPENDENCIES for name in package.get(kind) or ())


def _read(path: Path) -> dict[str, Any]:
    """A file that isn't there or isn't JSON names nothing, as OpenCode sees it too."""
    try:
        return json.loads(path.read_text())
    except (FileNotFoundError, ValueError):
        return {}


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""
