"""From programs that listen to an Outboard that answers: the stack, its secrets, its first user."""

import getpass
import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from infra import names
from infra.local import deploy, private
from infra.local.aws import access
from infra.local.models import Models
from infra.local.place import Place
from infra.local.refusal import Refusal
from shared import settings
from shared.settings import Settings

API = "/api"
PAGES = "/"
_OVERRIDDEN = (
    *("default_model", "gitlab_url"),
    *("github_url", "github_api_url", "github_app_id", "github_client_id"),
    *("sign_in_users", "sign_in_domains", "sign_in_organisations"),
    *(name for name in names.CHOSEN if isinstance(settings.default(name), timedelta)),
)
"""Settings that the user's environment may change, by the names of their variables."""

_FORGES = ("GITHUB_APP_PRIVATE_KEY", "GITHUB_WEBHOOK_SECRET", "GITLAB_TOKEN")
"""Secrets of code hosts that the user's environment may have."""


@dataclass(frozen=True, slots=True)
class Deployed:
    web: str
    http: str
    user: str


def set_up(
    place: Place, assembly: Path, models: Models, environment: Mapping[str, str]
) -> Deployed:
    """Raises `Refusal`. Safe to repeat: each step looks first."""
    target = deploy.Target(place.aws_url, access.load_or_create(place.aws_key))
    chosen = parameters(place, models, environment)
    try:
        outputs = deploy.deploy(assembly, names.STACK, target, parameters=chosen)
        behind = outputs["WebUrl"].removeprefix(place.aws_url).rstrip("/")
        deploy.publish(target, {PAGES: behind})
        forges = {name: environment[name] for name in _FORGES if environment.get(name)}
        given = {**models.secrets, **forges, **sign_in_secrets(environment)}
        _put_secrets(target, outputs["SecretsArn"], place, given)
        user = _ensure_owner(target, outputs[names.function_output("workspace_admin")], place)
    except deploy.DeployFailed as failure:
        raise Refusal(f"the deployment failed: {failure}") from failure
    except (BotoCoreError, ClientError) as error:
        raise Refusal(f"the AWS host failed ({place.logs}/aws.log says more): {error}") from error
    return Deployed(place.aws_url, f"{place.aws_url}{API}", user)


def parameters(place: Place, models: Models, environment: Mapping[str, str]) -> dict[str, str]:
    """Raises `Refusal` for a duration that is none."""
    try:
        chosen = Settings.from_env(environment)
    except ValueError as error:
        raise Refusal(str(error)) from error
    here = {
        "e2b_api_url": place.sandboxes_url,
        "e2b_sandbox_url": place.sandboxes_url,
        "demo_model_url": place.model_url if models.demo else "",
        **{name: settings.text(getattr(chosen, name)) for name in _OVERRIDDEN},
    }
    base = f"127.0.0.1:{place.port}/_aws/execute-api"
    return {names.EXECUTE_API_BASE: base} | {
        names.parameter(name): value for name, value in here.items()
    }


def key(file: Path) -> str:
    """A random key that only this machine's user can read, made at the first start."""
    if not file.exists():
        private.write(file, secrets.token_urlsafe(32))
    return file.read_text()


def sign_in_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    name = "GITHUB_CLIENT_SECRET"
    return {name: environment[name]} if environment.get(name) else {}


def _put_secrets(
    target: deploy.Target, secret: str, place: Place, given: Mapping[str, str]
) -> None:
    """Keys that are gone from the environment are gone from the secret."""
    wanted = {"E2B_API_KEY": key(place.sandboxes_key), **given}
    client = target.client("secretsmanager")
    stored = client.get_secret_value(SecretId=secret)["SecretString"]
    if json.loads(stored) != wanted:
        client.put_secret_value(SecretId=secret, SecretString=json.dumps(wanted))


def _ensure_owner(target: deploy.Target, function: str, place: Place) -> str:
    """The token is shown once, to whoever asks first; a lost one is replaced."""
    name = user_name()
    file = place.token(name)
    answer = _invoke(target, function, {"action": "ensure_owner", "name": name})
    if "token" not in answer and not file.exists():
        answer = _invoke(target, function, {"action": "renew_token", "name": name})
    if token := answer.get("token"):
        private.write(file, token)
    return name


ATTEMPTS = 3
"""A first start may take longer than a function has on a busy machine; asking again is harmless."""


def _invoke(target: deploy.Target, function: str, payload: Mapping[str, Any]) -> dict[str, Any]:
    answer: Any = None
    for _ in range(ATTEMPTS):
        called = target.client("lambda").invoke(
            FunctionName=function, Payload=json.dumps(payload).encode()
        )
        answer = json.loads(called["Payload"].read() or b"null")
        if not called.get("FunctionError") and isinstance(answer, dict):
            return answer
    raise Refusal(f"the function workspace_admin failed: {answer}")


def user_name() -> str:
    """The login name, as far as a user's name may be like it."""
    try:
        login = getpass.getuser()
    except OSError:  # no name belongs to this user id
        login = ""
    plain = re.sub(r"[^a-z0-9._-]", "-", login.lower()).strip("._-")
    return plain[:39] or "owner"
