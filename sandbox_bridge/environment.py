"""The environment of everything that runs for the session: scripts, git, the agent and its tools.

It is made of what the launch gave and of a few names of the machine's. What the bridge itself needs
to run, its PYTHONPATH for one, is not for the agent's own Python.
"""

from collections.abc import Mapping
from typing import Final

from sandbox_bridge.paths import Paths

MARKER: Final = "OUTBOARD_RUNTIME"
"""Stands in the environment of all that a bridge starts, so that a later supervisor finds it."""

SERVICE: Final = "OUTBOARD_SERVICE"
"""Stands in the environment of what a repository's own script starts: no turn ends that."""

_FROM_THE_MACHINE: Final = (
    "LANG",
    "LC_ALL",
    "LOGNAME",
    "NO_PROXY",
    "OUTBOARD_SANDBOX_OF",  # by which the local sandbox host knows its sandboxes' processes
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "SHELL",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
    "http_proxy",
    "https_proxy",
    "no_proxy",
)
_PLAIN_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def for_session(own: Mapping[str, str], given: Mapping[str, str], paths: Paths) -> dict[str, str]:
    machine = {name: own[name] for name in _FROM_THE_MACHINE if name in own}
    # The template's programs come last: what the repository's image has is what its authors meant.
    first, last = str(paths.wrappers), str(paths.template / "bin")
    given_places = own.get("PATH", _PLAIN_PATH).split(":")
    places = [place for place in given_places if place not in {first, last}]
    path = ":".join((first, *places, last))
    ours = {
        "HOME": str(paths.home),
        "GIT_TERMINAL_PROMPT": "0",
        # A sandbox's root may lie inside somebody's repository: that one is not the agent's.
        "GIT_CEILING_DIRECTORIES": str(paths.root),
        MARKER: str(paths.runtime),
    }
    return {**machine, "PATH": path, **given, **ours}
