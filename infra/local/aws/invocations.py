"""An asynchronous invocation that was accepted happens, also across a crash.

Lambda queues `Event` invocations and those of EventBridge and its Scheduler durably and tries a
failing one three times. MiniStack holds them in a thread, and tries those of the Scheduler once:
a one-time schedule whose host dies, or whose function fails, in that second would be lost.
"""

import contextvars
import json
import logging
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

from ministack.core.responses import request_scope
from ministack.services import eventbridge, lambda_svc

from infra.local.aws import emulator
from infra.local.aws.ledger import Ledger

assert emulator.VERSION == "1.5.33", "written for the private names of this MiniStack"

logger = logging.getLogger(__name__)

# Lambda waits 1 and 2 minutes; on one machine a developer is watching.
_RETRIES = (timedelta(seconds=1), timedelta(seconds=2))


class Queue:
    def __init__(self, ledger: Ledger, sleep: Callable[[float], None] = time.sleep) -> None:
        self._ledger = ledger
        self._sleep = sleep

    def accept(self, function_arn: str, event: Any) -> None:
        row = str(uuid4())
        self._ledger.write(
            "INSERT INTO invocation VALUES (?, ?, ?)", row, function_arn, json.dumps(event)
        )
        self._start(row, function_arn, event)

    def resume(self) -> None:
        for row, arn, body in self._ledger.read("SELECT id, function, body FROM invocation"):
            self._start(row, arn, json.loads(body))

    def _start(self, row: str, function_arn: str, event: Any) -> None:
        context = contextvars.copy_context()
        arguments = (self._perform, row, function_arn, event)
        threading.Thread(target=context.run, args=arguments, daemon=True).start()

    def _perform(self, row: str, function_arn: str, event: Any) -> None:
        *_, region, account, _, _ = function_arn.split(":")[:7]
        with request_scope(account, region):
            self._try(function_arn, event)
        self._ledger.write("DELETE FROM invocation WHERE id = ?", row)

    def _try(self, function_arn: str, event: Any) -> None:
        reason = "failed"
        for pause in (timedelta(0), *_RETRIES):
            self._sleep(pause.total_seconds())
            function, config, _ = lambda_svc._get_func_record_for_ref(function_arn)
            if not function or not config:
                reason = "gone"
                break
            record = lambda_svc._execution_record_for_config(function, config)
            if not lambda_svc._execute_function_with_config_scope(record, event).get("error"):
                return
        logger.warning("invocation_dropped", extra={"function": function_arn, "reason": reason})


def install(queue: Queue) -> None:
    def from_lambda_api(function: Any, event: Any) -> None:
        queue.accept((function.get("config") or function)["FunctionArn"], event)

    def from_eventbridge(arn: str, payload: str) -> None:
        queue.accept(arn, json.loads(payload))

    lambda_svc.invoke_async_with_retry = from_lambda_api
    eventbridge._dispatch_to_lambda = from_eventbridge
    # A log of every event since the start, which nothing reads.
    eventbridge._events_log_list = list
