"""One transaction per outermost block, kept whatever the block does, and a full disk is the end."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from textwrap import dedent

import pytest

from infra.local.aws.ledger import Ledger

_PUT = "INSERT INTO alias VALUES (?, ?)"


def _rows(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as other:
        return [prefix for (prefix,) in other.execute("SELECT prefix FROM alias ORDER BY 1")]


def test_nested_blocks_are_one_transaction(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    with closing(Ledger(path)) as ledger:
        with ledger.transaction():
            with ledger.transaction():
                ledger.write(_PUT, "/a", "x")
            ledger.write(_PUT, "/b", "x")
            seen_inside = _rows(path)

        assert seen_inside == []
        assert _rows(path) == ["/a", "/b"]


def test_a_block_that_raises_is_kept_because_memory_keeps_it_too(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    with closing(Ledger(path)) as ledger:
        with pytest.raises(LookupError):
            _write_and_fail(ledger)

        assert _rows(path) == ["/a"]


def _write_and_fail(ledger: Ledger) -> None:
    with ledger.transaction():
        ledger.write(_PUT, "/a", "x")
        raise LookupError


def test_a_write_that_fails_ends_the_process(tmp_path: Path) -> None:
    code = dedent("""
        import pathlib, sys
        from infra.local.aws.ledger import Ledger
        ledger = Ledger(pathlib.Path(sys.argv[1]))
        ledger.write("INSERT INTO nowhere VALUES (1)")
        print("went on")
    """)

    ended = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "state.sqlite")],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[4],
        timeout=20,
    )

    assert (ended.returncode, ended.stdout) == (os.EX_IOERR, "")
    assert "state_not_written" in ended.stderr
