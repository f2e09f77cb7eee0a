"""`docs/lifecycle.md` says what the rules say."""

import re

from shared.domain.session.sandbox import Ending, SandboxStatus
from shared.domain.session.state import SessionStatus
from tests.shared.domain.session.lifecycle_page import PAGE, drawn_anew


def rows(heading: str) -> dict[str, str]:
    """The first table behind a heading: the first cell of each row, and the last."""
    table = PAGE.read_text().partition(heading)[2].partition("\n|---")[2].partition("\n\n")[0]
    cells = [line.strip("|").split("|") for line in table.splitlines()[1:]]
    return {_plain(row[0]): _plain(row[-1]) for row in cells}


def _plain(cell: str) -> str:
    return re.sub("[` ]", "", cell)


def test_the_diagrams_are_the_tables_of_the_rules():
    assert PAGE.read_text() == drawn_anew(PAGE.read_text())


def test_every_status_is_explained():
    assert list(rows("## The conversation")) == [status.value for status in SessionStatus]
    assert list(rows("## The sandbox")) == [status.value for status in SandboxStatus]


def test_every_ending_is_explained_and_shown_as_it_is():
    assert rows("Why an attempt may end") == {
        ending.value: ending.sandbox.value for ending in Ending
    }
