"""Deploys a synthesised CDK assembly to the local AWS host, as `cdk deploy` would to AWS.

The template stays as it is, save for what has no meaning here: the check of the bootstrap version,
and on request the layers, in whose place functions import from the checkout (a cold start of
milliseconds instead of one that unpacks 60 MB).
"""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError, WaiterError

from infra.local.aws import emulator
from infra.local.aws.access import AccessKey

_TEMPLATES = "outboard-templates"
_NEVER_BUILT = ("CREATE_FAILED", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "DELETE_FAILED")
_POLL = {"Delay": 0.1, "MaxAttempts": 3000}


class DeployFailed(Exception):
    """Names the resource that could not be made, and why."""


@dataclass(frozen=True, slots=True)
class Target:
    endpoint: str
    key: AccessKey

    def client(self, service: str) -> Any:
        return boto3.client(
            service,
            endpoint_url=self.endpoint,
            region_name=emulator.REGION,
            aws_access_key_id=self.key.id,
            aws_secret_access_key=self.key.secret,
            config=Config(retries={"total_max_attempts": 1}, s3={"addressing_style": "path"}),
        )

    @property
    def port(self) -> int:
        return urlsplit(self.endpoint).port or 80


def deploy(
    assembly: Path,
    stack: str,
    target: Target,
    *,
    parameters: Mapping[str, str] | None = None,
    layers: bool = False,
) -> dict[str, str]:
    """Create or update the stack; returns its outputs, with addresses that lead to this machine.

    Does nothing but look when template, parameters and assets (whose hashes are in the template)
    are those of the deployed stack. Raises DeployFailed.
    """
    template = json.loads((assembly / f"{stack}.template.json").read_text())
    template = runnable_here(template, layers=layers)
    if not _is_deployed(target, stack, template, parameters or {}):
        upload_assets(assembly, stack, target, template)
        apply(target, stack, template, parameters or {})
    return outputs(target, stack)


def runnable_here(template: Mapping[str, Any], *, layers: bool) -> dict[str, Any]:
    """Without the bootstrap check and, unless asked for, without layers."""
    kept = {section: content for section, content in template.items() if section != "Rules"}
    kept["Parameters"] = {
        name: parameter
        for name, parameter in template.get("Parameters", {}).items()
        if name != "BootstrapVersion"
    }
    if not layers:
        kept["Resources"] = dict(_without_layers(template["Resources"]))
    return kept


def _without_layers(resources: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, resource in resources.items():
        if resource["Type"] == "AWS::Lambda::Function":
            properties = {k: v for k, v in resource["Properties"].items() if k != "Layers"}
            yield name, {**resource, "Properties": properties}
        elif resource["Type"] != "AWS::Lambda::LayerVersion":
            yield name, resource


def upload_assets(assembly: Path, stack: str, target: Target, template: Mapping[str, Any]) -> None:
    """Upload what the template refers to and the host does not have yet; an asset never changes."""
    manifest = json.loads((assembly / f"{stack}.assets.json").read_text())
    referred = json.dumps(template)
    s3 = target.client("s3")
    for asset in manifest["files"].values():
        for destination in asset["destinations"].values():
            bucket, key = _here(destination["bucketName"]), destination["objectKey"]
            if key in referred and not _has(s3, bucket, key):
                s3.put_object(Bucket=bucket, Key=key, Body=_content(assembly, asset["source"]))


def _here(name: str) -> str:
    here = {"Partition": "aws", "AccountId": emulator.ACCOUNT, "Region": emulator.REGION}
    for pseudo, value in here.items():
        name = name.replace(f"${{AWS::{pseudo}}}", value)
    return name


def _has(s3: Any, bucket: str, key: str) -> bool:
    if bucket not in {known["Name"] for known in s3.list_buckets()["Buckets"]}:
        s3.create_bucket(Bucket=bucket)
    found = s3.list_objects_v2(Bucket=bucket, Prefix=key, MaxKeys=1)
    return any(entry["Key"] == key for entry in found.get("Contents", ()))


def _content(assembly: Path, source: Mapping[str, str]) -> bytes:
    path = assembly / source["path"]
    return _zipped(path) if source["packaging"] == "zip" and path.is_dir() else path.read_bytes()


def _zipped(folder: Path) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))
    return buffer.getvalue()


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
    _has(s3, _TEMPLATES, key)
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


def _is_deployed(
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
    return {
        output["OutputKey"]: emulator.local_url(output["OutputValue"], target.port)
        for output in found.get("Outputs", ())
    }


def publish(target: Target, aliases: Mapping[str, str]) -> None:
    """Give deployed APIs short paths: `{"/api": "/_aws/execute-api/<id>/$default"}`."""
    headers = {"Authorization": f"Credential={target.key.id}/"}
    with closing(HTTPConnection("127.0.0.1", target.port, timeout=10)) as connection:
        connection.request("PUT", "/_outboard/aliases", json.dumps(dict(aliases)), headers)
        answer = connection.getresponse()
        if answer.status != HTTPStatus.OK:
            raise DeployFailed(f"the host refused the aliases: {answer.read().decode()}")
