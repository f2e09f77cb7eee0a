"""`python -m infra.local.aws --state DIR`: make sure of being alone, bind, wake the emulator."""

import fcntl
import importlib
import os
import socket
import sys
from pathlib import Path

from infra.local.aws import access, emulator, logs
from infra.local.aws.settings import Settings, from_command_line


def main() -> int:
    os.umask(0o077)  # sessions and secrets are in these files
    settings = from_command_line(sys.argv[1:], os.environ)
    settings.state.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = _lock(settings.state)
    if lock is None:
        return _refuse(f"another host is using {str(settings.state)!r}")
    try:
        listening = socket.create_server(("127.0.0.1", settings.port), backlog=1024)
    except OSError as error:
        return _refuse(f"cannot listen on 127.0.0.1:{settings.port}: {error.strerror}")
    _run(settings, listening)
    return 0


def _run(settings: Settings, listening: socket.socket) -> None:
    key = access.load_or_create(settings.access_key_file)
    kept = {name: os.environ[name] for name in emulator.PASSED_ON if name in os.environ}
    os.environ.clear()
    os.environ.update(kept)
    os.environ.update(emulator.environment(settings.state, listening.getsockname()[1], key))
    logs.configure()
    host = importlib.import_module("infra.local.aws.host")  # reads the environment set above
    host.run(settings, key, listening)


def _lock(state: Path) -> int | None:
    """Held until the process ends, however it ends."""
    descriptor = os.open(state / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return None
    return descriptor


def _refuse(sentence: str) -> int:
    print(f"outboard aws host: {sentence}", file=sys.stderr)  # noqa: T201 - the user's answer
    return 1


if __name__ == "__main__":
    sys.exit(main())
