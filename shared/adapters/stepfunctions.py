"""`sandbox_life` on Step Functions: one Standard execution for each life of an attempt."""

import json
from functools import cached_property
from typing import Any, Literal

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from botocore.session import Session as BotocoreSession

from shared.domain.errors import Unavailable
from shared.domain.session.state import SessionId

_CONFIG = Config(connect_timeout=2, read_timeout=5, retries={"max_attempts": 3, "mode": "standard"})
_NOBODY_WAITS = {"TaskDoesNotExist", "TaskTimedOut", "InvalidToken"}


class StepFunctionsLives:
    def __init__(self, session: BotocoreSession, machine_arn: str) -> None:
        self._session = session
        self._machine_arn = machine_arn

    @cached_property
    def _client(self) -> Any:
        return self._session.create_client("stepfunctions", config=_CONFIG)

    def start(self, session_id: SessionId, attempt: int, life: int) -> None:
        """A name is one execution for 90 days: one that ran already has done its work."""
        payload = {"session": session_id, "attempt": attempt, "life": life}
        self._call(
            "start_execution",
            ignore={"ExecutionAlreadyExists"},
            stateMachineArn=self._machine_arn,
            name=f"{session_id}-{attempt}-{life}",
            input=json.dumps(payload),
        )

    def state(
        self, session_id: SessionId, attempt: int, life: int
    ) -> Literal["running", "over", "unknown"]:
        machine = self._machine_arn.replace(":stateMachine:", ":execution:")
        arn = f"{machine}:{session_id}-{attempt}-{life}"
        found = self._call("describe_execution", ignore={"ExecutionDoesNotExist"}, executionArn=arn)
        if found is None:
            return "unknown"
        return "running" if found["status"] in {"RUNNING", "PENDING_REDRIVE"} else "over"

    def complete(self, token: str, outcome: str, seconds: int | None) -> None:
        output = json.dumps({"outcome": outcome, "seconds": seconds or 1})
        self._call("send_task_success", ignore=_NOBODY_WAITS, taskToken=token, output=output)

    def beat(self, token: str) -> None:
        self._call("send_task_heartbeat", ignore=_NOBODY_WAITS, taskToken=token)

    def _call(self, operation: str, *, ignore: set[str], **arguments: str) -> Any:
        """The answer; None when it is one of those errors."""
        try:
            return getattr(self._client, operation)(**arguments)
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code", "")
            if code not in ignore:
                raise Unavailable(f"{operation}: {code}") from error
            return None
        except BotoCoreError as error:
            raise Unavailable(f"{operation} did not answer") from error
