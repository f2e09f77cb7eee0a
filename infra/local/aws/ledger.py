"""What survives `kill -9`: one SQLite file, written before the caller is answered."""

import logging
import os
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

logger = logging.getLogger(__name__)

_SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS item (
    tbl TEXT, pk TEXT, sk TEXT, body TEXT NOT NULL, PRIMARY KEY (tbl, pk, sk)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS request_token (
    account TEXT, region TEXT, token TEXT, body TEXT NOT NULL, completed_at REAL NOT NULL,
    PRIMARY KEY (account, region, token)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS execution (arn TEXT PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS invocation (
    id TEXT PRIMARY KEY, function TEXT NOT NULL, body TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS snapshot (service TEXT PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS deployment (stack TEXT PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS alias (prefix TEXT PRIMARY KEY, target TEXT NOT NULL);
"""


class Ledger:
    """One writer, one lock: state that must last is changed inside `transaction()`.

    A block that raises is committed all the same. What it changed in memory before it raised is
    visible to the next caller, so it has to be on disk too.
    """

    def __init__(self, path: Path) -> None:
        self._lock = RLock()
        self._depth = 0
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._db.executescript(_SCHEMA)

    @contextmanager
    def transaction(self) -> Generator[None]:
        with self._lock:
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
                if self._depth == 0 and self._db.in_transaction:
                    self._execute("COMMIT")

    def write(self, statement: str, *values: Any) -> None:
        with self.transaction():
            if not self._db.in_transaction:
                self._execute("BEGIN IMMEDIATE")
            self._execute(statement, *values)

    def read(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._db.execute(statement, values).fetchall()

    def close(self) -> None:
        """Where a process goes on without it; the host itself just ends."""
        self._db.close()

    def _execute(self, statement: str, *values: Any) -> None:
        try:
            self._db.execute(statement, values)
        except sqlite3.Error:
            # Memory is ahead of the disk and nothing can be answered honestly; a start mends it.
            logger.critical("state_not_written", exc_info=True)
            os._exit(os.EX_IOERR)
