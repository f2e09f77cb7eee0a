"""Text measured in the cells of a terminal."""

import pytest

from shared.client.lines import cells, cut


@pytest.mark.parametrize(
    ("text", "width"), [("", 0), ("abc", 3), ("漢字", 4), ("e\u0301", 1), ("a\x1b", 1)]
)
def test_cells_are_what_a_terminal_uses(text: str, width: int):
    assert cells(text) == width


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("short", 5, "short"),
        ("longer", 5, "long…"),
        ("漢字漢字", 5, "漢字…"),
        ("漢字漢字", 4, "漢…"),
        ("x", 0, ""),
    ],
)
def test_a_cut_shows_that_something_is_missing(text: str, width: int, shown: str):
    assert cut(text, width) == shown
