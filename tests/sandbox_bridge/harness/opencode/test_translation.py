"""OpenCode's events in our words, also when they come twice, late, or not at all."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox_bridge.harness.bounds import MAX_EVENT_BYTES
from sandbox_bridge.harness.opencode.translation import Translation
from sandbox_bridge.harness.opencode.wire import Event
from sandbox_bridge.redaction import Redactor
from shared.protocol.events import (
    BridgeEvent,
    Reasoning,
    Retrying,
    StepFinished,
    Text,
    TextDelta,
    Todo,
    Tool,
)
from tests.sandbox_bridge.harness.opencode.story import MESSAGE, SESSION, Story, View


def translation() -> Translation:
    return Translation(3, SESSION, MESSAGE, Redactor({}))


def told(story: Story, to: Translation) -> list[BridgeEvent]:
    return [said for event in story.events for said in to.take(event)]


def begun() -> Story:
    story = Story()
    story.user()
    story.answer("msg_0002")
    return story


def test_a_turn_is_told_in_the_order_in_which_it_happened():
    story, ours = begun(), translation()
    story.text("msg_0002", "prt_1", ["Let me ", "see."])
    done = {
        "status": "completed",
        "output": "1: hi",
        "title": "a.py",
        "input": {"filePath": "a.py"},
    }
    story.tool("msg_0002", "prt_2", "read", done)
    story.step("msg_0002", "prt_3", cost=0.25)
    story.finish("msg_0002")
    story.rests()

    said = told(story, ours)

    assert said == [
        TextDelta(prompt=3, part="prt_1", delta="Let me "),
        TextDelta(prompt=3, part="prt_1", delta="see."),
        Text(prompt=3, part="prt_1", text="Let me see.", final=True),
        Tool(prompt=3, call="prt_2", tool="read", status="pending"),
        Tool(
            prompt=3,
            call="prt_2",
            tool="read",
            status="completed",
            title="a.py",
            input={"filePath": "a.py"},
            output="1: hi",
        ),
        StepFinished(prompt=3, cost=0.25, tokens={"input": 10, "output": 5, "cache_read": 7}),
    ]
    assert ours.is_over
    assert ours.failure is None
    assert ours.cost == 0.25


def test_the_idle_and_the_error_of_an_earlier_turn_end_nothing():
    late, ours = Story(began=1), translation()
    late.answer("msg_0000", error={"name": "MessageAbortedError", "data": {"message": "Aborted"}})
    late.fails("Aborted", "MessageAbortedError")
    late.rests()
    story = begun()

    said = [*told(late, ours), *told(story, ours)]
    late_again = [event.model_copy(update={"id": ""}) for event in late.events[:1]]
    said += [word for event in late_again for word in ours.take(event)]

    assert said == []
    assert not ours.is_over
    story.text("msg_0002", "prt_1", ["Fine."])
    story.finish("msg_0002")
    story.rests()
    told(story, ours)
    assert ours.is_over
    assert ours.failure is None


def test_an_answer_of_an_earlier_turn_that_is_told_late_is_none_of_ours():
    earlier, story, ours = Story(began=1), Story(), translation()
    story.user()
    told(story, ours)
    earlier.answer("msg_0000")
    earlier.text("msg_0000", "prt_0", ["from before"])
    earlier.rests()

    assert told(earlier, ours) == []
    assert not ours.is_over


def test_a_call_that_has_ended_does_not_start_again():
    story, ours = begun(), translation()
    story.tool("msg_0002", "prt_1", "bash", {"status": "completed", "output": "done"})
    told(story, ours)
    story.tool("msg_0002", "prt_1", "bash", {"status": "running", "input": {}})

    assert told(story, ours) == []


def test_another_session_s_events_are_none_of_ours():
    other, ours = Story(session="ses_other", began=5_000), translation()
    other.user("msg_9001")
    other.answer("msg_9002")
    other.text("msg_9002", "prt_9", ["elsewhere"])
    other.fails("elsewhere")
    other.rests()

    assert told(begun(), ours) == []
    assert told(other, ours) == []
    assert not ours.is_over


def test_an_error_of_the_model_is_the_reason_of_the_failure():
    story, ours = begun(), translation()
    error = {"name": "APIError", "data": {"message": "no such key", "statusCode": 401}}
    story.say("session.error", error=error)
    story.finish("msg_0002", finish=None, error=error)  # pyright: ignore[reportArgumentType]
    story.rests()

    told(story, ours)

    assert ours.is_over
    assert ours.failure == "no such key (HTTP 401)"


def test_a_stack_trace_stays_out_of_the_reason():
    story, ours = Story(), translation()
    story.user()
    story.fails("Model not found: a/b.\n    at somewhere (chunk.js:1)", "UnknownError")
    story.rests()

    told(story, ours)

    assert ours.failure == "Model not found: a/b."


def test_an_answer_that_was_cut_short_is_a_failure():
    story, ours = begun(), translation()
    story.text("msg_0002", "prt_1", ["and then"])
    story.finish("msg_0002", finish="length")
    story.rests()

    told(story, ours)

    assert ours.failure == "the model stopped at its output limit"


def test_a_turn_without_a_word_or_a_tool_is_a_failure():
    story, ours = begun(), translation()
    story.step("msg_0002", "prt_1")
    story.finish("msg_0002")
    story.rests()

    told(story, ours)

    assert ours.failure == "the model gave no output"


def test_a_refusal_is_told_once_and_takes_back_the_half_text_before_it():
    story, ours = begun(), translation()
    story.text_begins("msg_0002", "prt_1")
    story.delta("msg_0002", "prt_1", "half")
    for _ in range(2):
        story.say("session.status", status={"type": "retry", "attempt": 1, "message": "busy"})

    said = told(story, ours)

    assert said[1:] == [
        Text(prompt=3, part="prt_1", text="", final=True),
        Retrying(prompt=3, attempt=1, reason="busy"),
    ]
    assert ours.retry
    story.text("msg_0002", "prt_2", ["whole"])
    told(story, ours)
    assert ours.retry is None


def test_each_step_has_its_own_refusals():
    story, ours = begun(), translation()
    refused = {"type": "retry", "attempt": 1, "message": "busy"}
    story.say("session.status", status=refused)
    story.text("msg_0002", "prt_1", ["First."])
    story.say("session.status", status=refused)

    attempts = [said.attempt for said in told(story, ours) if isinstance(said, Retrying)]

    assert attempts == [1, 1]
    assert ours.retry


def test_the_tools_and_the_cost_of_a_subagent_count_and_its_words_do_not():
    story, ours = begun(), translation()
    child = Story(session="ses_child")
    child.say("session.created", info={"id": "ses_child", "parentID": SESSION})
    child.user("msg_1001")
    child.answer("msg_1002")
    child.text("msg_1002", "prt_11", ["to my parent"])
    child.tool("msg_1002", "prt_12", "bash", {"status": "completed", "title": "ls", "input": {}})
    child.step("msg_1002", "prt_13", cost=0.5)
    child.rests()

    said = [*told(story, ours), *told(child, ours)]

    assert [(type(event), getattr(event, "title", "")) for event in said] == [
        (Tool, "subtask: bash"),
        (Tool, "subtask: ls"),
        (StepFinished, ""),
    ]
    assert ours.cost == 0.5
    assert not ours.is_over


def test_a_subagent_is_also_known_by_the_call_that_started_it():
    story, ours = begun(), translation()
    running = {"status": "running", "input": {}, "metadata": {"sessionId": "ses_child"}}
    story.tool("msg_0002", "prt_1", "task", running)

    told(story, ours)

    assert list(ours.children) == ["ses_child"]


def test_a_running_command_shows_its_output_and_an_edit_its_diff():
    story, ours = begun(), translation()
    shown = {"status": "running", "input": {"command": "ls"}, "metadata": {"output": "a\n"}}
    story.tool("msg_0002", "prt_1", "bash", shown)
    edited = {"status": "completed", "output": "Done.", "input": {}, "metadata": {"diff": "+x"}}
    story.tool("msg_0002", "prt_2", "edit", edited)

    tools = [event for event in told(story, ours) if isinstance(event, Tool)]

    assert [(tool.status, tool.output) for tool in tools] == [
        ("pending", ""),
        ("running", "a\n"),
        ("pending", ""),
        ("completed", "Done.\n+x"),
    ]


def test_what_is_still_open_at_the_end_is_closed_with_the_reason():
    story, ours = begun(), translation()
    story.text_begins("msg_0002", "prt_1")
    story.delta("msg_0002", "prt_1", "so far")
    story.tool("msg_0002", "prt_2", "bash", {"status": "running", "input": {"command": "ls"}})
    told(story, ours)

    said = ours.end("stopped")

    running = Tool(prompt=3, call="prt_2", tool="bash", status="running", input={"command": "ls"})
    assert said == (
        Text(prompt=3, part="prt_1", text="so far", final=True),
        running.model_copy(update={"status": "error", "error": "stopped"}),
    )
    assert ours.end("again") == ()


def test_a_long_thought_is_told_each_time_it_has_doubled():
    story, ours = begun(), translation()
    story.text("msg_0002", "prt_1", ["x" * 50] * 40, kind="reasoning")

    thoughts = [event for event in told(story, ours) if isinstance(event, Reasoning)]

    assert [len(thought.text) for thought in thoughts] == [200, 400, 800, 1_600, 2_000]


def test_the_list_of_what_to_do_is_told_when_it_changes():
    story, ours = begun(), translation()
    item = {"content": "one", "status": "pending"}
    for todos in ([item], [item], []):
        story.say("todo.updated", todos=todos)

    assert told(story, ours) == [Todo(prompt=3, items=[item]), Todo(prompt=3, items=[])]


def test_what_can_t_be_read_says_nothing():
    ours = translation()
    told(begun(), ours)
    broken = [
        Event(type="message.updated", properties={}),
        Event(type="message.part.updated", properties={"part": {"type": "tool"}}),
        Event(type="session.status", properties={"sessionID": SESSION, "status": {"type": "odd"}}),
        Event(type="something.new", properties={"sessionID": SESSION}),
    ]

    assert [ours.take(event) for event in broken] == [()] * 4


# The machine may be busy with other tests; what is drawn here is small.
unhurried = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
TEXT = st.text(max_size=8)
OUTPUT = st.text(max_size=8)


@st.composite
def stories(draw: st.DrawFn) -> tuple[Story, list[int]]:
    """A whole turn, and how many events had been said each time something was complete."""
    story, marks = begun(), [0]
    for step in range(draw(st.integers(1, 3))):
        message = f"msg_{step + 2:04}"
        story.answer(message)
        for index in range(draw(st.integers(0, 3))):
            part = f"prt_{step}_{index}"
            if draw(st.booleans()):
                story.text(message, part, draw(st.lists(TEXT, max_size=4)))
            else:
                story.tool(message, part, "bash", *draw(_states()))
            marks.append(len(story.events))
        story.step(message, f"prt_{step}_end", cost=draw(st.integers(0, 8)) / 8)
        story.finish(message)
    story.rests()
    return story, marks


def _states() -> st.SearchStrategy[list[dict[str, Any]]]:
    running = OUTPUT.map(lambda said: _state("running", {"metadata": {"output": said}}))
    ended = OUTPUT.map(lambda said: _state("completed", {"output": said, "metadata": {"exit": 0}}))
    return st.tuples(st.lists(running, max_size=3), ended).map(lambda pair: [*pair[0], pair[1]])


def _state(status: str, more: dict[str, Any]) -> dict[str, Any]:
    return {"status": status, "input": {"command": "ls"}, **more}


def _ends_the_same(story: Story, events: list[Event]) -> None:
    whole, other = translation(), translation()
    expected = View([*told(story, whole), *whole.end("end")])
    seen = View([*(said for event in events for said in other.take(event)), *other.end("end")])
    assert seen == expected
    assert (other.is_over, other.failure, other.cost) == (True, whole.failure, whole.cost)


@unhurried
@given(stories(), st.data())
def test_events_that_come_twice_change_nothing(drawn: tuple[Story, list[int]], data: st.DataObject):
    story, _ = drawn
    events = list(story.events)
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(events) - 1))
        again = data.draw(st.integers(at, len(events)))
        events.insert(again, events[at])

    _ends_the_same(story, events)


@unhurried
@given(stories(), st.data())
def test_a_stream_with_a_hole_and_the_stored_state_after_it_end_the_same(
    drawn: tuple[Story, list[int]], data: st.DataObject
):
    story, _ = drawn
    start = data.draw(st.integers(0, len(story.events)))
    stop = data.draw(st.integers(start, len(story.events)))

    _ends_the_same(story, [*story.events[:start], *story.events[stop:], *story.retold()])


@unhurried
@given(stories())
def test_a_state_that_is_told_in_the_middle_of_the_stream_changes_nothing(
    drawn: tuple[Story, list[int]],
):
    story, marks = drawn
    retold = story.retold()
    for mark in marks:
        _ends_the_same(story, [*story.events[:mark], *retold, *story.events[mark:]])


WILD = st.text(st.characters(exclude_categories=()), max_size=30).map(lambda text: text * 2_000)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | WILD,
    lambda inner: (
        st.lists(inner, max_size=4).map(lambda some: some * 30)
        | st.dictionaries(WILD, inner, max_size=4)
    ),
    max_leaves=4,
)


@unhurried
@given(st.lists(WILD, max_size=4), WILD, st.dictionaries(WILD, JSON, max_size=5))
def test_no_event_is_larger_than_it_may_be(pieces: list[str], output: str, given_input: Any):
    story, ours = begun(), translation()
    story.text("msg_0002", "prt_1", pieces)
    story.text("msg_0002", "prt_2", pieces, kind="reasoning")
    state = {"status": "error", "input": given_input, "title": output, "error": output}
    story.tool("msg_0002", "prt_3", "bash", {**state, "metadata": {"output": output}})
    story.say("todo.updated", todos=[{"content": output, "status": output}] * 60)
    story.say("session.status", status={"type": "retry", "attempt": 1, "message": output})

    said = told(story, ours)

    assert all(len(event.model_dump_json().encode()) <= MAX_EVENT_BYTES for event in said)
