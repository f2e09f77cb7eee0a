"""The machine, walked as data: what it may do wrong is visible in its shape."""

import json
from collections.abc import Iterator

import pytest

from infra.sandbox_life import FUNCTION, definition

STATES = definition()["States"]
TASKS = {name: state for name, state in STATES.items() if state["Type"] == "Task"}
WAITS = {name: state for name, state in TASKS.items() if state["Resource"].endswith("Token")}


def _ways_out(state) -> Iterator[str]:
    if "Next" in state:
        yield state["Next"]
    if "Default" in state:
        yield state["Default"]
    for way in (*state.get("Choices", ()), *state.get("Catch", ())):
        yield way["Next"]


def _reachable(start: str, *, without: str = "") -> set[str]:
    seen: set[str] = set()
    ahead = [start]
    while ahead:
        name = ahead.pop()
        if name not in seen and name != without:
            seen.add(name)
            ahead.extend(_ways_out(STATES[name]))
    return seen


def _told(state) -> dict[str, str]:
    return state["Parameters"].get("Payload", state["Parameters"])


def test_every_state_is_reached_and_every_way_leads_to_a_state():
    assert _reachable(definition()["StartAt"]) == set(STATES)


def test_a_life_ends_retired_or_with_its_files_in_doubt_and_no_other_way():
    ends = {
        name for name, state in STATES.items() if "Next" not in state and "Choices" not in state
    }

    assert ends == {"Retire", "NotPreserved"}
    assert STATES["Retire"]["End"] is True
    assert STATES["NotPreserved"]["Type"] == "Fail"


def test_nothing_is_retired_that_was_not_preserved():
    assert "Retire" not in _reachable(definition()["StartAt"], without="Preserve")


def test_every_task_has_a_time_limit():
    for name, state in TASKS.items():
        assert ("TimeoutSeconds" in state) != ("TimeoutSecondsPath" in state), name


def test_the_waits_are_the_ones_the_session_knows():
    waits = {name: _told(state)["wait"] for name, state in WAITS.items()}

    assert waits == {
        "AwaitConnect": "connect",
        "AwaitReady": "ready",
        "Serve": "serve",
        "AwaitStop": "stop",
    }
    assert all(_told(state)["token.$"] == "$$.Task.Token" for state in WAITS.values())


@pytest.mark.parametrize("name", WAITS)
def test_a_wait_takes_its_limit_from_the_answer_before_it(name):
    assert STATES[name]["TimeoutSecondsPath"] == "$.outcome.seconds"


def test_a_connected_bridge_has_to_be_heard():
    heard = {name: state.get("HeartbeatSecondsPath") for name, state in WAITS.items()}

    assert heard == {
        "AwaitConnect": None,
        "AwaitReady": "$.plan.heartbeatSeconds",
        "Serve": "$.plan.heartbeatSeconds",
        "AwaitStop": None,
    }


@pytest.mark.parametrize("name", WAITS)
def test_a_clock_that_ran_out_is_a_question_about_that_clock(name):
    state = STATES[name]
    asked = {way["ErrorEquals"][0]: STATES[way["Next"]] for way in state["Catch"]}

    for error, clock in (("States.Timeout", "timeout"), ("States.HeartbeatTimeout", "heartbeat")):
        if error in asked:
            assert asked[error]["Result"] == {"wait": _told(state)["wait"], "clock": clock}
            assert asked[error]["Next"] == "Question"
    assert ("States.HeartbeatTimeout" in asked) == ("HeartbeatSecondsPath" in state)
    assert list(asked)[-1] == "States.ALL"


def test_silence_is_caught_before_the_timeout_that_it_also_is():
    for name in ("AwaitReady", "Serve"):
        errors = [way["ErrorEquals"] for way in STATES[name]["Catch"]]
        assert errors == [["States.HeartbeatTimeout"], ["States.Timeout"], ["States.ALL"]]


def test_going_on_returns_to_the_wait_that_was_asked_about():
    ways = {way["StringEquals"]: way["Next"] for way in STATES["GoOn"]["Choices"]}

    assert ways == {"connect": "AwaitConnect", "ready": "AwaitReady", "stop": "AwaitStop"}
    assert STATES["GoOn"]["Default"] == "Serve"


def test_what_is_done_between_two_turns_is_known_to_whoever_may_hear_of_it():
    """Serving may be left for it, a question may be answered with it, a copy be followed by it."""
    between = {"checkpoint": "Checkpoint", "stopping": "AwaitStop"}

    for name in ("Served", "Answered", "Saved"):
        ways = {way["StringEquals"]: way["Next"] for way in STATES[name]["Choices"]}
        assert between.items() <= ways.items(), name


def test_no_copy_that_fails_ends_a_life():
    without = _reachable("CheckpointFailed", without="Saved")

    assert STATES["Checkpoint"]["Catch"][-1]["Next"] == "CheckpointFailed"
    assert STATES["CheckpointFailed"]["Catch"][-1]["Next"] == "SaveUnknown"
    assert STATES["SaveUnknown"]["Next"] == "Serve"
    assert "Preserve" not in without - _reachable("Serve")


def test_a_copy_is_made_again_only_when_its_function_was_lost():
    """What the provider says of a copy is the function's business; asking twice takes twice."""
    retried = {error for retry in STATES["Checkpoint"]["Retry"] for error in retry["ErrorEquals"]}

    assert not retried & {"States.ALL", "States.Timeout", "Unavailable", "SandboxUnavailable"}
    assert "Sandbox.Timedout" in retried


def test_what_a_busy_provider_says_is_tried_again_for_most_of_the_time_to_connect():
    busy, _ = STATES["Launch"]["Retry"]
    most = sum(min(busy["IntervalSeconds"] * 2**n, busy["MaxDelaySeconds"]) for n in range(9))

    assert {"SandboxLimited", "SandboxUnavailable"} <= set(busy["ErrorEquals"])
    assert busy["MaxAttempts"] == 9
    assert 2 * 60 < most < 4 * 60


def test_a_wait_that_listens_is_longer_than_it_listens_for():
    """Step Functions fails an execution whose heartbeat is no less than its timeout."""
    assert STATES["SaveUnknown"]["Parameters"]["seconds.$"] == "$.plan.seconds"
    assert STATES["SaveUnknown"]["Next"] == "Serve"


def test_every_catch_ends_in_a_question_or_with_the_files_made_safe():
    for name, state in TASKS.items():
        for way in state.get("Catch", ()):
            if name in {"Preserve", "PreserveFailed", "Retire"}:
                assert way["Next"] in {"PreserveFailed", "NotPreserved"}
                continue
            target = STATES[way["Next"]]
            then = way["Next"] if way["Next"] == "Preserve" else target["Next"]
            kept = {"Preserve", "Question", "Launched"}
            assert then in kept | ({"Saved", "Serve"} if "Checkpoint" in name else set()), name


def test_a_life_that_ends_with_files_in_doubt_asks_for_another():
    assert STATES["Preserve"]["Catch"][-1]["Next"] == "PreserveFailed"
    assert _told(STATES["PreserveFailed"])["step"] == "life_ended"


def test_a_life_without_a_plan_waits_for_nothing():
    """A wait takes its limits from the plan: without one it would be an error nobody catches."""
    (way,) = STATES["Prepare"]["Catch"]

    assert not _reachable(way["Next"]) & set(WAITS)
    assert _told(STATES[way["Next"]])["step"] == "launch_failed"


def test_an_attempt_that_could_not_be_retired_gets_another_life():
    assert [way["Next"] for way in STATES["Retire"]["Catch"]] == ["PreserveFailed"]


def test_asking_for_another_life_is_tried_for_as_long_as_preserving():
    assert STATES["PreserveFailed"]["Retry"] == STATES["Preserve"]["Retry"]


def test_a_question_is_asked_for_as_long_as_preserving_is_tried():
    """What keeps heartbeats from arriving keeps the answer from coming, too."""
    assert STATES["Question"]["Retry"] == STATES["Preserve"]["Retry"]


def test_a_failed_launch_goes_on_when_the_bridge_came_all_the_same():
    assert STATES["LaunchFailed"]["Next"] == "Launched"
    assert STATES["LaunchFailed"]["ResultPath"] == "$.outcome"


@pytest.mark.parametrize("name", WAITS)
def test_an_error_of_a_wait_asks_for_deadlines_and_not_whether_it_was_silent(name):
    """Nobody could hear it: an idle sandbox says nothing but heartbeats."""
    error = STATES[name]["Catch"][-1]

    assert error["ErrorEquals"] == ["States.ALL"]
    assert STATES[error["Next"]]["Result"]["clock"] == "timeout"


def test_a_busy_minute_keeps_nobody_from_waiting_or_from_beginning_a_life_again():
    for name in (*WAITS, "Prepare"):
        for retry in STATES[name]["Retry"]:
            assert retry["MaxAttempts"] >= 9, name


def test_preserving_is_tried_for_long_whatever_goes_wrong():
    (retry,) = STATES["Preserve"]["Retry"]

    assert retry["ErrorEquals"] == ["States.ALL"]
    assert retry["MaxAttempts"] >= 10


def test_a_timeout_is_never_retried_before_it_is_asked_about():
    for state in WAITS.values():
        retried = {error for retry in state["Retry"] for error in retry["ErrorEquals"]}
        assert not retried & {"States.ALL", "States.Timeout", "States.HeartbeatTimeout"}
        assert {"Unavailable", "Contended"} <= retried


def test_each_step_says_which_life_it_is_of_and_is_told_nothing_but_ids():
    for name, state in TASKS.items():
        told = dict(_told(state))
        ids = {key: told.pop(key) for key in ("session.$", "attempt.$", "life.$")}
        assert ids == {"session.$": "$.session", "attempt.$": "$.attempt", "life.$": "$.life"}
        assert told.keys() <= {"step", "wait", "wait.$", "clock.$", "token.$", "error.$"}, name


def test_the_steps_are_the_contract_with_the_function():
    assert {_told(state)["step"] for state in TASKS.values()} == {
        "prepare",
        "launch",
        "launch_failed",
        "life_ended",
        "await",
        "question",
        "checkpoint",
        "checkpoint_failed",
        "preserve",
        "retire",
    }


def test_every_task_is_the_one_function():
    placeholder = f"${{{FUNCTION}}}"
    for state in TASKS.values():
        called = state["Parameters"].get("FunctionName", state["Resource"])
        assert called == placeholder
    assert len(json.dumps(definition())) < 100_000
