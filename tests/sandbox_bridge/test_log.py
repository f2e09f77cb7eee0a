import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox_bridge.log import MAX_BYTES, hide, to_file
from sandbox_bridge.redaction import Redactor


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    path = tmp_path / "log/bridge.log"
    to_file(path)
    yield path
    for handler in root.handlers:
        handler.close()
    root.handlers[:], root.level = before, level


def test_a_line_is_an_object_with_the_event_and_its_fields(file: Path):
    logging.getLogger("x").info("refused", extra={"code": "quota"})

    line = json.loads(file.read_text())
    assert (line["event"], line["code"], line["level"], line["from"]) == (
        "refused",
        "quota",
        "info",
        "x",
    )


def test_a_failure_has_its_traceback(file: Path):
    try:
        int("bad")
    except ValueError:
        logging.getLogger("x").exception("boot")

    assert "ValueError: invalid" in json.loads(file.read_text())["traceback"]


def test_the_file_stays_small(file: Path):
    for _ in range(400):
        logging.getLogger("x").info("big", extra={"text": "x" * 10_000})

    sizes = [each.stat().st_size for each in file.parent.iterdir()]
    assert len(sizes) == 2
    assert max(sizes) <= MAX_BYTES


def test_a_secret_is_in_no_part_of_a_line(file: Path):
    hide(Redactor({}, others=["correct-horse"]))
    try:
        int("correct-horse")
    except ValueError:
        extra = {"path": Path("correct-horse"), "fields": {"correct-horse": ["correct-horse"]}}
        logging.getLogger("x").exception("of %s", "correct-horse", extra=extra)

    line = file.read_text()
    assert "correct-horse" not in line
    assert json.loads(line)["event"] == "of [redacted]"
    assert json.loads(line)["fields"] == {"[redacted]": ["[redacted]"]}
    assert "ValueError: invalid literal for int() with base 10: '[redacted]'" in line
