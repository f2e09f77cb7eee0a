import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sandbox_bridge.wire.encoding import EVENT_BYTES, said
from sandbox_bridge.wire.waiting import Waiting, merged
from shared.protocol.events import (
    CHANGES_STATE,
    BridgeEvent,
    ExecutionComplete,
    PromptStarted,
    Reasoning,
    Text,
    TextDelta,
    Tool,
    Warned,
)


def delta(text: str, part: str = "p") -> TextDelta:
    return TextDelta(prompt=1, part=part, delta=text)


def tool(status: Any, output: str = "", call: str = "c") -> Tool:
    return Tool(prompt=1, call=call, tool="bash", status=status, output=output)


def drained(waiting: Waiting) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    while waiting:
        taken = waiting.take()
        assert len(b",".join(taken)) <= EVENT_BYTES
        events += [json.loads(raw) for raw in taken]
    return events


def test_deltas_of_one_part_become_one():
    waiting = Waiting()

    for word in ("a", "b", "c"):
        waiting.add(delta(word))

    assert drained(waiting) == [said(delta("abc"))]


def test_deltas_around_something_else_stay_apart():
    waiting = Waiting()

    for event in (delta("a"), tool("running"), delta("b"), delta("c", part="q")):
        waiting.add(event)

    assert [event["type"] for event in drained(waiting)] == ["text_delta", "tool"] + [
        "text_delta"
    ] * 2


def test_of_a_running_tool_only_the_latest_waits():
    waiting = Waiting()

    for event in (tool("running", "1"), tool("running", "12"), tool("completed", "123")):
        waiting.add(event)

    assert drained(waiting) == [said(tool("running", "12")), said(tool("completed", "123"))]


def test_the_neighbours_that_say_no_more_together_stay_two():
    final = Text(prompt=1, part="p", text="all", final=True)

    assert merged(final, Text(prompt=1, part="p", text="x")) is None
    assert merged(tool("running"), tool("running", call="d")) is None
    assert (
        merged(Reasoning(prompt=1, part="p", text="ab"), Reasoning(prompt=1, part="p", text="c"))
        is None
    )


def test_a_frame_takes_no_more_than_its_number_of_events():
    waiting = Waiting()
    for number in range(1, 6):
        waiting.add(PromptStarted(prompt=number))

    taken = waiting.take(count=3)

    assert len(taken) == 3
    assert waiting


def test_a_merged_text_never_outgrows_a_frame():
    waiting = Waiting()

    for _ in range(40):
        waiting.add(delta("x" * 2_000))

    assert "".join(event["delta"] for event in drained(waiting)) == "x" * 80_000


def test_running_work_is_left_out_first_and_says_so():
    waiting = Waiting(limit=20_000)

    waiting.add(PromptStarted(prompt=1))
    waiting.add(tool("completed", "done"))
    for number in range(100):
        waiting.add(delta("x" * 1_000, part=str(number)))
    waiting.add(ExecutionComplete(prompt=1, status="completed"))

    warning, *rest = drained(waiting)
    assert warning["type"] == "warning"
    assert "left out" in warning["message"]
    assert [event["type"] for event in rest[:2]] == ["prompt_started", "tool"]
    assert rest[-1]["type"] == "execution_complete"
    assert 0 < len(rest) < 25


def test_what_only_shows_results_goes_when_nothing_else_is_left_to_go():
    waiting = Waiting(limit=20_000)

    for number in range(100):
        waiting.add(tool("completed", "y" * 1_000, call=str(number)))

    assert drained(waiting)[0]["type"] == "warning"


EVENTS = st.one_of(
    st.builds(delta, st.text(max_size=2_000), st.sampled_from("pq")),
    st.builds(tool, st.sampled_from(["running", "completed"]), st.text(max_size=3_000)),
    st.builds(ExecutionComplete, prompt=st.integers(1, 9), status=st.just("completed")),
    st.builds(PromptStarted, prompt=st.integers(1, 9)),
    st.builds(Warned, message=st.text(max_size=3_000)),
)


@given(st.lists(EVENTS, max_size=60))
def test_what_changes_state_is_never_lost_and_stays_in_order(events: list[BridgeEvent]):
    waiting = Waiting(limit=8_000)

    for event in events:
        waiting.add(event)

    deciding = [said(event) for event in events if event.type in CHANGES_STATE]
    assert [each for each in drained(waiting) if each["type"] in CHANGES_STATE] == deciding


@given(st.lists(st.builds(delta, st.text(max_size=50), st.sampled_from("pq")), max_size=80))
def test_while_there_is_room_every_word_arrives_in_order(deltas: list[TextDelta]):
    waiting = Waiting()

    for each in deltas:
        waiting.add(each)

    arrived = drained(waiting)
    for part in "pq":
        told = "".join(each.delta for each in deltas if each.part == part)
        assert "".join(each["delta"] for each in arrived if each["part"] == part) == told
