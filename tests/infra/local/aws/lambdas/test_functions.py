"""Functions fail, log, time out and die as on AWS."""

import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.eventually import eventually
from tests.infra.local.aws import stacks
from tests.local_aws import LocalAws

pytestmark = pytest.mark.local_aws

_CODE = """
    import json, logging, os, sys, time

    class OutOfOrder(Exception):
        pass

    def handler(event, context):
        match event.get("do"):
            case "raise":
                raise OutOfOrder("nobody home")
            case "exit":
                os._exit(3)
            case "sleep":
                print(json.dumps({"pid": os.getpid()}))
                time.sleep(event["seconds"])
            case "marshal":
                return object()
            case "log":
                print(json.dumps({"event": "structured"}))
                print("plain")
                logging.getLogger("mine").warning("a warning")
        return {
            "pid": os.getpid(),
            "environment": dict(os.environ),
            "request_id": context.aws_request_id,
            "function": context.function_name,
            "remaining": context.get_remaining_time_in_millis(),
            "endpoint": os.environ["AWS_ENDPOINT_URL"],
        }
"""
_BROKEN = "import nowhere_to_be_found"


@pytest.fixture(scope="module")
def deployed(aws: LocalAws) -> dict[str, str]:
    template = stacks.template(
        stacks.function("Function", _CODE, timeout=1),
        stacks.function("Broken", _BROKEN),
        stacks.function("NoHandler", "VALUE = 1"),
        stacks.http_api("Http", "Function"),
        outputs={name: stacks.ref(name) for name in ("Function", "Broken", "NoHandler", "Http")},
    )
    return aws.deploy(template, "Functions")


def invoke(host: LocalAws, name: str, **event: Any) -> tuple[str | None, Any]:
    answer = host.client("lambda").invoke(FunctionName=name, Payload=json.dumps(event))
    return answer.get("FunctionError"), json.loads(answer["Payload"].read())


def test_an_error_keeps_its_class_name(aws: LocalAws, deployed: dict[str, str]) -> None:
    kind, error = invoke(aws, deployed["Function"], do="raise")

    assert kind == "Unhandled"
    assert error["errorType"] == "OutOfOrder"
    assert error["errorMessage"] == "nobody home"
    assert "in handler" in error["stackTrace"][-1]


def test_a_worker_survives_an_exception(aws: LocalAws, deployed: dict[str, str]) -> None:
    _, before = invoke(aws, deployed["Function"])

    invoke(aws, deployed["Function"], do="raise")

    assert invoke(aws, deployed["Function"])[1]["pid"] == before["pid"]


@pytest.mark.parametrize(
    ("function", "event", "error_type"),
    [
        ("Function", {"do": "exit"}, "Runtime.ExitError"),
        ("Function", {"do": "sleep", "seconds": 30}, "Sandbox.Timedout"),
        ("Function", {"do": "marshal"}, "Runtime.MarshalError"),
        ("Broken", {}, "Runtime.ImportModuleError"),
        ("NoHandler", {}, "Runtime.HandlerNotFound"),
    ],
)
def test_every_way_to_fail_has_its_name(
    aws: LocalAws, deployed: dict[str, str], function: str, event: Any, error_type: str
) -> None:
    kind, error = invoke(aws, deployed[function], **event)

    assert (kind, error["errorType"]) == ("Unhandled", error_type)
    # and the next invocation has a healthy worker
    if function == "Function":
        assert invoke(aws, deployed["Function"])[0] is None


def test_an_http_client_is_not_told_what_went_wrong(
    aws: LocalAws, deployed: dict[str, str]
) -> None:
    template = stacks.template(
        stacks.function("Raises", "def handler(event, context): raise KeyError('a secret')"),
        stacks.http_api("RaisingApi", "Raises"),
        outputs={"Api": stacks.ref("RaisingApi")},
    )
    api = aws.deploy(template, "Raising")["Api"]

    with pytest.raises(HTTPError) as refusal, urlopen(aws.http_url(api)):
        pass

    with refusal.value as answer:
        assert answer.code == 500
        assert json.loads(answer.read()) == {"message": "Internal Server Error"}


def test_a_function_gets_lambdas_environment_and_not_the_hosts(
    aws: LocalAws, deployed: dict[str, str]
) -> None:
    _, answer = invoke(aws, deployed["Function"])

    environment = answer["environment"]
    assert environment["AWS_ACCESS_KEY_ID"] == aws.key.id
    assert environment["AWS_ENDPOINT_URL"] == aws.endpoint
    assert environment["AWS_LAMBDA_FUNCTION_NAME"] == deployed["Function"] == answer["function"]
    assert "HOME" not in environment
    assert 0 < answer["remaining"] <= 1000


def test_what_functions_print_is_in_one_readable_file(
    aws: LocalAws, deployed: dict[str, str]
) -> None:
    invoke(aws, deployed["Function"], do="log")

    lines = [line for line in aws.lambda_log() if line["function"] == deployed["Function"]]
    assert {"function": deployed["Function"], "event": "structured"} in lines
    assert {"function": deployed["Function"], "message": "plain"} in lines
    assert {"function": deployed["Function"], "message": "a warning"} in lines


def test_an_unhandled_error_is_in_the_log(aws: LocalAws, deployed: dict[str, str]) -> None:
    invoke(aws, deployed["Function"], do="raise")

    errors = [line for line in aws.lambda_log() if line.get("errorType") == "OutOfOrder"]
    assert errors
    assert errors[-1]["level"] == "ERROR"


def test_concurrent_invocations_run_side_by_side(aws: LocalAws, deployed: dict[str, str]) -> None:
    client = aws.client("lambda")
    event = json.dumps({"do": "sleep", "seconds": 0.3})

    def run(_: int) -> int:
        answer = client.invoke(FunctionName=deployed["Function"], Payload=event)
        return json.loads(answer["Payload"].read())["pid"]

    with ThreadPoolExecutor(4) as callers:
        workers = set(callers.map(run, range(4)))

    assert len(workers) > 1


@pytest.mark.parametrize("signal_", [signal.SIGKILL, signal.SIGTERM])
def test_workers_die_with_the_host_even_while_they_work(mortal: LocalAws, signal_: int) -> None:
    name = f"sleeper-{signal_}"
    stacks.create_function(mortal, name, _CODE, timeout=60)
    with ThreadPoolExecutor(1) as caller:
        busy = caller.submit(invoke, mortal, name, do="sleep", seconds=30)
        worker = eventually(lambda: _sleeping(mortal, name))
        assert worker

        os.kill(mortal.pid, signal_)

        mortal.wait(within=timedelta(seconds=2))
        eventually(lambda: not _is_running(worker))
        assert busy.exception(timeout=10) is not None


def _sleeping(host: LocalAws, name: str) -> int | None:
    """The process that said it goes to sleep."""
    lines = (line for line in host.lambda_log() if line["function"] == name)
    return next((line["pid"] for line in lines if "pid" in line), None)


def _is_running(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()
