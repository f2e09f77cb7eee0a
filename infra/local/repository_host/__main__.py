"""`python -m infra.local.repository_host` serves local repositories until told to stop."""

import argparse
import asyncio
import signal
import socket
import sys
from pathlib import Path
from typing import cast

from hypercorn.asyncio import serve
from hypercorn.config import Config
from hypercorn.typing import ASGIFramework

from infra.local.repository_host.app import application
from infra.local.repository_host.registry import Registry

_GRACE = 2


def main() -> None:
    given = _parser().parse_args()
    try:
        listening = socket.create_server(("127.0.0.1", given.port))
    except OSError as error:
        sys.exit(f"repository host: port {given.port} is not free: {error.strerror}")
    port = listening.getsockname()[1]
    app = application(Registry(given.registry), given.key_file.read_text().strip(), port)
    print(f"repository host listening on http://127.0.0.1:{port}", flush=True)  # noqa: T201 - the one line
    # The two libraries describe the same protocol with types that do not meet.
    asyncio.run(_serve(cast("ASGIFramework", app), listening))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m infra.local.repository_host")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--registry", type=Path, required=True, help="the file that keeps the ids")
    parser.add_argument("--key-file", type=Path, required=True, help="opens the registration")
    return parser


async def _serve(app: ASGIFramework, listening: socket.socket) -> None:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    config = Config()
    config.bind = [f"fd://{listening.detach()}"]
    config.graceful_timeout = 1
    config.loglevel = "WARNING"
    serving = asyncio.create_task(serve(app, config, shutdown_trigger=stopped.wait))
    await stopped.wait()
    # hypercorn waits for every open connection, and a client may never close its own.
    await asyncio.wait((serving,), timeout=_GRACE)


if __name__ == "__main__":
    main()
