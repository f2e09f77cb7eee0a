"""The command line on a terminal: a pseudo-terminal, and what was drawn on it."""

from threading import Event

import pytest

from shared.protocol import events as on
from shared.protocol import server_events as news
from tests.fakes.api_server import ApiServer, Hold, Watched
from tests.shared.client.outboard import Outboard
from tests.shared.client.terminal import Terminal, drawn

URL = "https://git.example.com/acme/tool.git"


@pytest.mark.parametrize("columns", [80, 24])
def test_a_progress_row_is_drawn_and_leaves_nothing_behind(
    server: ApiServer, outboard: Outboard, columns: int
):
    seen = Event()
    server.sessions.turns.append(
        [
            Watched(),
            on.BootProgress(phase="setup", status="started"),
            on.PromptStarted(prompt=1),
            on.StepFinished(prompt=1, cost=0.02, tokens={"input": 1_200}),
            on.TextDelta(prompt=1, part="p", delta="some words"),
            Hold(seen),
            on.Text(prompt=1, part="p", text="some words more", final=True),
            news.PromptFinished(prompt=1, status="completed", cost=0.02),
        ]
    )

    terminal = Terminal(outboard, "prompt", "--repo", URL, "--wait", "x", columns=columns)
    terminal.read_until("writing 0:00")
    terminal.read_until("writing 0:0[1-9]")
    seen.set()
    status = terminal.end()

    assert status == 0
    assert "boot: setup 0:00" in terminal.written
    assert ("1,200 tokens | $0.02" in terminal.written) == (columns == 80)
    assert "some words\x1b[0m\r\n" in terminal.written
    assert "\x1b[32mprompt 1 completed" in terminal.written
    assert drawn(terminal.written)[2:] == [
        "boot: setup ...",
        "prompt 1 runs",
        "some words more",
        "prompt 1 completed · $0.0200",
        "nothing changed: no branch was pushed",
        "",
    ]


def test_no_color_takes_the_colours_but_not_the_row(server: ApiServer, outboard: Outboard):
    outboard.environment |= {"NO_COLOR": "1"}
    server.sessions.turns.append([Watched(), news.PromptFinished(prompt=1, status="completed")])

    terminal = Terminal(outboard, "prompt", "--repo", URL, "--wait", "x", columns=80)
    status = terminal.end()

    assert status == 0
    assert "waiting 0:00" in terminal.written
    assert "m" not in {sequence[-1:] for sequence in terminal.written.split("\x1b[")[1:]}
    assert "\x1b[32m" not in terminal.written


def test_json_on_a_terminal_is_json_and_nothing_else(server: ApiServer, outboard: Outboard):
    server.sessions.turns.append([Watched(), news.PromptFinished(prompt=1, status="completed")])

    terminal = Terminal(outboard, "prompt", "--repo", URL, "--wait", "--json", "x", columns=80)
    status = terminal.end()

    assert status == 0
    assert "\x1b" not in terminal.written
