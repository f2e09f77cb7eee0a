"""A synthesised assembly is deployed, left alone when nothing changed, and updated in place."""

import json
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from infra.local.aws import emulator
from infra.local.deploy import DeployFailed
from infra.local.deploy.assembly import runnable_here
from tests.eventually import eventually
from tests.infra.local.aws import stacks
from tests.local_aws import LocalAws

pytestmark = pytest.mark.local_aws

# Made by `assembly/app.py` beside it, which says what is in it.
_ASSEMBLY = Path(__file__).parent / "aws" / "assembly" / "synthesised"


@pytest.fixture
def host(mortal: LocalAws) -> LocalAws:
    return mortal


@pytest.fixture
def outputs(host: LocalAws) -> dict[str, str]:
    return host.deploy_assembly(_ASSEMBLY, "Probe")


def _probe(url: str) -> Any:
    with urlopen(url, timeout=20) as answer:
        return json.loads(answer.read())


def test_outputs_and_environment_lead_to_this_machine(
    host: LocalAws, outputs: dict[str, str]
) -> None:
    clients = f"/_aws/execute-api/{outputs['ClientsApiId']}/live"

    seen = _probe(outputs["HttpUrl"] + "/")

    assert outputs["ClientsUrl"] == f"ws://127.0.0.1:{host.port}{clients}"
    assert seen["callback"] == host.endpoint + clients


def test_without_layers_the_checkouts_shared_is_importable_and_nothing_else_of_it(
    host: LocalAws, outputs: dict[str, str]
) -> None:
    seen = _probe(host.http_url(outputs["HttpApiId"]))

    assert (seen["shared"], seen["infra"], seen["layered"]) == (True, False, False)


def test_conditions_follow_parameters(host: LocalAws, outputs: dict[str, str]) -> None:
    assert outputs["ModeIs"] == "here"

    there = host.deploy_assembly(_ASSEMBLY, "Probe", Mode="cloud")
    seen = _probe(host.http_url(there["HttpApiId"]))
    here = host.deploy_assembly(_ASSEMBLY, "Probe")

    assert (there["ModeIs"], seen["mode"]) == ("there", "there")
    assert here == outputs, "and every id stays"


def test_a_computed_timeout_from_the_cdk_works(host: LocalAws, outputs: dict[str, str]) -> None:
    states = host.client("stepfunctions")

    started = states.start_execution(stateMachineArn=outputs["MachineArn"], input='{"budget": 1}')

    eventually(lambda: _status(states, started["executionArn"]) == "SUCCEEDED")  # caught


def _status(states: Any, arn: str) -> str:
    return states.describe_execution(executionArn=arn)["status"]


def test_the_rest_of_the_stack_is_there(host: LocalAws, outputs: dict[str, str]) -> None:
    table = host.client("dynamodb").describe_table(TableName=outputs["TableName"])["Table"]
    ttl = host.client("dynamodb").describe_time_to_live(TableName=outputs["TableName"])
    secret = host.client("secretsmanager").get_secret_value(SecretId=outputs["SecretArn"])
    schedules = host.client("scheduler").list_schedules(GroupName=outputs["GroupName"])

    assert [index["IndexName"] for index in table["GlobalSecondaryIndexes"]] == ["due"]
    assert ttl["TimeToLiveDescription"]["AttributeName"] == "expires_at"
    assert len(secret["SecretString"]) == 32
    assert [entry["State"] for entry in schedules["Schedules"]] == ["ENABLED"]


def test_an_unchanged_assembly_is_not_deployed_again(
    host: LocalAws, outputs: dict[str, str]
) -> None:
    before = _updated(host)

    again = host.deploy_assembly(_ASSEMBLY, "Probe")
    host.restart()
    after_restart = host.deploy_assembly(_ASSEMBLY, "Probe")

    assert again == after_restart == outputs
    assert _updated(host) == before


def test_a_stack_changed_behind_its_back_is_deployed_again(
    host: LocalAws, outputs: dict[str, str]
) -> None:
    cloudformation = host.client("cloudformation")
    cloudformation.update_stack(
        StackName="Probe",
        UsePreviousTemplate=True,
        Parameters=[{"ParameterKey": "Mode", "ParameterValue": "cloud"}],
        Capabilities=["CAPABILITY_IAM"],
    )
    cloudformation.get_waiter("stack_update_complete").wait(
        StackName="Probe", WaiterConfig={"Delay": 0.1, "MaxAttempts": 100}
    )

    assert outputs["ModeIs"] == "here"
    assert host.deploy_assembly(_ASSEMBLY, "Probe") == outputs


def _updated(host: LocalAws) -> Any:
    stacks_ = host.client("cloudformation").describe_stacks(StackName="Probe")["Stacks"]
    return stacks_[0].get("LastUpdatedTime")


def test_with_layers_a_function_imports_from_them_alone(
    host: LocalAws, outputs: dict[str, str]
) -> None:
    layered = host.deploy_assembly(_ASSEMBLY, "Probe", layers=True)

    seen = _probe(host.http_url(layered["HttpApiId"]))

    assert (seen["layered"], seen["shared"]) == (True, False)
    assert layered == outputs


def test_a_failure_names_the_resource_and_the_reason(aws: LocalAws) -> None:
    broken = stacks.template({"Odd": {"Type": "AWS::Odd::Thing", "Properties": {}}})
    unsound = stacks.template(
        stacks.function("Function", "def handler(event, context): pass"),
        {
            "Route": {
                "Type": "AWS::CloudWatch::Alarm",
                "Properties": {"AlarmName": "nothing to watch"},
            }
        },
    )

    with pytest.raises(DeployFailed, match="AWS::Odd::Thing"):
        aws.deploy(broken, "Broken")
    with pytest.raises(DeployFailed, match=r"Route \(AWS::CloudWatch::Alarm\): "):
        aws.deploy(unsound, "Unsound")


def test_a_stack_that_failed_at_first_can_be_deployed_when_mended(aws: LocalAws) -> None:
    alarm = {"Type": "AWS::CloudWatch::Alarm", "Properties": {"AlarmName": "nothing to watch"}}
    with pytest.raises(DeployFailed):
        aws.deploy(stacks.template({"Alarm": alarm}), "Mended")

    outputs = aws.deploy(stacks.template(outputs={"Ok": "yes"}), "Mended")

    assert outputs == {"Ok": "yes"}


def test_only_what_has_no_meaning_here_is_taken_out() -> None:
    template = {
        "Parameters": {"BootstrapVersion": {"Type": "String"}, "Mode": {"Type": "String"}},
        "Rules": {"CheckBootstrapVersion": {}},
        "Resources": {
            "Layer": {"Type": "AWS::Lambda::LayerVersion", "Properties": {}},
            "Function": {
                "Type": "AWS::Lambda::Function",
                "Properties": {"Layers": [{"Ref": "Layer"}], "Handler": "h"},
                "DependsOn": ["Role"],
            },
        },
    }

    kept = runnable_here(template, layers=True)
    bare = runnable_here(template, layers=False)

    assert kept == {
        "Parameters": {"Mode": {"Type": "String"}},
        "Resources": template["Resources"],
    }
    assert bare["Resources"] == {
        "Function": {
            "Type": "AWS::Lambda::Function",
            "Properties": {"Handler": "h"},
            "DependsOn": ["Role"],
        }
    }


@pytest.mark.parametrize(
    ("url", "here"),
    [
        (
            "https://abc123.execute-api.us-east-1.amazonaws.com/live",
            "http://127.0.0.1:4700/_aws/execute-api/abc123/live",
        ),
        (
            "wss://abc123.execute-api.us-east-1.amazonaws.com/live?x=1",
            "ws://127.0.0.1:4700/_aws/execute-api/abc123/live?x=1",
        ),
        ("https://api.github.com/x", "https://api.github.com/x"),
    ],
)
def test_an_address_of_api_gateway_leads_here(url: str, here: str) -> None:
    assert emulator.local_url(url, 4700) == here
