"""What OpenCode remembers of a turn has no secrets in it, in no byte of its files."""

import json
import sqlite3
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import pytest

from sandbox_bridge.harness.opencode.memory import hide_secrets
from sandbox_bridge.redaction import Redactor

SECRET = 'canary-"5d2f"\nand-more'
REDACT = Redactor({}, others=[SECRET])
SCHEMA = """
PRAGMA journal_mode = WAL;
CREATE TABLE part (id text PRIMARY KEY, session_id text NOT NULL, time integer, data text NOT NULL);
CREATE TABLE todo (session_id text, content text NOT NULL);
"""


@pytest.fixture
def opencode(tmp_path: Path) -> Generator[sqlite3.Connection]:
    """Its own connection stays open, as that of a server that waits for the next prompt."""
    with closing(sqlite3.connect(tmp_path / "opencode.db", isolation_level=None)) as database:
        database.executescript(SCHEMA)
        yield database


def bytes_of(directory: Path) -> bytes:
    return b"".join(path.read_bytes() for path in directory.rglob("*") if path.is_file())


def part(output: str) -> str:
    return json.dumps({"type": "tool", "state": {"output": output, "list": [output, 1, None]}})


def test_a_secret_is_in_no_byte_and_the_rest_is_as_it_was(
    opencode: sqlite3.Connection, tmp_path: Path
):
    for size in (10, 100, 100_000):
        # As it runs, its output grows, and each time the row is written anew.
        text = part(f"{'x' * size}{SECRET}")
        opencode.execute("INSERT OR REPLACE INTO part VALUES ('p1', 's1', 1, ?)", [text])
    opencode.execute("INSERT INTO part VALUES ('p2', 's1', 2, ?)", [part("plain")])
    opencode.execute("INSERT INTO todo VALUES ('s1', ?)", [f"use {SECRET}"])
    assert b"5d2f" in bytes_of(tmp_path)

    hide_secrets(tmp_path, REDACT)

    assert b"5d2f" not in bytes_of(tmp_path)
    rows = dict(opencode.execute("SELECT id, data FROM part").fetchall())
    hidden = json.loads(rows["p1"])["state"]
    assert hidden == {"output": f"{'x' * 100_000}[redacted]", "list": [hidden["output"], 1, None]}
    assert rows["p2"] == part("plain")
    assert opencode.execute("SELECT content FROM todo").fetchone() == ("use [redacted]",)


def test_it_is_done_again_after_each_turn_and_opencode_goes_on_writing(
    opencode: sqlite3.Connection, tmp_path: Path
):
    for turn in range(3):
        opencode.execute("INSERT INTO todo VALUES (?, ?)", [str(turn), f"{turn} {SECRET}"])
        hide_secrets(tmp_path, REDACT)
        assert b"5d2f" not in bytes_of(tmp_path)

    found = opencode.execute("SELECT content FROM todo ORDER BY session_id").fetchall()
    assert found == [(f"{turn} [redacted]",) for turn in range(3)]


def test_what_was_too_long_for_the_conversation_is_hidden_too(tmp_path: Path):
    outputs = tmp_path / "tool-output"
    outputs.mkdir()
    (outputs / "tool_1").write_bytes(f"a {SECRET} b\xff".encode("latin-1"))
    (outputs / "tool_2").write_bytes(b"plain \xff")

    hide_secrets(tmp_path, REDACT)

    assert (outputs / "tool_1").read_bytes() == b"a [redacted] b\xff"
    assert (outputs / "tool_2").read_bytes() == b"plain \xff"


def test_what_cannot_be_read_ends_no_turn(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    (tmp_path / "opencode.db").write_bytes(b"no database" * 100)

    hide_secrets(tmp_path, REDACT)

    assert "opencode_memory_not_hidden" in caplog.text
