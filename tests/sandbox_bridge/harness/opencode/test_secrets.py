"""What is cut or divided on its way into events has lost its secrets before."""

from collections.abc import Callable

import pytest

from sandbox_bridge.harness.opencode.translation import Translation
from sandbox_bridge.redaction import Redactor
from shared.protocol.events import BridgeEvent, Reasoning, Retrying, Text, TextDelta, Todo, Tool
from tests.sandbox_bridge.harness.opencode.story import MESSAGE, SESSION, Story, View

SECRET = "correct-horse-battery-staple"


def told(tell: Callable[[Story], None]) -> list[BridgeEvent]:
    story = Story()
    story.user()
    story.answer("msg_0002")
    tell(story)
    ours = Translation(3, SESSION, MESSAGE, Redactor({}, others=[SECRET]))
    said = [each for event in story.events for each in ours.take(event)]
    return [*said, *ours.end("stopped")]


@pytest.mark.parametrize("before", range(13_970, 14_002, 3))
def test_a_text_is_not_divided_within_a_secret(before: int):
    text = "x" * before + SECRET + " and more"
    pieces = [text[at : at + 5] for at in range(0, len(text), 5)]

    said = told(lambda story: story.text("msg_0002", "prt_1", pieces))

    shown = View(said)
    assert "".join(shown.texts.values()) == "x" * before + "[redacted] and more"
    words = [each.delta if isinstance(each, TextDelta) else each.text for each in texts(said)]
    assert not [each for each in words if "correct" in each or "staple" in each]


def texts(said: list[BridgeEvent]) -> list[Text | TextDelta]:
    return [each for each in said if isinstance(each, Text | TextDelta)]


def test_a_text_that_is_broken_off_keeps_its_end():
    def tell(story: Story) -> None:
        story.text_begins("msg_0002", "prt_1")
        story.delta("msg_0002", "prt_1", "It is correct-h")

    assert texts(told(tell)) == [
        TextDelta(prompt=3, part="prt_1", delta="It is "),
        Text(prompt=3, part="prt_1", text="It is correct-h", final=True),
    ]


def test_a_thought_is_told_without_the_beginning_of_a_secret():
    pieces = ["x" * 300 + "correct-", "horse-battery-staple."]

    said = told(lambda story: story.text("msg_0002", "prt_1", pieces, kind="reasoning"))

    thoughts = [each.text for each in said if isinstance(each, Reasoning)]
    assert thoughts == ["x" * 300, "x" * 300 + "[redacted]."]


@pytest.mark.parametrize("before", range(3_950, 3_990, 5))
def test_an_output_is_not_cut_within_a_secret(before: int):
    output = "x" * before + SECRET + "y" * 9_000
    states = [
        {"status": "running", "metadata": {"output": output[: before + 20]}},
        {"status": "completed", "output": output},
    ]

    said = told(lambda story: story.tool("msg_0002", "prt_1", "bash", *states))

    outputs = [each.output for each in said if isinstance(each, Tool)]
    assert len(outputs) == 3
    assert outputs[1] == "x" * before
    assert not [each for each in outputs if "corr" in each or "staple" in each]


@pytest.mark.parametrize("before", range(700, 740, 5))
def test_neither_is_an_error(before: int):
    error = "x" * before + SECRET + "y" * 3_000

    def tell(story: Story) -> None:
        story.tool("msg_0002", "prt_1", "bash", {"status": "error", "error": error})
        story.say("session.status", status={"type": "retry", "attempt": 1, "message": error})
        story.say("todo.updated", todos=[{"content": error[before - 110 :], "status": "pending"}])

    said = told(tell)

    shown = [each.error for each in said if isinstance(each, Tool) and each.error]
    shown += [each.reason for each in said if isinstance(each, Retrying)]
    shown += [each.items[0]["content"] for each in said if isinstance(each, Todo)]
    assert len(shown) == 3
    assert not [each for each in shown if "corr" in each or "staple" in each]
