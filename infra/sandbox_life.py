"""The life of one sandbox attempt, as a Step Functions machine.

    Prepare ─▶ Launch ─▶ AwaitConnect ─▶ AwaitReady ─▶ Serve ─▶ Preserve ─▶ Retire
       │         │            ▲ │            ▲ │        ▲ │        ▲
       │         │            │ ▼            │ ▼        │ ▼        │
       │         ▼            └─ a clock ran out: Question ────────┤
       │    LaunchFailed (or the bridge came all the same: go on) ─┤
       └▶ PrepareFailed ───────────────────────────────────────────┘

Every task is the function `sandbox_task`, told which step it is. The waiting steps hand it a task
token; the session completes the token once it knows what is waited for. A clock that runs out ends
nothing by itself: Question asks the session, whose answer may be to go on. Whatever goes wrong, the
way out leads through Preserve, and only Preserve touches a sandbox that may hold files: while it
can't, nothing is destroyed, and a next life of the same attempt goes on trying, as it does for an
attempt that could not be retired. The machine may be run again from its start: each step adopts
what an earlier run left.

The state is ids and seconds: {session, attempt, life, plan, outcome, question, error}.
"""

from collections.abc import Mapping, Sequence
from typing import Any

FUNCTION = "SandboxTask"
"""Stands in the definition for the ARN of `sandbox_task`."""

_RESOURCE = f"${{{FUNCTION}}}"

type State = dict[str, Any]

_LAMBDA_FAULTS = (
    "Lambda.ClientExecutionTimeoutException",
    "Lambda.ServiceException",
    "Lambda.AWSLambdaException",
    "Lambda.SdkClientException",
    "Lambda.TooManyRequestsException",
    "Lambda.Unknown",
    "Sandbox.Timedout",
)
_PASSING = ("Unavailable", "SandboxUnavailable", "Contended")
"""Errors of ours, by class name, that another try may not meet."""

_TASK_SECONDS = 330
"""Longer than the function's own time, so that the function's error is the one we see."""

_IDS = {"session.$": "$.session", "attempt.$": "$.attempt", "life.$": "$.life"}


def definition() -> State:
    return {
        "Comment": "One attempt of a session's sandbox, from boot until its files are safe",
        "QueryLanguage": "JSONPath",
        "StartAt": "Prepare",
        "States": _boot() | _waits() | _questions() | _end(),
    }


def _boot() -> dict[str, State]:
    return {
        "Prepare": _task("prepare", "$.plan", "Prepared", otherwise="PrepareFailed"),
        "Prepared": _branch("$.plan.outcome", {"launch": "Launch"}, otherwise="Preserve"),
        "Launch": _task("launch", "$.outcome", "Launched", otherwise="LaunchFailed"),
        "Launched": _branch(
            "$.outcome.outcome", {"launched": "AwaitConnect"}, otherwise="Preserve"
        ),
        # Without a plan there are no limits to wait with, whatever became of the bridge.
        "PrepareFailed": _task(
            "launch_failed",
            "$.outcome",
            "Preserve",
            otherwise="Preserve",
            more={"error.$": "$.error"},
        ),
        "LaunchFailed": _task(
            "launch_failed",
            "$.outcome",
            "Launched",
            otherwise="Preserve",
            more={"error.$": "$.error"},
        ),
    }


def _waits() -> dict[str, State]:
    silent = {"HeartbeatSecondsPath": "$.plan.heartbeatSeconds"}
    return {
        "AwaitConnect": _wait("connect", "connectSeconds", "Connected", "NotConnected"),
        "Connected": _branch(
            "$.outcome.outcome", {"connected": "AwaitReady"}, otherwise="Preserve"
        ),
        "AwaitReady": _wait("ready", "bootSeconds", "Ready", "BootTooLong", "BootSilent") | silent,
        "Ready": _branch("$.outcome.outcome", {"ready": "Serve"}, otherwise="Preserve"),
        "Serve": _wait("serve", "serveSeconds", "Preserve", "LifetimeOver", "Silent") | silent,
    }


def _questions() -> dict[str, State]:
    return {
        "NotConnected": _ask("connect", "timeout"),
        "BootTooLong": _ask("ready", "timeout"),
        "BootSilent": _ask("ready", "heartbeat"),
        "LifetimeOver": _ask("serve", "timeout"),
        "Silent": _ask("serve", "heartbeat"),
        "Question": _task(
            "question",
            "$.outcome",
            "Answered",
            otherwise="Preserve",
            more={"wait.$": "$.question.wait", "clock.$": "$.question.clock"},
        )
        # What keeps heartbeats from arriving keeps the answer from coming: that ends no turn.
        | {"Retry": [_patient()]},
        "Answered": _branch("$.outcome.outcome", {"go_on": "GoOn"}, otherwise="Preserve"),
        "GoOn": _branch(
            "$.question.wait", {"connect": "AwaitConnect", "ready": "AwaitReady"}, otherwise="Serve"
        ),
    }


def _end() -> dict[str, State]:
    patient = [_patient()]
    return {
        "Preserve": _task("preserve", None, "Retire", otherwise="PreserveFailed")
        | {"Retry": patient},
        "PreserveFailed": _task("life_ended", None, "NotPreserved", otherwise="NotPreserved")
        | {"Retry": patient},
        "NotPreserved": {
            "Type": "Fail",
            "ErrorPath": "$.error.Error",
            "Cause": "the sandbox's files could not be made safe; nothing was destroyed",
        },
        "Retire": {
            "Type": "Task",
            "Resource": _RESOURCE,
            "Parameters": {"step": "retire", **_IDS},
            "TimeoutSeconds": _TASK_SECONDS,
            "Retry": patient,
            "Catch": [_catch("States.ALL", "PreserveFailed")],
            "End": True,
        },
    }


def _task(
    step: str,
    keep: str | None,
    then: str,
    *,
    otherwise: str,
    more: Mapping[str, str] | None = None,
) -> State:
    return {
        "Type": "Task",
        "Resource": _RESOURCE,
        "Parameters": {"step": step, **_IDS, **(more or {})},
        "TimeoutSeconds": _TASK_SECONDS,
        "ResultPath": keep,
        "Retry": _retries(),
        "Catch": [_catch("States.ALL", otherwise)],
        "Next": then,
    }


def _wait(
    wait: str, seconds: str, then: str, on_timeout: str, on_silence: str | None = None
) -> State:
    """An error of the step itself is a question too, the mildest that there is: is it silent?"""
    silence = [_catch("States.HeartbeatTimeout", on_silence)] if on_silence else []
    payload = {"step": "await", "wait": wait, "token.$": "$$.Task.Token", **_IDS}
    return {
        "Type": "Task",
        "Resource": "arn:aws:states:::lambda:invoke.waitForTaskToken",
        "Parameters": {"FunctionName": _RESOURCE, "Payload": payload},
        "TimeoutSecondsPath": f"$.plan.{seconds}",
        "ResultPath": "$.outcome",
        "Retry": _retries(),
        # A heartbeat's timeout is a timeout too: the first that matches is taken.
        "Catch": [
            *silence,
            _catch("States.Timeout", on_timeout),
            _catch("States.ALL", on_silence or on_timeout),
        ],
        "Next": then,
    }


def _ask(wait: str, clock: str) -> State:
    return {
        "Type": "Pass",
        "Result": {"wait": wait, "clock": clock},
        "ResultPath": "$.question",
        "Next": "Question",
    }


def _branch(variable: str, ways: Mapping[str, str], *, otherwise: str) -> State:
    choices = [
        {"Variable": variable, "StringEquals": value, "Next": state}
        for value, state in ways.items()
    ]
    return {"Type": "Choice", "Choices": choices, "Default": otherwise}


def _retries() -> list[State]:
    return [
        _retry(_PASSING, tries=3, first=2, longest=30),
        _retry(_LAMBDA_FAULTS, tries=3, first=2, longest=30),
    ]


def _patient() -> State:
    """For most of an hour, whatever goes wrong."""
    return _retry(("States.ALL",), tries=12, first=5, longest=300)


def _retry(errors: Sequence[str], *, tries: int, first: int, longest: int) -> State:
    return {
        "ErrorEquals": list(errors),
        "MaxAttempts": tries,
        "IntervalSeconds": first,
        "BackoffRate": 2,
        "MaxDelaySeconds": longest,
        "JitterStrategy": "FULL",
    }


def _catch(error: str, then: str) -> State:
    return {"ErrorEquals": [error], "ResultPath": "$.error", "Next": then}
