from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from layers import artifact
from layers.artifact import fingerprint, make


class Build:
    """Writes what it is told, and counts how often it was asked."""

    def __init__(self, text: str, *, fails: bool = False) -> None:
        self.text = text
        self.fails = fails
        self.times = 0

    def __call__(self, draft: Path) -> None:
        self.times += 1
        (draft / "made").write_text(self.text)
        if self.fails:
            raise RuntimeError("half way")


def test_what_is_up_to_date_is_not_built_again(tmp_path: Path):
    build = Build("one")

    assert make(tmp_path / "thing", "sources", build) is True
    assert make(tmp_path / "thing", "sources", build) is False

    assert build.times == 1
    assert (tmp_path / "thing" / "made").read_text() == "one"


def test_changed_sources_make_it_anew_and_leave_nothing_of_the_old(tmp_path: Path):
    make(tmp_path / "thing", "sources", Build("one"))
    (tmp_path / "thing" / "left over").touch()

    make(tmp_path / "thing", "other sources", Build("two"))

    assert [path.name for path in (tmp_path / "thing").iterdir()] == ["made"]
    assert (tmp_path / "thing" / "made").read_text() == "two"


def test_a_build_that_fails_leaves_what_was_there(tmp_path: Path):
    make(tmp_path / "thing", "sources", Build("one"))

    with pytest.raises(RuntimeError):
        make(tmp_path / "thing", "other sources", Build("two", fails=True))

    assert (tmp_path / "thing" / "made").read_text() == "one"
    assert make(tmp_path / "thing", "sources", Build("never")) is False


def test_who_asks_meanwhile_waits_for_the_one_build(tmp_path: Path):
    begun, go = Event(), Event()
    build = Build("one")

    def slow(draft: Path) -> None:
        begun.set()
        assert go.wait(10)
        build(draft)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(make, tmp_path / "thing", "sources", slow)
        assert begun.wait(10)
        second = pool.submit(make, tmp_path / "thing", "sources", build)
        go.set()

    assert (first.result(), second.result()) == (True, False)
    assert build.times == 1


def test_a_fingerprint_is_of_names_contents_and_words(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(artifact, "ROOT", tmp_path)
    source = tmp_path / "source"
    source.mkdir()
    seen = set[str]()
    for change in (
        lambda: (source / "a").write_text("1"),
        lambda: (source / "a").write_text("2"),
        lambda: (source / "a").rename(source / "b"),
    ):
        change()
        seen.add(fingerprint((source,)))
    seen.add(fingerprint((source,), "word"))

    (source / "__pycache__").mkdir()
    (source / "__pycache__" / "b.pyc").touch()

    assert len(seen) == 4
    assert fingerprint((source,), "word") in seen
