"""Real turns of a real OpenCode on a scripted model."""

import pytest

from sandbox_bridge.harness.bounds import MAX_EVENT_BYTES
from sandbox_bridge.harness.seam import Outcome
from shared.protocol.events import Reasoning, Retrying, StepFinished, TextDelta, Todo
from tests.model import script
from tests.sandbox_bridge.harness.world import Agent, bash

pytestmark = pytest.mark.sandbox

WORKED = [("read", "completed"), ("edit", "completed"), ("write", "completed")]


def test_a_turn_reads_edits_writes_and_runs_on_the_openai_wire(agent: Agent):
    world = agent.world

    outcome = agent.turn(_work(agent, "one.txt"), effort="high")

    assert outcome == Outcome("completed")
    assert world.ended_tools() == [*WORKED, ("bash", "completed")]
    assert world.final_texts() == ["Looking.", "All done."]
    assert world.tools("bash")[-1].exit_code == 3
    assert world.tools("bash")[-1].output == f"ran in {world.workdir}\n"
    assert (world.workdir / "one.txt").read_text() == "hello, you\n"
    assert (world.workdir / "new-one.txt").read_text() == "new"
    asked = world.model.requests()[-1]
    assert asked["path"] == "/v1/chat/completions"
    assert asked["headers"]["authorization"] == "Bearer o-key"
    assert asked["body"]["model"] == "local/coder"
    assert asked["body"]["reasoning_effort"] == "high"


def test_the_next_turn_goes_on_with_the_conversation_on_the_anthropic_wire(agent: Agent):
    world = agent.world
    agent.turn("Remember the word xylophone. " + script({"text": "I will."}))

    outcome = agent.turn(_work(agent, "two.txt"), "anthropic/claude-sonnet-4-5", "max")

    assert outcome.status == "completed"
    assert world.ended_tools() == [*WORKED, ("bash", "completed")]
    assert (world.workdir / "two.txt").read_text() == "hello, you\n"
    costs = [event.cost for event in world.events if isinstance(event, StepFinished)]
    assert outcome.cost == pytest.approx(sum(costs))
    assert outcome.cost > 0
    asked = world.model.requests()[-1]
    assert asked["path"] == "/v1/messages"
    assert asked["headers"]["x-api-key"] == "a-key"
    assert asked["body"]["thinking"] == {"type": "enabled", "budget_tokens": 31_999}
    assert "xylophone" in str(asked["body"]["messages"])


def _work(agent: Agent, name: str) -> str:
    path = agent.world.workdir / name
    path.write_text("hello\n")
    edit = {"filePath": str(path), "oldString": "hello", "newString": "hello, you"}
    write = {"filePath": str(path.with_name(f"new-{name}")), "content": "new"}
    return script(
        {"text": "Looking.", "tools": [{"name": "read", "args": {"filePath": str(path)}}]},
        {"tools": [{"name": "edit", "args": edit}]},
        {"tools": [{"name": "write", "args": write}]},
        {"tools": [bash("echo ran in $PWD; exit 3")]},
        {"text": "All done."},
    )


def test_text_thoughts_and_todos_come_as_they_are_said(agent: Agent):
    todos = [{"content": "one", "status": "in_progress", "priority": "high"}]
    todo = {"name": "todowrite", "args": {"todos": todos}}
    words = {"text": "word by word", "chunk": 5, "delay": 0.02}

    agent.turn(script({"thinking": "Let me see.", "tools": [todo]}, words))

    events = agent.world.events
    deltas = [event.delta for event in events if isinstance(event, TextDelta)]
    assert len(deltas) > 1
    assert "".join(deltas) == "word by word" == agent.world.final_texts()[-1]
    assert [event.items for event in events if isinstance(event, Todo)] == [todos]
    assert [event.text for event in events if isinstance(event, Reasoning)] == ["Let me see."]


def test_a_subagent_s_tools_are_shown_as_a_subtask(agent: Agent):
    inner = script({"tools": [bash("echo from the inside")]}, {"text": "Looked."})
    task = {"description": "look", "subagent_type": "general", "prompt": inner}

    outcome = agent.turn(script({"tools": [{"name": "task", "args": task}]}, {"text": "Done."}))

    assert outcome.status == "completed"
    assert agent.world.ended_tools() == [("bash", "completed"), ("task", "completed")]
    assert agent.world.tools("bash")[-1].title == "subtask: echo from the inside"
    assert agent.world.final_texts() == ["Done."]


def test_an_event_stays_small_whatever_is_said(agent: Agent):
    noise = bash("head -c 300000 /dev/urandom | base64 | tr -d '\\n'")
    text = "ä\n" * 20_000 + "end"

    outcome = agent.turn(script({"tools": [noise]}, {"text": text, "chunk": 4_000}))

    assert outcome.status == "completed"
    assert max(len(event.model_dump_json()) for event in agent.world.events) <= MAX_EVENT_BYTES
    assert "".join(agent.world.final_texts()) == text


def test_a_tool_that_the_model_made_up_or_misused_does_not_end_the_turn(agent: Agent):
    missing = {"name": "read", "args": {"filePath": str(agent.world.workdir / "missing")}}
    made_up = {"name": "teleport", "args": {}}

    outcome = agent.turn(script({"tools": [made_up, missing]}, {"text": "Well."}))

    assert outcome.status == "completed"
    assert sorted(agent.world.ended_tools()) == [("invalid", "completed"), ("read", "error")]


def test_a_model_that_refuses_is_asked_five_times_and_then_named_as_the_reason(agent: Agent):
    refused = {"status": 429, "message": "slow down, please", "retry_after": 0.05}

    given_up = agent.turn(script(refused))

    assert given_up == Outcome("failed", "the model refused 5 times: slow down, please")
    attempts = [event.attempt for event in agent.world.events if isinstance(event, Retrying)]
    assert attempts == [1, 2, 3, 4, 5]


def test_a_model_that_comes_back_in_time_is_no_failure(agent: Agent):
    refused = {"status": 503, "message": "busy", "retry_after": 0.05, "times": 2}

    outcome = agent.turn(script({**refused, "text": "Here I am."}))

    assert outcome == Outcome("completed")
    reasons = [event.reason for event in agent.world.events if isinstance(event, Retrying)]
    assert reasons == ["busy", "busy"]


def test_a_connection_that_the_model_cut_leaves_no_half_text(agent: Agent):
    prompt = script({"text": "half of it", "chunk": 2, "delay": 0.05, "cut": True, "times": 1})

    outcome = agent.turn(prompt)

    assert outcome.status == "completed"
    assert agent.world.final_texts() == ["", "half of it"]


@pytest.mark.parametrize(
    ("model", "step", "reason"),
    [
        (None, {"status": 400, "message": "bad request"}, "bad request (HTTP 400)"),
        (None, {"text": ""}, "the model gave no output"),
        ("custom/unheard-of", {"text": "never"}, "Model not found: custom/unheard-of."),
        ("nobody/nothing", {"text": "never"}, "Model not found: nobody/nothing."),
    ],
)
def test_a_refused_turn_fails_with_its_reason_and_the_next_one_works(
    agent: Agent, model: str | None, step: dict[str, object], reason: str
):
    failed = agent.turn(script(step), model)
    after = agent.turn(script({"text": "Back again."}))

    assert failed.status == "failed"
    assert failed.error is not None
    assert failed.error.startswith(reason)
    assert after == Outcome("completed")
    assert agent.world.final_texts() == ["Back again."]


def test_a_conversation_that_outgrew_the_model_is_summed_up_and_goes_on(agent: Agent):
    too_long = "prompt is too long: 300000 tokens > 200000 maximum"
    step = {"status": 400, "message": too_long, "times": 1, "text": "Went on."}

    outcome = agent.turn(script(step), "anthropic/claude-sonnet-4-5")

    assert outcome.error is None
    assert agent.world.final_texts() == ["Went on."]
    # The summary is not shown, but it is paid for.
    assert sum(isinstance(event, StepFinished) for event in agent.world.events) == 2
