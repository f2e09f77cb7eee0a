"""Lines, and rows that are drawn over, on the standard output."""

import io

import pytest

from shared.client.lines import Line, Tone
from shared.client.screen import Screen, screen
from tests.shared.client.terminal import drawn


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_pipe_gets_plain_lines():
    out = io.StringIO()
    plain = screen(out, io.StringIO(), {"TERM": "xterm"})

    plain.show([Line("good", Tone.GOOD), Line("bad", Tone.BAD)])
    plain.draw(("progress",))

    assert out.getvalue() == "good\nbad\n"


def test_rows_are_drawn_under_the_lines_and_leave_nothing_behind():
    out = Terminal()
    live = Screen(out, io.StringIO(), live=True, colour=False)

    live.show([Line("one")])
    live.draw(("writing ...", "0:01"))
    assert drawn(out.getvalue()) == ["one", "writing ...", "0:01"]
    live.show([Line("two")])
    assert drawn(out.getvalue()) == ["one", "two", ""]
    live.draw(("0:02",))
    assert drawn(out.getvalue()) == ["one", "two", "0:02"]
    live.close()

    assert drawn(out.getvalue()) == ["one", "two", ""]


def test_a_remark_does_not_run_into_the_rows():
    out, err = Terminal(), io.StringIO()
    live = Screen(out, err, live=True, colour=False)

    live.draw(("0:01",))
    live.note("outboard: connected again")

    assert err.getvalue() == "outboard: connected again\n"
    assert out.getvalue() == "0:01\r\x1b[K0:01"


@pytest.mark.parametrize(
    ("environment", "written"),
    [
        ({"TERM": "xterm"}, "\x1b[31mbad\x1b[0m\n"),
        ({"TERM": "xterm", "NO_COLOR": "1"}, "bad\n"),
        ({"TERM": "dumb"}, "bad\n"),
        ({}, "bad\n"),
    ],
)
def test_colour_is_for_terminals_that_want_it(environment: dict[str, str], written: str):
    out = Terminal()

    screen(out, io.StringIO(), environment).show([Line("bad", Tone.BAD)])

    assert out.getvalue() == written


def test_a_row_never_wraps(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "20")
    out = Terminal()

    Screen(out, io.StringIO(), live=True, colour=False).draw(("a row that is too long",))

    assert out.getvalue() == "a row that is too …"
