"""The host itself: MiniStack with every adapter installed, restored from disk, served on loopback.

Imported only when the environment is set (`__main__`): MiniStack reads it at import.
"""

import asyncio
import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

from hypercorn.asyncio import serve
from hypercorn.config import Config
from ministack import app
from ministack.services import eventbridge, lambda_svc, scheduler

from infra.local.aws import (
    callbacks,
    emulator,
    executions,
    frames,
    http_events,
    invocations,
    items,
    objects,
    ordering,
    schedules,
    snapshots,
    sockets,
)
from infra.local.aws.access import AccessKey
from infra.local.aws.administration import Administration
from infra.local.aws.aliases import Aliases
from infra.local.aws.front_door import FrontDoor
from infra.local.aws.lambdas import adapter
from infra.local.aws.lambdas.deployed import machine
from infra.local.aws.lambdas.log import LambdaLog
from infra.local.aws.lambdas.pool import Pool
from infra.local.aws.lambdas.process import Nursery
from infra.local.aws.ledger import Ledger
from infra.local.aws.settings import Settings
from infra.local.aws.sockets import Application, Receive, Send

assert emulator.VERSION == "1.5.33", "written for the private names of this MiniStack"

logger = logging.getLogger(__name__)

_HOUSEKEEPING = timedelta(seconds=30)


def run(settings: Settings, key: AccessKey, listening: socket.socket) -> None:
    started = time.monotonic()
    port = listening.getsockname()[1]
    log = LambdaLog(settings.state / "logs" / "lambda.log")
    nursery = Nursery(log.descriptor, preload=settings.checkout is not None)
    ledger = Ledger(settings.state / "state.sqlite")
    loaded = _restore(ledger)
    pool = Pool(nursery.spawn, settings.workers_per_function)
    functions = machine(port, key, settings.state / "code", settings.checkout)
    adapter.install(functions, pool, before_functions=nursery.start)
    queue = invocations.Queue(ledger)
    invocations.install(queue)
    duties = (pool.reap, log.rotate, lambda: items.forget_tokens(ledger), objects.expire)
    _every(_HOUSEKEEPING, *duties)

    def ready() -> None:
        if lambda_svc._functions.has_any():
            nursery.start()
        eventbridge.start_scheduler()
        scheduler.start_scheduler()
        executions.resume()
        queue.resume()
        took = round(time.monotonic() - started, 3)
        logger.info("started", extra={"port": port, "items": loaded, "seconds": took})
        print(f"outboard aws host listening on {emulator.endpoint(port)}", flush=True)  # noqa: T201 - the one line

    limited = sockets.install(app.app, idle=settings.socket_idle, lifetime=settings.socket_lifetime)
    aliases = Aliases(ledger)
    door = FrontDoor(limited, key, port, aliases, Administration(ledger, aliases))
    asyncio.run(_serve(_with_own_lifespan(door, ready), listening, nursery.stop))


def _restore(ledger: Ledger) -> int:
    """State first, adapters second: what is read from disk need not be written again."""
    schedules.remember_what_fired()
    saved = snapshots.Snapshots(ledger)
    saved.restore()
    loaded = items.restore(ledger)
    executions.restore(ledger)
    ordering.install()
    items.install(ledger)
    objects.install()
    executions.install(ledger)
    callbacks.install()
    http_events.install()
    schedules.install(ledger, lambda: saved.save({"scheduler"}))
    snapshots.install(saved)
    return loaded


def _with_own_lifespan(application: Application, ready: Callable[[], None]) -> Application:
    """Instead of MiniStack's, which looks for Docker and start scripts, and saves at the end."""

    async def serve_or_start(scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await application(scope, receive, send)
            return
        await receive()
        app._MAIN_LOOP = asyncio.get_running_loop()
        app._MAIN_LOOP.set_default_executor(ThreadPoolExecutor(max_workers=64))
        ready()
        await send({"type": "lifespan.startup.complete"})
        await asyncio.Event().wait()

    return serve_or_start


async def _serve(
    application: Application, listening: socket.socket, stop: Callable[[], None]
) -> None:
    config = Config()
    config.bind = [f"fd://{listening.detach()}"]
    config.accesslog = config.errorlog = None
    # SDKs keep connections for long; closing one under them costs a retry.
    config.keep_alive_timeout = 3600
    config.keep_alive_max_requests = 1_000_000_000
    config.websocket_max_message_size = frames.LARGEST_MESSAGE
    config.backlog = 1024
    frames.install()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, _stop, stop)
    # A trigger that never fires: hypercorn would put its own signal handlers in place of ours.
    await serve(application, config, shutdown_trigger=asyncio.Event().wait)  # pyright: ignore[reportArgumentType] - its scope is a TypedDict


def _stop(stop: Callable[[], None]) -> None:
    """Crash-only: what was answered is on disk, and the next start is that after kill -9."""
    stop()
    logger.info("stopped")
    os._exit(0)


def _every(period: timedelta, *duties: Callable[[], object]) -> None:
    def loop() -> None:
        while True:
            time.sleep(period.total_seconds())
            for duty in duties:
                duty()

    threading.Thread(target=loop, daemon=True, name="housekeeping").start()
