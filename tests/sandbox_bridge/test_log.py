import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox_bridge.log import MAX_BYTES, to_file


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
