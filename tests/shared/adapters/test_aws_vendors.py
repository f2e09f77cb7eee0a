"""Step Functions, scheduler, secrets and sockets: the real SDK against the local AWS host."""

import json
from collections.abc import Generator
from datetime import timedelta

import pytest
from botocore.session import Session as BotocoreSession

from shared.adapters.apigateway import ApiGatewaySockets
from shared.adapters.scheduler import SchedulerTimers, TimerTarget
from shared.adapters.secretsmanager import SecretsManagerSecrets
from shared.adapters.stepfunctions import StepFunctionsLives
from shared.app.ports.connections import Gone
from shared.domain.errors import Unavailable
from shared.domain.session.state import SessionId
from tests import build
from tests.fakes.vendors import FakeSockets
from tests.local_aws import LocalAws, eventually

pytestmark = pytest.mark.local_aws

S = SessionId("s1")
ROLE = "arn:aws:iam::000000000000:role/any"
FUNCTION = "arn:aws:lambda:us-east-1:000000000000:function:poked"


@pytest.fixture(scope="module")
def aws() -> Generator[LocalAws]:
    with LocalAws() as running:
        yield running


@pytest.fixture
def session(aws: LocalAws, monkeypatch: pytest.MonkeyPatch) -> BotocoreSession:
    """As a function finds its vendors: by its environment."""
    key = aws.target.key
    monkeypatch.setenv("AWS_ENDPOINT_URL", aws.target.endpoint)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", key.id)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", key.secret)
    return BotocoreSession()


@pytest.fixture(scope="module")
def machine(aws: LocalAws) -> str:
    definition = {"StartAt": "Wait", "States": {"Wait": {"Type": "Pass", "End": True}}}
    answer = aws.client("stepfunctions").create_state_machine(
        name="life", definition=json.dumps(definition), roleArn=ROLE
    )
    return answer["stateMachineArn"]


def executions(aws: LocalAws, machine: str) -> list[str]:
    listed = aws.client("stepfunctions").list_executions(stateMachineArn=machine)
    return sorted(execution["name"] for execution in listed["executions"])


def test_a_life_is_started_once_however_often_it_is_asked(
    aws: LocalAws, session: BotocoreSession, machine: str
):
    lives = StepFunctionsLives(session, machine)

    lives.start(S, 1, 1)
    lives.start(S, 1, 1)
    eventually(lambda: _succeeded(aws, machine))
    lives.start(S, 1, 1)
    lives.start(S, 1, 2)

    assert executions(aws, machine) == ["s1-1-1", "s1-1-2"]


def _succeeded(aws: LocalAws, machine: str) -> bool:
    listed = aws.client("stepfunctions").list_executions(stateMachineArn=machine)
    return all(execution["status"] == "SUCCEEDED" for execution in listed["executions"])


def test_a_token_that_nobody_waits_with_is_ignored(session: BotocoreSession, machine: str):
    lives = StepFunctionsLives(session, machine)

    lives.complete("made-up", "ready", 60)
    lives.beat("made-up")


def test_a_machine_that_is_not_there_is_for_the_sweep_to_try_again(session: BotocoreSession):
    with pytest.raises(Unavailable, match="start_execution"):
        StepFunctionsLives(session, "arn:aws:states:us-east-1:000000000000:stateMachine:no").start(
            S, 1, 1
        )


def test_a_later_poke_moves_the_one_that_is_pending(aws: LocalAws, session: BotocoreSession):
    scheduler = aws.client("scheduler")
    scheduler.create_schedule_group(Name="timers")
    timers = SchedulerTimers(session, TimerTarget("timers", FUNCTION, ROLE))

    timers.poke_at(S, 1, build.NOW.replace(year=2999))
    timers.poke_at(S, 1, build.NOW.replace(year=2999) + timedelta(minutes=5))

    (only,) = scheduler.list_schedules(GroupName="timers")["Schedules"]
    schedule = scheduler.get_schedule(GroupName="timers", Name=only["Name"])
    assert only["Name"] == "s1-1"
    assert schedule["ScheduleExpression"] == "at(2999-01-02T03:09:05)"
    assert schedule["ActionAfterCompletion"] == "DELETE"
    assert json.loads(schedule["Target"]["Input"]) == {"session": "s1", "attempt": 1}


def test_a_poke_into_no_group_is_for_the_sweep_to_try_again(session: BotocoreSession):
    timers = SchedulerTimers(session, TimerTarget("nowhere", FUNCTION, ROLE))

    with pytest.raises(Unavailable):
        timers.poke_at(S, 1, build.NOW.replace(year=2999))


def test_secrets_are_read_anew_each_time(aws: LocalAws, session: BotocoreSession):
    vault = aws.client("secretsmanager")
    arn = vault.create_secret(Name="all", SecretString='{"A": "1"}')["ARN"]
    secrets = SecretsManagerSecrets(session, arn)

    before = secrets.all()
    vault.put_secret_value(SecretId=arn, SecretString='{"A": "2"}')

    assert (before, secrets.all()) == ({"A": "1"}, {"A": "2"})


def test_secrets_that_are_not_there_fail_the_launch(session: BotocoreSession):
    with pytest.raises(Unavailable):
        SecretsManagerSecrets(session, "nowhere").all()


@pytest.mark.parametrize("kind", ["fake", "real"])
def test_a_socket_that_is_closed_is_gone(kind: str, aws: LocalAws, session: BotocoreSession):
    endpoint = f"{aws.target.endpoint}/_aws/execute-api/none/live"
    sockets = {
        "fake": FakeSockets(gone={"c1"}),
        "real": ApiGatewaySockets(session, endpoint),
    }[kind]

    with pytest.raises(Gone):
        sockets.post("c1", "{}")
    sockets.close("c1")
