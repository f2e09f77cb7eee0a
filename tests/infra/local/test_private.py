"""Files that are their owner's alone."""

from pathlib import Path

from infra.local import private


def test_what_is_private_replaces_what_was_not(tmp_path: Path):
    (tmp_path / "file").write_text("old")
    (tmp_path / "file").chmod(0o644)

    private.write(tmp_path / "file", "new")

    assert (tmp_path / "file").read_text() == "new"
    assert (tmp_path / "file").stat().st_mode & 0o077 == 0
