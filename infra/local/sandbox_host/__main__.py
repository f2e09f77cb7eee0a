"""`python -m infra.local.sandbox_host`: run the host in the foreground."""

import argparse
import asyncio
import os
import sys
from pathlib import Path

from infra.local.sandbox_host.choice import FORCED, NoIsolation
from infra.local.sandbox_host.serving import AS_ALWAYS, CannotServe, Parts, Settings, run
from infra.local.sandbox_host.store import Unreadable
from infra.local.sandbox_host.visible import UnfitTemplate


def main(parts: Parts = AS_ALWAYS) -> int:
    arguments = _parser().parse_args()
    try:
        asyncio.run(run(_settings(arguments), parts))
    except (CannotServe, NoIsolation, UnfitTemplate, Unreadable, OSError) as error:
        print(f"sandbox host: {error}", file=sys.stderr)  # noqa: T201 - the user's answer
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m infra.local.sandbox_host", description=__doc__)
    parser.add_argument("--port", type=int, required=True, help="on 127.0.0.1; 0 for any")
    parser.add_argument("--state", type=Path, required=True, help="the sandboxes' directory")
    parser.add_argument("--template", type=Path, required=True, help="shown at /opt/outboard")
    parser.add_argument("--api-key-file", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=20, help="sandboxes that may run at once")
    return parser


def _settings(arguments: argparse.Namespace) -> Settings:
    api_key = arguments.api_key_file.read_text().strip()
    if not api_key:
        raise CannotServe(f"{arguments.api_key_file} holds no key")
    if not arguments.template.is_dir():
        raise CannotServe(f"there is no template at {arguments.template}")
    return Settings(
        port=arguments.port,
        state=arguments.state,
        template=arguments.template,
        api_key=api_key,
        limit=arguments.limit,
        isolation=os.environ.get(FORCED) or None,
    )


if __name__ == "__main__":
    raise SystemExit(main())
