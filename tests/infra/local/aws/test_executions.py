"""Executions outlive the host; starting one twice starts it once."""

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests.eventually import eventually
from tests.infra.local.aws import stacks
from tests.local_aws import LocalAws

pytestmark = pytest.mark.local_aws

_CODE = """
    import json

    def handler(event, context):
        print(json.dumps({"token": event["token"]}))
"""
_AWAIT = {
    "StartAt": "Await",
    "States": {
        "Await": {
            "Type": "Task",
            "Resource": "arn:aws:states:::lambda:invoke.waitForTaskToken",
            "Parameters": {
                "FunctionName": "taker",
                "Payload": {"token.$": "$$.Task.Token"},
            },
            "End": True,
        }
    },
}
_WAIT = {"StartAt": "Wait", "States": {"Wait": {"Type": "Wait", "Seconds": 60, "End": True}}}


def _create_machine(host: LocalAws, name: str, definition: Any) -> str:
    created = host.client("stepfunctions").create_state_machine(
        name=name,
        definition=json.dumps(definition),
        roleArn="arn:aws:iam::000000000000:role/test",
    )
    return created["stateMachineArn"]


def _tokens(host: LocalAws) -> list[str]:
    return [line["token"] for line in host.lambda_log() if "token" in line]


def test_an_execution_that_kill_9_interrupts_runs_again_with_a_new_token(mortal: LocalAws) -> None:
    states = mortal.client("stepfunctions")
    stacks.create_function(mortal, "taker", _CODE)
    machine = _create_machine(mortal, "await", _AWAIT)
    arn = states.start_execution(stateMachineArn=machine, name="s-1", input="{}")["executionArn"]
    first = eventually(lambda: _tokens(mortal))
    ended = states.start_execution(stateMachineArn=machine, name="s-2", input="{}")["executionArn"]
    states.stop_execution(executionArn=ended)

    mortal.restart()
    later = eventually(lambda: set(_tokens(mortal)[len(first) :]) - set(first))

    assert _code(states, first[0]) == "TaskTimedOut"
    eventually(lambda: any(_code(states, token) is None for token in later | set(_tokens(mortal))))
    eventually(lambda: _ended(states, arn))

    mortal.restart()

    described = _ended(states, arn)
    assert (described["status"], described["output"]) == ("SUCCEEDED", '"done"')
    assert _ended(states, ended)["status"] == "ABORTED"
    history = states.get_execution_history(executionArn=arn)["events"]
    assert [event["type"] for event in history] == [
        "ExecutionStarted",
        "TaskStateEntered",
        "TaskScheduled",
        "TaskSucceeded",
        "TaskStateExited",
        "ExecutionSucceeded",
    ]


def _code(states: Any, token: str) -> str | None:
    try:
        states.send_task_success(taskToken=token, output='"done"')
    except ClientError as error:
        return error.response["Error"]["Code"]
    return None


def _ended(states: Any, arn: str) -> Any:
    described = states.describe_execution(executionArn=arn)
    return described if described["status"] != "RUNNING" else None


@pytest.fixture(scope="module")
def waiting(aws: LocalAws) -> str:
    return _create_machine(aws, "executions-wait", _WAIT)


def test_the_same_start_again_answers_with_the_running_execution(
    aws: LocalAws, waiting: str
) -> None:
    states = aws.client("stepfunctions")
    request = {"stateMachineArn": waiting, "name": "same", "input": '{"a": 1}'}

    first, second = states.start_execution(**request), states.start_execution(**request)

    assert first["executionArn"] == second["executionArn"]
    assert first["startDate"] == second["startDate"]
    states.stop_execution(executionArn=first["executionArn"])


@pytest.mark.parametrize("closed", [True, False])
def test_a_name_in_use_for_something_else_is_refused(
    aws: LocalAws, waiting: str, closed: bool
) -> None:
    states = aws.client("stepfunctions")
    request = {"stateMachineArn": waiting, "name": f"taken-{closed}", "input": '{"a": 1}'}
    arn = states.start_execution(**request)["executionArn"]
    if closed:
        states.stop_execution(executionArn=arn)

    with pytest.raises(ClientError) as refusal:
        states.start_execution(**(request if closed else {**request, "input": '{"a": 2}'}))

    assert refusal.value.response["Error"]["Code"] == "ExecutionAlreadyExists"
