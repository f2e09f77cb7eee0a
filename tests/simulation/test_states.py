"""The interpreter of state machines, where it could quietly mean something else than AWS does."""

import pytest

from infra.sandbox_life import definition
from tests.simulation import states


def test_a_path_looks_into_the_state_or_the_context():
    template = {"a": 1, "b.$": "$.plan.seconds", "c": [{"d.$": "$$.Task.Token"}]}

    filled = states.fill(template, {"plan": {"seconds": 5}}, {"Task": {"Token": "t"}})

    assert filled == {"a": 1, "b": 5, "c": [{"d": "t"}]}


def test_a_result_is_put_where_its_path_says():
    assert states.put({"a": 1}, "$.b.c", 2) == {"a": 1, "b": {"c": 2}}
    assert states.put({"a": 1}, None, 2) == {"a": 1}
    assert states.put({"a": 1}, "$", {"b": 2}) == {"b": 2}


def test_a_missing_path_fails_instead_of_meaning_nothing():
    with pytest.raises(KeyError):
        states.look({}, "$.plan")
    with pytest.raises(KeyError):
        states.choose(
            {"Choices": [{"Variable": "$.a", "StringEquals": "x", "Next": "X"}], "Default": "Y"}, {}
        )


def test_a_choice_takes_the_first_rule_that_holds():
    both = {
        "And": [
            {"Variable": "$.a", "IsPresent": True},
            {"Not": {"Variable": "$.a", "StringEquals": "x"}},
        ],
        "Next": "Other",
    }
    state = {"Choices": [both], "Default": "Y"}

    assert states.choose(state, {"a": "z"}) == "Other"
    assert states.choose(state, {"a": "x"}) == "Y"
    assert states.choose(state, {}) == "Y"


def test_an_unknown_word_is_refused():
    with pytest.raises(states.Unknown):
        states.holds({"Variable": "$.a", "StringMatches": "x*"}, {"a": "x"})
    with pytest.raises(states.Unknown):
        states.look({}, "$.a[0]")


def test_a_silence_is_a_time_out_too():
    assert states.matches(["States.Timeout"], "States.HeartbeatTimeout")
    assert not states.matches(["States.HeartbeatTimeout"], "States.Timeout")
    assert not states.matches(["States.TaskFailed"], "States.Timeout")
    assert states.matches(["States.TaskFailed"], "Contended")


def test_a_retrier_is_spent_by_itself_and_waits_no_longer_than_its_limit():
    state = {
        "Retry": [
            {"ErrorEquals": ["A"], "MaxAttempts": 1, "IntervalSeconds": 2, "BackoffRate": 2},
            {
                "ErrorEquals": ["States.ALL"],
                "MaxAttempts": 9,
                "IntervalSeconds": 2,
                "BackoffRate": 2,
                "MaxDelaySeconds": 10,
            },
        ]
    }

    assert states.retry(state, "A", {}) == (0, 2)
    assert states.retry(state, "A", {0: 1}) is None
    assert states.retry(state, "B", {1: 4}) == (1, 10)


def test_the_real_definition_has_no_word_that_is_not_known_here():
    known = {
        "Type",
        "Next",
        "End",
        "Choices",
        "Default",
        "Resource",
        "Parameters",
        "ResultPath",
        "Result",
        "Retry",
        "Catch",
        "TimeoutSeconds",
        "TimeoutSecondsPath",
        "HeartbeatSeconds",
        "HeartbeatSecondsPath",
        "ErrorPath",
        "Error",
        "Cause",
        "Comment",
        "Seconds",
        "SecondsPath",
    }

    used = {word for state in definition()["States"].values() for word in state}

    assert used <= known
