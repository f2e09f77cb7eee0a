"""One CloudFormation stack: create or update it, wait for it, say what went wrong."""

import json
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError, WaiterError

from infra.local.deploy.assembly import has_object
from infra.local.deploy.target import Target

_TEMPLATES = "outboard-templates"
_NEVER_BUILT = ("CREATE_FAILED", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "DELETE_FAILED")
_POLL = {"Delay": 0.1, "MaxAttempts": 3000}


class DeployFailed(Exception):
    """Names the resource that could not be made, and why."""


def apply(
    target: Target, stack: str, template: Mapping[str, Any], parameters: Mapping[str, str]
) -> None:
    """Create or update the stack and wait for the end of it; raises DeployFailed."""
    cloudformation = target.client("cloudformation")
    request = {
        "StackName": stack,
        "TemplateURL": _uploaded(target, stack, template),
        "Parameters": [
            {"ParameterKey": name, "ParameterValue": value} for name, value in parameters.items()
        ],
        "Capabilities": ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"],
    }
    try:
        if _exists(cloudformation, stack):
            cloudformation.update_stack(**request)
            cloudformation.get_waiter("stack_update_complete").wait(
                StackName=stack, WaiterConfig=_POLL
            )
        else:
            cloudformation.create_stack(**request)
            cloudformation.get_waiter("stack_create_complete").wait(
                StackName=stack, WaiterConfig=_POLL
            )
    except WaiterError:
        raise DeployFailed(_reason(cloudformation, stack)) from None
    except ClientError as error:
        raise DeployFailed(f"{stack}: {error.response['Error']['Message']}") from error


def _uploaded(target: Target, stack: str, template: Mapping[str, Any]) -> str:
    s3, key = target.client("s3"), f"{stack}.template.json"
    has_object(s3, _TEMPLATES, key)
    s3.put_object(Bucket=_TEMPLATES, Key=key, Body=json.dumps(template).encode())
    return f"{target.endpoint}/{_TEMPLATES}/{key}"


def _exists(cloudformation: Any, stack: str) -> bool:
    """Whether there is a stack to update; one that was never built is removed first."""
    found = _describe(cloudformation, stack)
    if found is None:
        return False
    if found["StackStatus"] not in _NEVER_BUILT:
        return True
    cloudformation.delete_stack(StackName=stack)
    cloudformation.get_waiter("stack_delete_complete").wait(StackName=stack, WaiterConfig=_POLL)
    return False


def _describe(cloudformation: Any, stack: str) -> Any:
    stacks = cloudformation.get_paginator("describe_stacks").paginate()
    found = (entry for page in stacks for entry in page["Stacks"] if entry["StackName"] == stack)
    return next(found, None)


def _reason(cloudformation: Any, stack: str) -> str:
    events = cloudformation.describe_stack_events(StackName=stack)["StackEvents"]
    failures = [event for event in reversed(events) if event["ResourceStatus"].endswith("_FAILED")]
    # The first one is the cause; what follows was cancelled because of it.
    for event in failures:
        reason = event.get("ResourceStatusReason", "no reason given")
        return f"{event['LogicalResourceId']} ({event['ResourceType']}): {reason}"
    return f"{stack}: no resource says why"


def is_deployed(
    target: Target, stack: str, template: Mapping[str, Any], parameters: Mapping[str, str]
) -> bool:
    cloudformation = target.client("cloudformation")
    found = _describe(cloudformation, stack)
    if found is None or found["StackStatus"] not in ("CREATE_COMPLETE", "UPDATE_COMPLETE"):
        return False
    deployed = cloudformation.get_template(StackName=stack, TemplateStage="Original")
    given = {p["ParameterKey"]: p["ParameterValue"] for p in found.get("Parameters", ())}
    defaults = {
        name: str(parameter["Default"])
        for name, parameter in template.get("Parameters", {}).items()
        if "Default" in parameter
    }
    same = _parsed(deployed["TemplateBody"]) == template
    return same and given == {**defaults, **parameters}


def _parsed(body: Any) -> Any:
    """Either form: botocore parses a template that looks like JSON to it."""
    return json.loads(body) if isinstance(body, str) else body


def outputs(target: Target, stack: str) -> dict[str, str]:
    found = _describe(target.client("cloudformation"), stack)
    if found is None:
        raise DeployFailed(f"there is no stack {stack!r}")
    return {output["OutputKey"]: output["OutputValue"] for output in found.get("Outputs", ())}
