"""Which paths of this machine a sandbox must see, because its template's links lead there.

A virtual environment's python is a link to an interpreter elsewhere, perhaps in somebody's home;
what is needed is the interpreter's whole prefix, and nothing else of that home.
"""

import os
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
"""Seen read-only by every sandbox, as far as this machine has them."""


class UnfitTemplate(Exception):
    """A link of it can't work in a sandbox, or would show what sandboxes must never see."""


def outside_paths(template: Path, interpreter: Path, private: Iterable[Path]) -> tuple[Path, ...]:
    """What to show beyond the system and the template itself, outermost first.

    `private` are directories that no such path may contain. Raises UnfitTemplate.
    """
    leads = (interpreter, *_targets(template), *_homes(template))
    known = (*map(Path, SYSTEM), template)
    needed = {path for path in map(_installation, leads) if not _is_within(path, known)}
    for path, hidden in product(needed, private):
        if hidden.is_relative_to(path):
            raise UnfitTemplate(f"the template leads to {path}, which contains {hidden}")
    return tuple(sorted(path for path in needed if not _is_within(path, needed - {path})))


def _targets(template: Path) -> Iterator[Path]:
    """Where links lead, step by step: each step has to exist inside, too."""
    for directory, directories, files in template.walk():
        for name in (*directories, *files):
            yield from _steps(directory / name, template)


def _steps(path: Path, template: Path) -> Iterator[Path]:
    for _ in range(40):  # as many as the kernel follows
        if not path.is_symlink():
            return
        link, target = path, path.readlink()
        path = Path(os.path.normpath(link.parent / target))
        if path.is_relative_to(template):
            if target.is_absolute():
                raise UnfitTemplate(f"{link} must be a relative link: sandboxes see it elsewhere")
            return  # met by the walk itself
        yield path


def _homes(template: Path) -> Iterator[Path]:
    """A virtual environment names the interpreter's directory in its configuration as well."""
    for configuration in template.glob("*/pyvenv.cfg"):
        for line in configuration.read_text().splitlines():
            name, _, value = line.partition("=")
            if name.strip() == "home":
                yield Path(value.strip(), "python")


def _installation(path: Path) -> Path:
    """What has to be there for a program to work, and no more than that of somebody's home."""
    prefix = path.parent.parent
    if path.parent.name == "bin" and any(prefix.glob("lib/python3*/os.py")):
        return prefix
    if "node_modules" in path.parts:
        package = len(path.parts) - path.parts[::-1].index("node_modules")
        scoped = path.parts[package].startswith("@")
        return Path(*path.parts[: package + (2 if scoped else 1)])
    return path


def _is_within(path: Path, roots: Iterable[Path]) -> bool:
    return any(path.is_relative_to(root) for root in roots)
