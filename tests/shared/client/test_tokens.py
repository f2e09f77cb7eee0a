"""A user's token in a file of this machine."""

import stat
from pathlib import Path

import pytest

from shared.client.errors import Refused
from shared.client.tokens import keep


def test_the_file_is_its_owners_alone_and_replaces_the_old_one(tmp_path: Path):
    path = tmp_path / "users" / "ada.token"

    keep(path, "old")
    keep(path, "new")

    assert path.read_text() == "new\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert list(path.parent.iterdir()) == [path]


def test_a_token_that_cannot_be_kept_is_said_to_be_lost(tmp_path: Path):
    (tmp_path / "users").write_text("in the way")

    with pytest.raises(Refused, match="outboard user token ada"):
        keep(tmp_path / "users" / "ada.token", "t")
