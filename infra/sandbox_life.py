"""The life of one sandbox attempt, as a Step Functions machine.

    Prepare ─▶ Launch ─▶ AwaitConnect ─▶ AwaitReady ─▶ Serve ─▶ Preserve ─▶ Retire
       │         │            ▲ │            ▲ │       ▲ │ ▲ ▲        ▲
       │         │            │ ▼            │ ▼       │ │ │ └ AwaitStop
       │         ▼            └─ a clock ran out: Question └ Checkpoint
       │    LaunchFailed (or the bridge came all the same: go on) ──────┤
       └▶ PrepareFailed ────────────────────────────────────────────────┘

Every task is the function `sandbox_task`, told which step it is. The waiting steps hand it a task
token; the session completes the token once it knows what is waited for. Serve is left between two
turns for a copy of the files (Checkpoint), and for a turn that has to end (AwaitStop): because
somebody stopped it, or because the sandbox's lifetime is about to end.

A clock that runs out ends nothing by itself: Question asks the session, whose answer may be to go
on. Each answer before a wait says how long that may take, so that asking does not start a clock
anew. Whatever goes wrong, the way out leads through Preserve, and only Preserve touches a sandbox
that may hold files: while it can't, nothing is destroyed, and a next life of the same attempt goes
on trying, as it does for an attempt that could not be retired. The machine may be run again from
its start: each step adopts what an earlier run left.

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
_PASSING = (
    *("Unavailable", "SandboxUnavailable", "SandboxLimited", "Contended"),
    "SecretsUnavailable",
)
"""Errors of ours, by class name, that another try may not meet."""

_TASK_SECONDS = 330
"""Longer than the function's own time, so that the function's error is the one we see."""

_BETWEEN_TURNS = {"checkpoint": "Checkpoint", "stopping": "AwaitStop"}
_ANSWERS = {
    "go_on": "GoOn",
    "connected": "AwaitReady",
    "ready": "Serve",
    "stopped": "Serve",
    **_BETWEEN_TURNS,
}
"""A clock may run out at the very moment at which what was waited for comes."""

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
        # Without a plan the sandbox is given up, which in a later life may be one that works.
        "Prepare": _task("prepare", "$.plan", "Prepared", otherwise="PrepareFailed")
        | {"Retry": [_for_minutes()]},
        "Prepared": _branch("$.plan.outcome", {"launch": "Launch"}, otherwise="Preserve"),
        # A busy provider is given most of the time that a boot may take to connect.
        "Launch": _task("launch", "$.outcome", "Launched", otherwise="LaunchFailed")
        | {"Retry": [_retry(_PASSING, tries=9, first=2, longest=30), _after_lambda_faults()]},
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
    return {
        "AwaitConnect": _wait("connect", "Connected", "NotConnected"),
        "Connected": _branch(
            "$.outcome.outcome", {"connected": "AwaitReady"}, otherwise="Preserve"
        ),
        "AwaitReady": _wait("ready", "Ready", "BootTooLong", "BootSilent"),
        "Ready": _branch("$.outcome.outcome", {"ready": "Serve"}, otherwise="Preserve"),
        "Serve": _wait("serve", "Served", "LifetimeOver", "Silent"),
        "Served": _branch("$.outcome.outcome", _BETWEEN_TURNS, otherwise="Preserve"),
        "AwaitStop": _wait("stop", "Stopped", "NotStopped"),
        "Stopped": _branch("$.outcome.outcome", {"stopped": "Serve"}, otherwise="Preserve"),
        "Checkpoint": _task("checkpoint", "$.outcome", "Saved", otherwise="CheckpointFailed")
        | {"Retry": [_after_lambda_faults()]},
        "CheckpointFailed": _task(
            "checkpoint_failed", "$.outcome", "Saved", otherwise="SaveUnknown"
        ),
        "SaveUnknown": {
            "Type": "Pass",
            "Parameters": {"outcome": "go_on", "seconds.$": "$.plan.seconds"},
            "ResultPath": "$.outcome",
            "Next": "Serve",
        },
        "Saved": _branch(
            "$.outcome.outcome", {"go_on": "Serve", **_BETWEEN_TURNS}, otherwise="Preserve"
        ),
    }


def _questions() -> dict[str, State]:
    return {
        "NotConnected": _ask("connect", "timeout"),
        "BootTooLong": _ask("ready", "timeout"),
        "BootSilent": _ask("ready", "heartbeat"),
        "LifetimeOver": _ask("serve", "timeout"),
        "Silent": _ask("serve", "heartbeat"),
        "NotStopped": _ask("stop", "timeout"),
        "Question": _task(
            "question",
            "$.outcome",
            "Answered",
            otherwise="Preserve",
            more={"wait.$": "$.question.wait", "clock.$": "$.question.clock"},
        )
        # What keeps heartbeats from arriving keeps the answer from coming: that ends no turn.
        | {"Retry": [_patient()]},
        "Answered": _branch("$.outcome.outcome", _ANSWERS, otherwise="Preserve"),
        "GoOn": _branch(
            "$.question.wait",
            {"connect": "AwaitConnect", "ready": "AwaitReady", "stop": "AwaitStop"},
            otherwise="Serve",
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


def _wait(wait: str, then: str, on_timeout: str, on_silence: str | None = None) -> State:
    """An error of the step itself is a question too: whether a deadline has passed.

    Not whether it is silent: while nobody waited nobody could hear it, and one that has nothing to
    say but its heartbeats would be ended for that.
    """
    silence = [_catch("States.HeartbeatTimeout", on_silence)] if on_silence else []
    listening = {"HeartbeatSecondsPath": "$.plan.heartbeatSeconds"} if on_silence else {}
    payload = {"step": "await", "wait": wait, "token.$": "$$.Task.Token", **_IDS}
    return {
        "Type": "Task",
        "Resource": "arn:aws:states:::lambda:invoke.waitForTaskToken",
        "Parameters": {"FunctionName": _RESOURCE, "Payload": payload},
        "TimeoutSecondsPath": "$.outcome.seconds",
        **listening,
        "ResultPath": "$.outcome",
        # Nobody listens meanwhile, and nobody has to.
        "Retry": [_for_minutes()],
        # A heartbeat's timeout is a timeout too: the first that matches is taken.
        "Catch": [
            *silence,
            _catch("States.Timeout", on_timeout),
            _catch("States.ALL", on_timeout),
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
    return [_retry(_PASSING, tries=3, first=2, longest=30), _after_lambda_faults()]


def _after_lambda_faults() -> State:
    return _retry(_LAMBDA_FAULTS, tries=3, first=2, longest=30)


def _for_minutes() -> State:
    return _retry((*_PASSING, *_LAMBDA_FAULTS), tries=9, first=2, longest=30)


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
