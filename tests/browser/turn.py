"""What an agent says in a turn, of the kinds and sizes that agents say."""

from collections.abc import Iterator
from itertools import batched, islice
from typing import Any

type Said = dict[str, Any]

EVENTS_A_FRAME = 10
"""A bridge sends five frames a second."""

EVENTS_A_TURN = 2_000

_WORDS = "The parser reads one flag at a time, so the new one goes right behind `--verbose`. "
_OUTPUT = "".join(f"tests/test_flags.py::test_flag_{number} PASSED\n" for number in range(8))


def turns(events: int) -> Iterator[list[list[Said]]]:
    """Each turn as its frames; so many events in all."""
    for number, begin in enumerate(range(0, events, EVENTS_A_TURN), start=1):
        said = islice(_said(number), min(EVENTS_A_TURN, events - begin))
        yield [list(frame) for frame in batched(said, EVENTS_A_FRAME)]


def _said(prompt: int) -> Iterator[Said]:
    """Without an end: thought, words and a command, over and over."""
    step = 0
    while True:
        step += 1
        yield {"type": "reasoning", "prompt": prompt, "part": f"r{step}", "text": _WORDS * 2}
        for _ in range(20):
            yield {"type": "text_delta", "prompt": prompt, "part": f"p{step}", "delta": _WORDS}
        yield from _command(prompt, step)
        yield {"type": "step_finished", "prompt": prompt, "cost": 0.01, "tokens": {"input": 900}}


def _command(prompt: int, step: int) -> Iterator[Said]:
    call = {
        "type": "tool",
        "prompt": prompt,
        "call": f"c{prompt}.{step}",
        "tool": "bash",
        "title": "Run the tests",
        "input": {"command": "pytest -q", "description": "Run the tests"},
    }
    yield {**call, "status": "running"}
    yield {**call, "status": "running", "output": _OUTPUT[: len(_OUTPUT) // 2]}
    yield {**call, "status": "completed", "output": _OUTPUT, "exit_code": 0}
