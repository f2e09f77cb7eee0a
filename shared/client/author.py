"""Who asks, as git knows them: the author of what comes of a prompt."""

import subprocess
from collections.abc import Callable

from shared.client.errors import Refused
from shared.client.requests import build
from shared.protocol.api import AuthorView

type GitConfig = Callable[[str], str]

_EXAMPLES = {"user.name": '"Your Name"', "user.email": "you@example.com"}


def author(git_config: GitConfig) -> AuthorView:
    """Raises `Refused` with the commands to run when git does not know."""
    found = {key: git_config(key) for key in _EXAMPLES}
    missing = [key for key, value in found.items() if not value]
    if missing:
        commands = [f"  git config --global {key} {_EXAMPLES[key]}" for key in missing]
        what = " and ".join(missing)
        raise Refused("\n".join([f"git does not know your {what}; run:", *commands]))
    try:
        return build(AuthorView, name=found["user.name"], email=found["user.email"])
    except Refused as error:
        raise Refused(f"git config user.{error}") from error


def ask_git(key: str) -> str:
    """As git resolves it where the caller stands: the repository's own before the global one."""
    try:
        answer = subprocess.run(
            ["git", "config", "--get", key], capture_output=True, check=False, stdin=None
        )
    except FileNotFoundError:
        raise Refused("git is missing: install it; outboard asks it who you are") from None
    return answer.stdout.decode("utf-8", "replace").strip() if answer.returncode == 0 else ""
