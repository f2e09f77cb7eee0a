"""The whole of it: from an assembly on disk to a stack that is what the assembly says."""

import hashlib
import json
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any

from infra.local.aws import emulator
from infra.local.deploy import stack as stacks
from infra.local.deploy.assembly import runnable_here, upload_assets
from infra.local.deploy.stack import DeployFailed
from infra.local.deploy.target import Target


def deploy(
    assembly: Path,
    stack: str,
    target: Target,
    *,
    parameters: Mapping[str, str] | None = None,
    layers: bool = False,
) -> dict[str, str]:
    """Create or update the stack; returns its outputs, with addresses that lead to this machine.

    Does nothing when template, parameters and assets (whose hashes are in the template) are those
    of the deployed stack. Raises DeployFailed.
    """
    template = json.loads((assembly / f"{stack}.template.json").read_text())
    template = runnable_here(template, layers=layers)
    wanted = _digest(template, parameters or {})
    noted = _noted(target, stack)
    if noted.get("digest") == wanted:
        return local(noted["outputs"], target)
    if not stacks.is_deployed(target, stack, template, parameters or {}):
        upload_assets(assembly, stack, target, template)
        stacks.apply(target, stack, template, parameters or {})
    found = stacks.outputs(target, stack)
    target.ask("PUT", f"deployments/{stack}", {"digest": wanted, "outputs": found})
    return local(found, target)


def _digest(template: Mapping[str, Any], parameters: Mapping[str, str]) -> str:
    content = json.dumps([template, dict(parameters)], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()


def _noted(target: Target, stack: str) -> dict[str, Any]:
    """What the host remembers of the last deployment; asking CloudFormation costs it a second."""
    status, noted = target.ask("GET", f"deployments/{stack}")
    return noted if status == HTTPStatus.OK else {}


def local(found: Mapping[str, str], target: Target) -> dict[str, str]:
    return {name: emulator.local_url(value, target.port) for name, value in found.items()}


def publish(target: Target, aliases: Mapping[str, str]) -> None:
    """Give deployed APIs short paths: `{"/api": "/_aws/execute-api/<id>/$default"}`."""
    status, answer = target.ask("PUT", "aliases", dict(aliases))
    if status != HTTPStatus.OK:
        raise DeployFailed(f"the host refused the aliases: {answer['message']}")
