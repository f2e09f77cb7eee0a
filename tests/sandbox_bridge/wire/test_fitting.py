import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox_bridge.wire.encoding import EVENT_BYTES, encoded, payload, said
from sandbox_bridge.wire.fitting import fit, without_middle
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

ANYTHING = st.text(st.characters(), max_size=200)  # lone surrogates and control characters too
LONG = st.builds(lambda text, times: text * times, ANYTHING, st.integers(1, 400))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | LONG,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANYTHING, inner, max_size=4),
    max_leaves=6,
)
EVENTS = st.one_of(
    st.builds(Text, prompt=st.just(1), part=st.just("p"), text=LONG, final=st.booleans()),
    st.builds(TextDelta, prompt=st.just(1), part=st.just("p"), delta=LONG),
    st.builds(Reasoning, prompt=st.just(1), part=st.just("p"), text=LONG),
    st.builds(
        Tool,
        prompt=st.just(1),
        call=st.just("c"),
        tool=st.just("bash"),
        status=st.just("completed"),
        input=st.dictionaries(ANYTHING, JSON, max_size=4),
        output=LONG,
    ),
    st.builds(ExecutionComplete, prompt=st.just(1), status=st.just("failed"), error=LONG),
    st.builds(BootProgress, phase=st.just("setup"), status=st.just("failed"), output_tail=LONG),
)


def size(event: BridgeEvent) -> int:
    return len(encoded(payload(event)))


@given(EVENTS)
def test_every_piece_of_every_event_fits(event: BridgeEvent):
    pieces = fit(event)

    assert pieces
    assert all(size(piece) <= EVENT_BYTES for piece in pieces)


@given(EVENTS)
def test_an_event_that_fits_is_left_as_it_is(event: BridgeEvent):
    pieces = fit(event)

    assert size(event) > EVENT_BYTES or pieces == (event,)


@given(st.builds(Text, prompt=st.just(1), part=st.just("p"), text=LONG))
def test_a_long_text_loses_nothing(text: Text):
    first, *rest = fit(text)

    assert isinstance(first, Text)
    deltas = [piece.delta for piece in rest if isinstance(piece, TextDelta)]
    assert len(deltas) == len(rest)
    assert first.text + "".join(deltas) == text.text


def test_a_long_output_keeps_its_beginning_and_its_end():
    output = "begin" + "x" * 50_000 + "end"
    tool = Tool(prompt=1, call="c", tool="bash", status="completed", output=output)

    (cut,) = fit(tool)

    assert isinstance(cut, Tool)
    assert cut.output.startswith("begin")
    assert cut.output.endswith("end")
    assert "characters left out" in cut.output
    assert (cut.call, cut.tool, cut.status) == (tool.call, tool.tool, tool.status)


def test_a_list_that_is_too_long_is_shortened():
    todo = Todo(prompt=1, items=[{"content": f"thing {number}"} for number in range(5_000)])

    (cut,) = fit(todo)

    assert isinstance(cut, Todo)
    assert cut.items == todo.items[: len(cut.items)]
    assert len(cut.items) > 100


def test_what_cannot_be_shortened_is_a_warning_in_its_place():
    names = {f"{number:02000}": 1 for number in range(300)}
    deep = Tool(prompt=1, call="c", tool="t", status="running", input=dict(names))

    (warning,) = fit(deep)

    assert warning == Warned(message="an event of type 'tool' was too large to be shown")


def test_what_json_cannot_hold_is_a_warning_in_its_place():
    odd = Tool(prompt=1, call="c", tool="t", status="running", input={"at": object()})

    (warning,) = fit(odd)

    assert warning == Warned(message="an event of type 'tool' could not be written down")


def test_a_lone_surrogate_becomes_a_question_mark():
    assert said(Warned(message="a\ud800b"))["message"] == "a?b"


@pytest.mark.parametrize(
    "given", [{"\ud800": None}, {"": {"\ud800": None}}, {"a": [{"b": {"\udfff": ["\udc00"]}}]}]
)
def test_a_lone_surrogate_in_a_key_does_so_too_however_deep(given: dict[str, Any]):
    event = Tool(prompt=1, call="c", tool="t", status="running", input=given)

    assert fit(event) == (event,)
    assert said(event)["input"] == json.loads(re.sub(r"\\ud[89a-f]..", "?", json.dumps(given)))


@pytest.mark.parametrize("keep", [100, 101, 500])
def test_the_middle_is_cut_to_what_was_asked_for(keep: int):
    assert len(without_middle("y" * 10_000, keep)) <= keep
