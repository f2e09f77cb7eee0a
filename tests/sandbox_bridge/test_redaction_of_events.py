"""Whatever event it is in, a secret does not come out of the bridge."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sandbox_bridge.redaction import Redactor
from sandbox_bridge.redaction.events import Discreet
from sandbox_bridge.wire.encoding import encoded, payload
from shared.protocol.events import (
    BootProgress,
    BridgeEvent,
    ExecutionComplete,
    Reasoning,
    Text,
    TextDelta,
    Todo,
    Tool,
    Warned,
)
from tests.sandbox_bridge.secrets import SECRETS, written

SECRET = "correct-horse"
END = ExecutionComplete(prompt=1, status="completed")


def told(*events: BridgeEvent, secret: str = SECRET) -> list[BridgeEvent]:
    said: list[BridgeEvent] = []
    emit = Discreet(said.append, Redactor({}, others=[secret]))
    for event in events:
        emit(event)
    return said


def delta(text: str, part: str = "p") -> TextDelta:
    return TextDelta(prompt=1, part=part, delta=text)


def tool(output: str, status: Any = "running") -> Tool:
    return Tool(prompt=1, call="c", tool="bash", status=status, output=output)


def test_it_is_hidden_at_any_depth_and_in_keys():
    given = {"a": [{SECRET: (f"x{SECRET}", 3, None)}], "type": SECRET}
    (event,) = told(Tool(prompt=1, call="c", tool="bash", status="completed", input=given))

    assert isinstance(event, Tool)
    assert event.input == {
        "a": [{"[redacted]": ["x[redacted]", 3, None]}],
        "type": "[redacted]",
    }


def test_it_is_hidden_in_words_and_in_ids():
    said = told(
        Warned(message=f"say {SECRET}"),
        Todo(prompt=1, items=[{"content": SECRET}]),
        Text(prompt=1, part=f"p-{SECRET}", text=SECRET, final=True),
    )

    assert said == [
        Warned(message="say [redacted]"),
        Todo(prompt=1, items=[{"content": "[redacted]"}]),
        Text(prompt=1, part="p-[redacted]", text="[redacted]", final=True),
    ]


def test_the_bridges_own_words_stay_whatever_a_secret_is():
    event = BootProgress(phase="starting", status="completed", repository="starting")

    assert told(event, secret="starting") == [event]
    assert told(event, secret="completed") == [event]


def test_a_secret_in_two_deltas_is_hidden_and_the_rest_comes_with_the_next():
    said = told(delta("It is correct-"), tool("ok", "completed"), delta("horse, yes."))

    assert said == [
        delta("It is "),
        tool("ok", "completed"),
        delta("[redacted], yes."),
    ]


def test_what_waits_is_told_before_the_turn_is_over():
    said = told(delta("It is corr"), delta("or correct", "q"), END)

    assert said == [
        delta("It is "),
        delta("or ", "q"),
        delta("corr"),
        delta("correct", "q"),
        END,
    ]


def test_a_final_text_has_what_waits():
    final = Text(prompt=1, part="p", text="It is corr", final=True)

    assert told(delta("It is corr"), final, END) == [delta("It is "), final, END]


def test_a_text_that_goes_on_is_continued():
    begun = Text(prompt=1, part="p", text="It is correct-")

    assert told(begun, delta("horse")) == [
        begun.model_copy(update={"text": "It is "}),
        delta("[redacted]"),
    ]


def test_a_running_tool_shows_what_is_certain_of_its_output():
    said = told(tool("a corr"), tool("a correct-horse"), tool("a correct-horse b", "completed"))

    assert said == [tool("a "), tool("a [redacted]"), tool("a [redacted] b", "completed")]


def test_of_what_was_not_told_again_the_end_is_told_before_the_turn_is_over():
    thought = Reasoning(prompt=1, part="r", text="so corr")

    assert told(thought, tool("a corr"), END) == [
        thought.model_copy(update={"text": "so "}),
        tool("a "),
        thought,
        tool("a corr"),
        END,
    ]


def test_another_turns_words_go_on_waiting():
    other = TextDelta(prompt=2, part="p", delta="corr")

    assert told(other, END) == [END]


def test_what_has_no_end_is_told_as_a_warning():
    endless: dict[str, Any] = {}
    endless["again"] = endless
    event = Tool.model_construct(prompt=1, call="c", tool="t", status="completed", input=endless)

    assert isinstance(told(event)[0], Warned)


@given(SECRETS, st.data())
def test_no_form_of_it_is_in_what_is_sent(secret: str, data: st.DataObject):
    form = data.draw(st.sampled_from(written(secret)))
    cut = data.draw(st.integers(0, len(form)))
    words = [f"a {form[:cut]}", f"{form[cut:]} b"]
    said = told(
        *map(delta, words),
        tool(words[0]),
        tool("".join(words)),
        Tool(prompt=1, call="d", tool="t", status="completed", input={form: [form]}),
        END,
        secret=secret,
    )

    deltas = "".join(each.delta for each in said if isinstance(each, TextDelta))
    assert deltas == Redactor({}, others=[secret])("".join(words))
    whole = deltas + "".join(each.output for each in said if isinstance(each, Tool))
    inputs = [text for each in said if isinstance(each, Tool) for text in each.input]
    assert not [text for text in (whole, *inputs) if form in text]
    assert all(encoded(payload(each)) for each in said)
