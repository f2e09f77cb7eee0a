from pathlib import Path

import sandbox_bridge.wire.frame as frames
from sandbox_bridge.wire.encoding import encoded, payload
from sandbox_bridge.wire.outbox import Outbox
from shared.protocol.events import PromptStarted

FRAME = frames.build("f1", "cursor", [encoded(payload(PromptStarted(prompt=1)))])


def test_a_kept_frame_is_found_to_the_letter(tmp_path: Path):
    Outbox(tmp_path, "s", 1).keep(FRAME)

    assert Outbox(tmp_path, "s", 1).open() == FRAME


def test_a_forgotten_frame_is_gone(tmp_path: Path):
    outbox = Outbox(tmp_path, "s", 1)
    outbox.keep(FRAME)

    outbox.forget()

    assert outbox.open() is None


def test_the_outboxes_of_other_attempts_are_deleted_unread(tmp_path: Path):
    for session, attempt in (("s", 1), ("s", 3), ("other", 2)):
        Outbox(tmp_path, session, attempt).keep(FRAME)
    (tmp_path / "s.1").write_bytes(b"\xff not even text")

    found = Outbox(tmp_path, "s", 2).open()

    assert found is None
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_frame_is_deleted(tmp_path: Path):
    (tmp_path / "s.1").write_text('{"type": "frame"}')

    assert Outbox(tmp_path, "s", 1).open() is None
    assert list(tmp_path.iterdir()) == []


def test_only_the_owner_can_read_it(tmp_path: Path):
    Outbox(tmp_path / "outbox", "s", 1).keep(FRAME)

    assert (tmp_path / "outbox/s.1").stat().st_mode & 0o077 == 0
