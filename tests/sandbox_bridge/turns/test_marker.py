from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox_bridge.turns.marker import Marker


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state/marker.json"


def test_there_is_none_at_first(path: Path):
    assert Marker(path, "s1").prompt == 0


def test_a_later_bridge_finds_it(path: Path):
    Marker(path, "s1").advance(7)

    assert Marker(path, "s1").prompt == 7


@given(st.lists(st.integers(1, 9), min_size=1))
def test_it_never_goes_back(tmp_path_factory: pytest.TempPathFactory, prompts: list[int]):
    path = tmp_path_factory.mktemp("state") / "marker.json"
    marker = Marker(path, "s1")

    for prompt in prompts:
        marker.advance(prompt)

    assert marker.prompt == Marker(path, "s1").prompt == max(prompts)


def test_that_of_another_session_is_none(path: Path):
    Marker(path, "s0").advance(7)

    marker = Marker(path, "s1")

    assert marker.prompt == 0
    marker.advance(1)
    assert (Marker(path, "s1").prompt, Marker(path, "s0").prompt) == (1, 0)


@pytest.mark.parametrize("content", [b"", b"\xff", b"[]", b'{"session": "s1"}', b"null"])
def test_one_that_cannot_be_read_is_none(path: Path, content: bytes):
    path.parent.mkdir()
    path.write_bytes(content)

    assert Marker(path, "s1").prompt == 0


def test_where_no_new_file_can_be_made_it_is_written_in_place(path: Path):
    marker = Marker(path, "s1")
    marker.advance(123)
    path.with_name(f".{path.name}.draft").mkdir()  # in the way of every new file

    told = marker.advance(124)

    assert told
    assert Marker(path, "s1").prompt == 124


def test_one_that_cannot_be_written_at_all_ends_no_turn(path: Path):
    path.parent.mkdir()
    path.mkdir()

    marker = Marker(path, "s1")
    told = marker.advance(1)

    assert path.is_dir()
    assert (told, marker.prompt) == (False, 0)
