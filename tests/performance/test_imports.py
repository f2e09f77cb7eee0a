"""What a function's start costs in CPU: its imports and its app, against boto3's own client."""

import json
import os
import subprocess
import sys
from statistics import median
from typing import Any

import pytest

from infra.local.aws import emulator
from shared import settings
from tests.local_aws import ROOT, LocalAws
from tests.performance.table import Report, milliseconds

pytestmark = [pytest.mark.local_aws, pytest.mark.slow]

RUNS = 5
BASE = 'import boto3; boto3.client("dynamodb")'
BUDGETS = {
    "client_socket": 1.6,
    "bridge_socket": 1.6,
    "client_auth": 1.6,
    "bridge_auth": 1.6,
    "http_api": 1.9,
    "web": 0.3,
}
"""The authorizers are on the path of a socket as well."""

UNHURRIED = ("effects_redrive", "inactivity", "pull_request_sweep", "workspace_admin")
"""Nobody waits for them; with `sandbox_task` and those above they are all functions there are."""

_START = """
from importlib import import_module
import_module("functions.{function}.handler")
from shared import wiring
wiring.app()
wiring.ports().store._sessions.database.connection.client
"""
"""The base makes a client, so this makes the one that it would make at its first request."""

_PAGES = "import functions.web.handler"
"""It makes no app: it serves files."""

_PROGRAM = """
import json, sys, time
began = time.process_time()
exec(sys.argv[1])
took = time.process_time() - began
print(json.dumps({"seconds": took, "e2b": "e2b" in sys.modules}))
"""


def test_the_functions_that_people_wait_for_start_lightly(aws: LocalAws, report: Report):
    starts = {"base": BASE} | {name: _START.format(function=name) for name in BUDGETS}
    starts["web"] = _PAGES

    # The first round compiles what is new; the median leaves it out.
    rounds = [{name: _run(code, aws) for name, code in starts.items()} for _ in range(RUNS)]
    took = {name: median(each[name]["seconds"] for each in rounds) for name in starts}
    report.tell(f"import CPU, `{BASE}`", milliseconds(took["base"]))
    for name, budget in BUDGETS.items():
        ratio = took[name] / took["base"]
        report.tell(
            f"import CPU, {name}",
            f"{ratio:.2f} x ({milliseconds(took[name])})",
            budget=f"<= {budget} x",
            met=ratio <= budget,
        )
    assert not [name for each in rounds for name, start in each.items() if start["e2b"]]


def test_e2b_is_loaded_only_where_sandboxes_are_made(aws: LocalAws, report: Report):
    secret = {"Name": "outboard", "SecretString": json.dumps({"E2B_API_KEY": "key"})}
    arn = aws.client("secretsmanager").create_secret(**secret)["ARN"]
    start = _START.format(function="sandbox_task")

    others = [_run(_START.format(function=name), aws) for name in UNHURRIED]
    app = _run(start, aws, SECRETS_ARN=arn)
    lives = _run(
        f"{start}\nfrom shared.wiring import sandboxes\nsandboxes.lives()", aws, SECRETS_ARN=arn
    )

    report.tell(
        "e2b is imported",
        "by sandbox_task's lives() alone",
        budget="only where sandboxes are made",
        met=lives["e2b"] and not app["e2b"],
    )
    assert not any(other["e2b"] for other in others)
    assert (app["e2b"], lives["e2b"]) == (False, True)


def _run(code: str, aws: LocalAws, **environment: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, code],
        cwd=ROOT,
        env=_environment(aws) | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _environment(aws: LocalAws) -> dict[str, str]:
    """A function's, with names that lead nowhere but to this machine."""
    named = {settings.variable(name): name for name in settings.names() if _is_text(name)}
    return named | {
        "AWS_ACCESS_KEY_ID": aws.key.id,
        "AWS_DEFAULT_REGION": emulator.REGION,
        "AWS_ENDPOINT_URL": aws.endpoint,
        "AWS_SECRET_ACCESS_KEY": aws.key.secret,
        "NO_PROXY": "127.0.0.1",
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
    }


def _is_text(name: str) -> bool:
    return isinstance(settings.default(name), str)
