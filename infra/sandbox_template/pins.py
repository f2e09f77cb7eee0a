"""The versions that the sandbox template holds, each read from the one file that pins it."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from layers.artifact import ROOT

LOCKS = Path(__file__).with_name("locks")
AGENTS = ROOT / "sandbox_bridge"
"""Where npm's agents are pinned, for local sandboxes too."""

PYTHON = "3.12"
"""For whatever the repositories need; the bridge runs on it as well, in an environment of its own.

`make sandbox-python` runs the bridge's tests on this one.
"""

IMAGE = "python:3.12.13-bookworm"
DEBIAN = "12"
NPM = "11.17.0"
"""Node's wheel carries it."""

CLAUDE = "2.1.332"
"""What the locked SDK of Claude Agent carries."""


def npm(folder: Path) -> Mapping[str, str]:
    return json.loads((folder / "package.json").read_text())["dependencies"]


def locked(lock: Path) -> Mapping[str, str]:
    """Versions by name, of a file of requirements with hashes."""
    return dict(re.findall(r"^([a-z0-9-]+)==([^\s;]+)", lock.read_text(), re.MULTILINE))
