"""The row that says what goes on."""

from datetime import timedelta

import pytest
from pydantic import BaseModel

from shared.client.progress import Progress, advance, row
from shared.protocol import events as on
from shared.protocol import server_events as news

SECOND = timedelta(seconds=1)


def at(seconds: float, *events: BaseModel, only: int | None = 1, demo: bool = False) -> str:
    """The row then, when the events came one second after another."""
    progress = Progress.start(timedelta(0), only=only, demo=demo)
    for index, event in enumerate(events, 1):
        progress = advance(progress, event, index * SECOND)  # pyright: ignore[reportArgumentType]
    return row(progress, seconds * SECOND, 80)


@pytest.mark.parametrize(
    ("event", "doing"),
    [
        (news.SandboxSpawning(attempt=1), "sandbox starts"),
        (on.BootProgress(phase="setup", status="started"), "boot: setup"),
        (on.PromptStarted(prompt=1), "thinking"),
        (on.TextDelta(prompt=1, part="p", delta="x"), "writing"),
        (
            on.Tool(prompt=1, call="c", tool="bash", status="running", title="tests"),
            "bash: tests",
        ),
        (on.Retrying(prompt=1, attempt=1, reason="busy"), "the model refused, trying again"),
        (on.Committed(prompt=1, repository="r", commit="c", files=1), "pushing"),
        (news.StopRequested(prompt=1, by="ada"), "stopping"),
        (news.PromptFinished(prompt=1, status="completed"), "idle"),
        (on.TextDelta(prompt=7, part="p", delta="x"), "waiting for prompt 7"),
    ],
)
def test_the_row_says_what_goes_on_and_for_how_long(event: BaseModel, doing: str):
    assert at(66, event) == f"{doing} 1:05 | in all 1:06"


def test_time_goes_on_while_the_same_thing_goes_on():
    words = on.TextDelta(prompt=1, part="p", delta="x")

    assert at(10, words, words, words).startswith("writing 0:09")


def test_tokens_and_dollars_add_up():
    step = on.StepFinished(prompt=1, cost=0.01, tokens={"input": 1_000, "output": 20, "cache": 9})
    other = on.StepFinished(prompt=2, cost=5, tokens={"input": 5})

    assert at(3, step, step).endswith("in all 0:03 | 2,040 tokens | $0.0200")
    assert "$5" not in at(3, step, other)


def test_the_demo_model_is_named():
    assert at(3, demo=True).endswith("| demo model")


@pytest.mark.parametrize("width", [1, 5, 12, 20, 40])
def test_a_narrow_terminal_gets_what_fits(width: int):
    progress = Progress(
        began=timedelta(0), since=timedelta(0), doing="boot: setup", tokens=5, cost=1, demo=True
    )

    shown = row(progress, SECOND, width)

    assert len(shown) <= width
    assert "boot: setup".startswith(shown.rstrip("…")[:11])
