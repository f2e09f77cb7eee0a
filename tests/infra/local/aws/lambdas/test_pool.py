"""Leases: one invocation at a time in a worker, a bounded number of workers, the right revision."""

from dataclasses import replace
from datetime import timedelta
from threading import Barrier, Event, Thread
from typing import Any

import pytest

from infra.local.aws.lambdas.deployed import Function
from infra.local.aws.lambdas.pool import Answer, Pool
from infra.local.aws.lambdas.process import Exited, InitFailed, TimedOut

_FUNCTION = Function(
    name="echo",
    arn="arn:aws:lambda:us-east-1:000000000000:function:echo",
    revision="1",
    handler="index.handler",
    timeout=timedelta(seconds=3),
    memory=128,
    log_group="",
    path=(),
    environment={},
)


class FakeWorker:
    """Answers with its number; an event that is an exception is raised, a callable called."""

    def __init__(self, function: Function, number: int) -> None:
        self.function, self.number = function, number
        self.idle_since = 0.0
        self.killed = False
        self.contexts: list[dict[str, Any]] = []

    def invoke(self, event: Any, context: dict[str, Any]) -> Any:
        self.contexts.append(context)
        if isinstance(event, Exception):
            raise event
        if callable(event):
            event()
        return {"result": self.number}

    def kill(self) -> None:
        self.killed = True


class FakeWorkers:
    def __init__(self) -> None:
        self.made: list[FakeWorker] = []
        self.failure: Exception | None = None

    def spawn(self, function: Function) -> Any:
        if self.failure:
            raise self.failure
        self.made.append(FakeWorker(function, len(self.made)))
        return self.made[-1]


@pytest.fixture
def workers() -> FakeWorkers:
    return FakeWorkers()


def test_an_idle_worker_is_used_again(workers: FakeWorkers) -> None:
    pool = Pool(workers.spawn, limit=2)

    answers = [pool.invoke(_FUNCTION, {}, "r").result for _ in range(3)]

    assert answers == [0, 0, 0]


def test_concurrent_invocations_have_workers_of_their_own_up_to_the_limit(
    workers: FakeWorkers,
) -> None:
    pool, together, gate = Pool(workers.spawn, limit=2), Barrier(3), Event()

    def busy() -> None:
        together.wait(5)
        gate.wait(5)

    callers = [Thread(target=pool.invoke, args=(_FUNCTION, busy, "r")) for _ in range(2)]
    for caller in callers:
        caller.start()
    together.wait(5)
    third = Thread(target=pool.invoke, args=(_FUNCTION, {}, "r"))
    third.start()
    gate.set()
    for caller in (*callers, third):
        caller.join(5)

    assert len(workers.made) == 2
    assert not third.is_alive()


@pytest.mark.parametrize(
    ("failure", "error_type"), [(TimedOut(), "Sandbox.Timedout"), (Exited(), "Runtime.ExitError")]
)
def test_a_worker_that_does_not_answer_is_replaced(
    workers: FakeWorkers, failure: Exception, error_type: str
) -> None:
    pool = Pool(workers.spawn, limit=1)

    answer = pool.invoke(_FUNCTION, failure, "r")

    assert answer.error["errorType"] == error_type
    assert "RequestId: r" in answer.error["errorMessage"]
    assert workers.made[0].killed
    assert pool.invoke(_FUNCTION, {}, "r") == Answer(result=1)


def test_a_function_that_cannot_start_answers_so_and_keeps_no_place(workers: FakeWorkers) -> None:
    pool = Pool(workers.spawn, limit=1)
    workers.failure = InitFailed({"errorType": "Runtime.ImportModuleError", "errorMessage": "no"})

    failed = pool.invoke(_FUNCTION, {}, "r")
    workers.failure = None

    assert failed.error == {
        "errorType": "Runtime.ImportModuleError",
        "errorMessage": "no",
        "requestId": "r",
    }
    assert pool.invoke(_FUNCTION, {}, "r") == Answer(result=0)


def test_a_new_revision_gets_a_new_worker(workers: FakeWorkers) -> None:
    pool = Pool(workers.spawn, limit=2)
    pool.invoke(_FUNCTION, {}, "r")

    answer = pool.invoke(replace(_FUNCTION, revision="2"), {}, "r")

    assert answer == Answer(result=1)
    assert workers.made[0].killed


def test_retired_and_long_idle_workers_end(workers: FakeWorkers) -> None:
    pool = Pool(workers.spawn, limit=2)
    pool.invoke(_FUNCTION, {}, "r")
    pool.retire("echo")
    pool.invoke(_FUNCTION, {}, "r")
    pool.reap(timedelta(hours=1))
    kept = workers.made[1].killed
    pool.reap(timedelta(0))

    assert (workers.made[0].killed, kept, workers.made[1].killed) == (True, False, True)


def test_the_context_is_what_lambda_says_of_the_function(workers: FakeWorkers) -> None:
    Pool(workers.spawn, limit=1).invoke(_FUNCTION, {}, "request-7")

    assert workers.made[0].contexts == [
        {
            "function_name": "echo",
            "function_version": "$LATEST",
            "invoked_function_arn": _FUNCTION.arn,
            "memory_limit_in_mb": "128",
            "aws_request_id": "request-7",
            "log_group_name": "",
            "log_stream_name": "echo",
        }
    ]
