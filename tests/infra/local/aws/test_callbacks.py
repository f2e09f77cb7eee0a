"""`.waitForTaskToken` as on AWS: deadlines, heartbeats, failing tasks, dead tokens."""

import json
import threading
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from botocore.exceptions import ClientError

from infra.local.aws.callbacks import Wait
from tests.eventually import eventually
from tests.infra.local.aws import stacks
from tests.local_aws import LocalAws

pytestmark = pytest.mark.local_aws

# Prints the token it is handed, so that a test can find it; or does what the input says.
_CODE = """
    import json

    class NotReady(Exception):
        pass

    def handler(event, context):
        print(json.dumps({"session": event["input"]["session"], "token": event["token"]}))
        if event["input"].get("raise"):
            raise NotReady("the sandbox did not come up")
"""


def _machine(**deadlines: Any) -> dict[str, Any]:
    return {
        "StartAt": "Await",
        "States": {
            "Await": {
                "Type": "Task",
                "Resource": "arn:aws:states:::lambda:invoke.waitForTaskToken",
                "Parameters": {
                    "FunctionName": "${function}",
                    "Payload": {"token.$": "$$.Task.Token", "input.$": "$"},
                },
                "Retry": [{"ErrorEquals": ["Again"], "MaxAttempts": 1, "IntervalSeconds": 0}],
                "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Caught"}],
                "End": True,
                **deadlines,
            },
            "Caught": {"Type": "Pass", "End": True},
        },
    }


@pytest.fixture(scope="module")
def machines(aws: LocalAws) -> dict[str, str]:
    definitions = {
        "Plain": _machine(),
        "Deadlines": _machine(
            TimeoutSecondsPath="$.deadlines.timeout", HeartbeatSecondsPath="$.deadlines.heartbeat"
        ),
        "Literal": _machine(HeartbeatSeconds=1, TimeoutSeconds=60),
    }
    template = stacks.template(
        stacks.function("Function", _CODE),
        *[
            stacks.machine(name, definition, function=stacks.arn("Function"))
            for name, definition in definitions.items()
        ],
        outputs={name: stacks.ref(name) for name in definitions},
    )
    return aws.deploy(template, "Callbacks")


class Execution:
    """One run of a machine, and the tokens it handed out."""

    def __init__(self, host: LocalAws, machine: str, **given: Any) -> None:
        self.host, self.session = host, uuid4().hex
        self.states = host.client("stepfunctions")
        self.arn = self.states.start_execution(
            stateMachineArn=machine,
            name=self.session,
            input=json.dumps({"session": self.session, **given}),
        )["executionArn"]

    def token(self, number: int = 0) -> str:
        return eventually(lambda: self._tokens()[number : number + 1])[0]

    def _tokens(self) -> list[str]:
        lines = self.host.lambda_log()
        return [line["token"] for line in lines if line.get("session") == self.session]

    def end(self) -> dict[str, Any]:
        return eventually(lambda: self._described("RUNNING"))

    def output(self) -> Any:
        return json.loads(self.end()["output"])

    def _described(self, unwanted: str) -> dict[str, Any]:
        described = self.states.describe_execution(executionArn=self.arn)
        return described if described["status"] != unwanted else {}


def test_success_and_failure_reach_the_state(aws: LocalAws, machines: dict[str, str]) -> None:
    good, bad = (Execution(aws, machines["Plain"]) for _ in range(2))

    good.states.send_task_success(taskToken=good.token(), output='{"ready": true}')
    bad.states.send_task_failure(taskToken=bad.token(), error="SandboxDied", cause="oom")

    assert good.output() == {"ready": True}
    assert bad.output() == {"Error": "SandboxDied", "Cause": "oom"}


def test_a_function_that_raises_when_handed_the_token_fails_the_task(
    aws: LocalAws, machines: dict[str, str]
) -> None:
    execution = Execution(aws, machines["Plain"], **{"raise": True})

    caught = execution.output()

    assert caught["Error"] == "NotReady"
    assert json.loads(caught["Cause"])["errorMessage"] == "the sandbox did not come up"


def test_silence_is_a_heartbeat_timeout(aws: LocalAws, machines: dict[str, str]) -> None:
    literal = Execution(aws, machines["Literal"])
    computed = Execution(aws, machines["Deadlines"], deadlines={"timeout": 60, "heartbeat": 1})

    assert literal.output()["Error"] == "States.HeartbeatTimeout"
    assert computed.output()["Error"] == "States.HeartbeatTimeout"


def test_no_answer_is_a_timeout(aws: LocalAws, machines: dict[str, str]) -> None:
    execution = Execution(aws, machines["Deadlines"], deadlines={"timeout": 1, "heartbeat": 60})

    assert execution.output()["Error"] == "States.Timeout"


def test_heartbeats_keep_a_task_alive_but_never_extend_its_timeout(
    aws: LocalAws, machines: dict[str, str]
) -> None:
    execution = Execution(aws, machines["Deadlines"], deadlines={"timeout": 3, "heartbeat": 1})
    token = execution.token()

    beats = _beat_until_refused(execution, token)

    assert beats > 3
    assert execution.output()["Error"] == "States.Timeout"


def _beat_until_refused(execution: Execution, token: str) -> int:
    beats, pause = 0, threading.Event()
    try:
        while beats < 100:
            execution.states.send_task_heartbeat(taskToken=token)
            beats += 1
            pause.wait(0.3)
    except ClientError:
        pass
    return beats


@pytest.mark.parametrize("deadlines", [{"timeout": 0, "heartbeat": 1}, {"timeout": "soon"}])
def test_a_deadline_that_is_no_positive_number_fails_the_execution(
    aws: LocalAws, machines: dict[str, str], deadlines: dict[str, Any]
) -> None:
    execution = Execution(aws, machines["Deadlines"], deadlines=deadlines)

    ended = execution.end()

    assert (ended["status"], ended["error"]) == ("FAILED", "States.Runtime")


@pytest.mark.parametrize("kind", ["success", "failure", "heartbeat"])
def test_a_dead_token_is_timed_out_and_a_made_up_one_invalid(
    aws: LocalAws, machines: dict[str, str], kind: str
) -> None:
    execution = Execution(aws, machines["Plain"])
    dead = execution.token()
    execution.states.send_task_success(taskToken=dead, output="{}")
    execution.end()

    assert _refused(_sending(aws, kind), dead) == "TaskTimedOut"
    assert _refused(_sending(aws, kind), "made-up") == "InvalidToken"


def _sending(host: LocalAws, kind: str) -> Callable[[str], Any]:
    states = host.client("stepfunctions")
    calls: dict[str, Callable[[str], Any]] = {
        "success": lambda token: states.send_task_success(taskToken=token, output="{}"),
        "failure": lambda token: states.send_task_failure(taskToken=token),
        "heartbeat": lambda token: states.send_task_heartbeat(taskToken=token),
    }
    return calls[kind]


def _refused(send: Callable[[str], Any], token: str) -> str:
    with pytest.raises(ClientError) as refusal:
        send(token)
    return refusal.value.response["Error"]["Code"]


def test_each_attempt_has_a_token_of_its_own(aws: LocalAws, machines: dict[str, str]) -> None:
    execution = Execution(aws, machines["Plain"])
    first = execution.token(0)
    execution.states.send_task_failure(taskToken=first, error="Again")

    second = execution.token(1)

    assert second != first
    assert _refused(_sending(aws, "success"), first) == "TaskTimedOut"
    execution.states.send_task_success(taskToken=second, output='"second"')
    assert execution.output() == "second"


def test_output_that_is_no_json_is_refused(aws: LocalAws, machines: dict[str, str]) -> None:
    execution = Execution(aws, machines["Plain"])
    token = execution.token()

    with pytest.raises(ClientError) as refusal:
        execution.states.send_task_success(taskToken=token, output="{")

    assert refusal.value.response["Error"]["Code"] == "InvalidOutput"
    execution.states.stop_execution(executionArn=execution.arn)


def test_a_stopped_execution_stays_stopped_and_its_token_dies(
    aws: LocalAws, machines: dict[str, str]
) -> None:
    execution = Execution(aws, machines["Plain"])
    token = execution.token()

    execution.states.stop_execution(executionArn=execution.arn)

    eventually(lambda: _refused(_sending(aws, "success"), token) == "TaskTimedOut")
    assert execution.end()["status"] == "ABORTED"


class _CountedCondition(threading.Condition):
    waits = 0

    def wait(self, timeout: float | None = None) -> bool:
        self.waits += 1
        return super().wait(timeout)


def test_a_wait_sleeps_until_its_deadline_and_does_not_poll() -> None:
    changed = _CountedCondition()
    wait = Wait(execution="", timeout=0.2, heartbeat=float("inf"), changed=changed)

    outcome = wait.result()

    assert outcome == ("failure", "States.Timeout", "")
    assert changed.waits <= 2  # the clock may be a hair early once


def test_the_first_outcome_counts() -> None:
    wait = Wait(execution="", timeout=60, heartbeat=60)

    answers = [wait.settle("success", "1"), wait.settle("failure", "Late", "")]

    assert answers == [True, False]
    assert wait.result() == ("success", "1")
