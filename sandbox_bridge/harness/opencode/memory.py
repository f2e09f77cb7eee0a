"""Hides secrets in what OpenCode remembers, which stays with the sandbox's files and their copies.

Its model has read them. What it reads again in later turns has none, as everybody's view of them.
"""

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

logger = logging.getLogger(__name__)

type Hide = Callable[[str], str]
type _Value = str | bytes | int | float | None

DATABASE = "opencode.db"
OUTPUTS = "tool-output"
"""Where it puts what was too long for the conversation."""
_PATIENCE_MS = 5_000


def hide_secrets(directory: Path, hide: Hide) -> None:
    """Safe to repeat, and while OpenCode is idle: its database is changed as by anybody else.

    What can't be changed now is told in the log, and tried again after the next turn.
    """
    try:
        _in_files(directory / OUTPUTS, hide)
        if (directory / DATABASE).exists():
            _in_database(directory / DATABASE, hide)
    except (OSError, sqlite3.Error):
        logger.warning("opencode_memory_not_hidden", exc_info=True)


def _in_files(directory: Path, hide: Hide) -> None:
    for path in directory.rglob("*") if directory.is_dir() else ():
        if path.is_file() and not path.is_symlink():
            text = path.read_text(encoding="utf-8", errors="surrogateescape")
            if (hidden := hide(text)) != text:
                path.write_text(hidden, encoding="utf-8", errors="surrogateescape")


def _in_database(path: Path, hide: Hide) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
        database.create_function("hidden", 1, partial(_hidden, hide))
        before = database.total_changes
        for table, column in _texts(database):
            changed = f'UPDATE "{table}" SET "{column}" = hidden("{column}")'  # noqa: S608
            database.execute(f'{changed} WHERE hidden("{column}") <> "{column}"')
        if database.total_changes > before:
            # Pages have earlier states of a row, until they are written anew.
            database.execute("VACUUM")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _texts(database: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (table,) in tables:
        for _, column, kind, *_ in database.execute(f'PRAGMA table_info("{table}")').fetchall():
            if kind.lower() == "text" and column != "id" and not column.endswith("_id"):
                yield table, column


def _hidden(hide: Hide, value: _Value) -> _Value:
    if not isinstance(value, str) or hide(value) == value:
        return value
    try:
        return json.dumps(_walk(json.loads(value), hide), ensure_ascii=False, separators=(",", ":"))
    except ValueError:
        return hide(value)


def _walk(value: Any, hide: Hide) -> Any:
    """JSON stays JSON, whatever is hidden in it."""
    match value:
        case str():
            return hide(value)
        case list():
            return [_walk(each, hide) for each in value]  # pyright: ignore[reportUnknownVariableType]
        case dict():
            return {hide(name): _walk(each, hide) for name, each in value.items()}  # pyright: ignore[reportUnknownVariableType,reportUnknownArgumentType]
        case _:
            return value
