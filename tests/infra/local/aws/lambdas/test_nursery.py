"""The process that workers are forked from."""

import os
import signal
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from infra.local.aws.lambdas.deployed import Function
from infra.local.aws.lambdas.log import LambdaLog
from infra.local.aws.lambdas.process import Nursery
from tests.eventually import eventually


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator[Nursery]:
    log = LambdaLog(tmp_path / "lambda.log")
    nursery = Nursery(log.descriptor, preload=False)
    yield nursery
    nursery.stop()
    os.close(log.descriptor)


@pytest.fixture
def function(tmp_path: Path) -> Function:
    code = tmp_path / "code"
    code.mkdir()
    (code / "index.py").write_text(
        "import os\n\ndef handler(event, context):\n    return os.getpid()\n"
    )
    return Function(
        name="pid",
        arn="",
        revision="1",
        handler="index.handler",
        timeout=timedelta(seconds=5),
        memory=128,
        log_group="",
        path=(str(code),),
        environment={"TZ": ":UTC"},
    )


_CONTEXT: dict[str, Any] = dict.fromkeys(
    (
        *("function_name", "function_version", "invoked_function_arn", "memory_limit_in_mb"),
        *("aws_request_id", "log_group_name", "log_stream_name"),
    ),
    "",
)


def test_a_worker_is_forked_with_the_function_loaded(nursery: Nursery, function: Function) -> None:
    worker = nursery.spawn(function)

    assert worker.invoke({}, _CONTEXT) == {"result": worker.pid}
    worker.kill()


def test_a_killed_worker_leaves_nothing_behind(nursery: Nursery, function: Function) -> None:
    worker = nursery.spawn(function)

    worker.kill()

    eventually(lambda: not Path(f"/proc/{worker.pid}").exists())


def test_when_the_nursery_dies_its_workers_do_and_the_next_one_comes_from_a_new_one(
    nursery: Nursery, function: Function
) -> None:
    first = nursery.spawn(function)
    os.kill(_parent(first.pid), signal.SIGKILL)
    eventually(lambda: not Path(f"/proc/{first.pid}").exists())

    second = nursery.spawn(function)

    assert second.invoke({}, _CONTEXT) == {"result": second.pid}
    first.kill()
    second.kill()


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
