"""Every place of a machine where somebody may look, with what is there."""

import sqlite3
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from infra.local.aws import access
from infra.local.deploy import Target
from tests.e2e.machine import Machine
from tests.e2e.talk import Asks

type Place = tuple[str, str]


def answers(asks: Asks, paths: Iterable[str]) -> Generator[Place]:
    for path in paths:
        yield path, str(asks("GET", path))


def logs(machine: Machine) -> Generator[Place]:
    """Of the machine's programs, of functions, and of the bridge where the sandbox keeps it."""
    found = list(machine.directory.rglob("*.log"))
    assert {"lambda.log", "bridge.log", "run.log"} <= {log.name for log in found}
    for log in found:
        yield str(log), log.read_text(errors="replace")


def items(machine: Machine) -> Generator[dict[str, Any]]:
    """Of every table."""
    key = access.load_or_create(machine.state / "aws.key")
    dynamodb = Target(f"http://127.0.0.1:{machine.port}", key).client("dynamodb")
    tables = dynamodb.list_tables()["TableNames"]
    assert tables
    for table in tables:
        for page in dynamodb.get_paginator("scan").paginate(TableName=table):
            yield from page["Items"]


def aws(machine: Machine) -> Generator[Place]:
    """All that the AWS of one machine has kept: tables, executions, invocations, deployments.

    But not what its Secrets Manager holds: that is where a deployment's keys are.
    """
    file = machine.state / "aws" / "state.sqlite"
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as kept:
        names = [name for (name,) in kept.execute("SELECT name FROM sqlite_master")]
        for table in (name for name in names if not name.startswith("sqlite_")):
            for row in kept.execute(f"SELECT * FROM {table}"):
                if (table, row[0]) != ("snapshot", "secretsmanager"):
                    yield f"{table} {row[0]}", str(row)


def files(directory: Path) -> Generator[Place]:
    """Those of sandboxes and of their copies, for one."""
    for path in directory.rglob("*"):
        if path.is_file() and not path.is_symlink():
            yield str(path), path.read_bytes().decode("latin-1")


def found(values: Sequence[str], places: Iterable[Place]) -> list[str]:
    """Which of the values are where: what a test wants to be empty."""
    assert all(values)
    return [
        f"{value[:12]}… in {place}" for place, text in places for value in values if value in text
    ]
