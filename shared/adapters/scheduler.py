"""One-shot pokes on EventBridge Scheduler, which fires within a minute, at least once."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from botocore.session import Session as BotocoreSession

from shared.domain.errors import Unavailable
from shared.domain.session.state import SessionId

_CONFIG = Config(connect_timeout=2, read_timeout=5, retries={"max_attempts": 3, "mode": "standard"})


@dataclass(frozen=True, slots=True)
class TimerTarget:
    group: str
    function_arn: str
    role_arn: str


class SchedulerTimers:
    def __init__(self, session: BotocoreSession, target: TimerTarget) -> None:
        self._session = session
        self._target = target

    @cached_property
    def _client(self) -> Any:
        return self._session.create_client("scheduler", config=_CONFIG)

    def poke_at(self, session_id: SessionId, attempt: int, due: datetime) -> None:
        schedule = self._schedule(session_id, attempt, due)
        try:
            self._client.update_schedule(**schedule)
        except ClientError as error:
            if _code(error) != "ResourceNotFoundException":
                raise Unavailable(f"the poke was refused: {_code(error)}") from error
            self._create(schedule)
        except BotoCoreError as error:
            raise Unavailable("the scheduler did not answer") from error

    def _create(self, schedule: dict[str, Any]) -> None:
        try:
            self._client.create_schedule(**schedule)
        except ClientError as error:
            if _code(error) != "ConflictException":  # somebody armed it meanwhile: it pokes too
                raise Unavailable(f"the poke was refused: {_code(error)}") from error
        except BotoCoreError as error:
            raise Unavailable("the scheduler did not answer") from error

    def _schedule(self, session_id: SessionId, attempt: int, due: datetime) -> dict[str, Any]:
        target = {
            "Arn": self._target.function_arn,
            "RoleArn": self._target.role_arn,
            "Input": json.dumps({"session": session_id, "attempt": attempt}),
            "RetryPolicy": {"MaximumRetryAttempts": 10, "MaximumEventAgeInSeconds": 3600},
        }
        return {
            "Name": f"{session_id}-{attempt}",
            "GroupName": self._target.group,
            "ScheduleExpression": f"at({_whole_second(due):%Y-%m-%dT%H:%M:%S})",
            "ScheduleExpressionTimezone": "UTC",
            "FlexibleTimeWindow": {"Mode": "OFF"},
            "ActionAfterCompletion": "DELETE",
            "Target": target,
        }


def _whole_second(due: datetime) -> datetime:
    """Not before: a poke that comes too early only asks for another."""
    return (due + timedelta(microseconds=999_999)).astimezone(UTC).replace(microsecond=0)


def _code(error: ClientError) -> str:
    return error.response.get("Error", {}).get("Code", "")
