"""What a start of the local AWS host is told: where to listen and keep state, which limits hold."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

# API Gateway's own, fixed on AWS; shortened in tests only.
SOCKET_IDLE = timedelta(minutes=10)
SOCKET_LIFETIME = timedelta(hours=2)


@dataclass(frozen=True, slots=True)
class Settings:
    port: int
    """0 takes a free one; the line printed at start says which."""
    state: Path
    access_key_file: Path
    checkout: Path | None
    """Where `shared` is imported from by functions that were deployed without their layers."""
    socket_idle: timedelta = SOCKET_IDLE
    socket_lifetime: timedelta = SOCKET_LIFETIME
    workers_per_function: int = 8


def from_command_line(arguments: Sequence[str], environment: Mapping[str, str]) -> Settings:
    given = _parser(environment).parse_args(arguments)
    state = Path(given.state).absolute()
    return Settings(
        port=given.port,
        state=state,
        access_key_file=Path(given.access_key_file or state / "access-key.json").absolute(),
        checkout=Path(given.checkout).absolute() if given.checkout else None,
        socket_idle=timedelta(seconds=given.socket_idle_seconds),
        socket_lifetime=timedelta(seconds=given.socket_lifetime_seconds),
        workers_per_function=given.workers_per_function,
    )


def _parser(environment: Mapping[str, str]) -> argparse.ArgumentParser:
    def seconds(name: str, usual: timedelta) -> float:
        return float(environment.get(name, usual.total_seconds()))

    parser = argparse.ArgumentParser(prog="python -m infra.local.aws", description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--state", required=True, metavar="DIR")
    parser.add_argument("--access-key-file", metavar="FILE")
    parser.add_argument("--checkout", metavar="DIR")
    parser.add_argument(
        "--socket-idle-seconds",
        type=float,
        default=seconds("OUTBOARD_SOCKET_IDLE_SECONDS", SOCKET_IDLE),
    )
    parser.add_argument(
        "--socket-lifetime-seconds",
        type=float,
        default=seconds("OUTBOARD_SOCKET_LIFETIME_SECONDS", SOCKET_LIFETIME),
    )
    parser.add_argument("--workers-per-function", type=int, default=8)
    return parser
