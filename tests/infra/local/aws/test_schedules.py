"""Schedules fire within seconds, once, and across a crash."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.eventually import eventually
from tests.infra.local.aws import stacks
from tests.local_aws import LocalAws

pytestmark = pytest.mark.local_aws

_CODE = """
    import json, pathlib

    def handler(event, context):
        print(json.dumps({"fired": event["name"]}))
        if event.get("fails") and not pathlib.Path(event["fails"]).exists():
            pathlib.Path(event["fails"]).touch()
            raise RuntimeError("not yet")
"""


def _at(host: LocalAws, target: str, name: str, after: timedelta, **options: Any) -> None:
    moment = datetime.now(UTC) + after
    host.client("scheduler").create_schedule(
        Name=name,
        ScheduleExpression=f"at({moment:%Y-%m-%dT%H:%M:%S})",
        FlexibleTimeWindow={"Mode": "OFF"},
        ActionAfterCompletion=options.pop("after_completion", "DELETE"),
        Target={
            "Arn": target,
            "RoleArn": "arn:aws:iam::000000000000:role/test",
            "Input": json.dumps({"name": name, **options}),
        },
    )


def _fired(host: LocalAws, name: str) -> int:
    return sum(line.get("fired") == name for line in host.lambda_log())


def _names(host: LocalAws) -> set[str]:
    return {schedule["Name"] for schedule in host.client("scheduler").list_schedules()["Schedules"]}


@pytest.fixture(scope="module")
def target(aws: LocalAws) -> str:
    return stacks.create_function(aws, "scheduled", _CODE)


def test_a_one_time_schedule_fires_and_is_gone(aws: LocalAws, target: str) -> None:
    _at(aws, target, "soon", timedelta(seconds=1))

    eventually(lambda: _fired(aws, "soon"))

    eventually(lambda: "soon" not in _names(aws))
    eventually(lambda: '"Name": "soon"' not in _on_disk(aws))
    assert _fired(aws, "soon") == 1


def _on_disk(host: LocalAws) -> str:
    with closing(sqlite3.connect(host.state / "state.sqlite")) as ledger:
        (body,) = ledger.execute("SELECT body FROM snapshot WHERE service = 'scheduler'").fetchone()
        return body


def test_a_target_that_fails_is_tried_again(aws: LocalAws, target: str, tmp_path: Path) -> None:
    _at(aws, target, "stubborn", timedelta(0), fails=str(tmp_path / "failed"))

    eventually(lambda: _fired(aws, "stubborn") == 2)


def test_schedules_come_back_and_what_fired_does_not_fire_again(mortal: LocalAws) -> None:
    function = stacks.create_function(mortal, "scheduled", _CODE)
    _at(mortal, function, "kept", timedelta(0), after_completion="NONE")
    eventually(lambda: _fired(mortal, "kept"))
    _at(mortal, function, "missed", timedelta(seconds=2))
    _at(mortal, function, "later", timedelta(hours=1))

    mortal.restart()

    eventually(lambda: _fired(mortal, "missed"))
    eventually(lambda: "missed" not in _names(mortal))
    assert _names(mortal) >= {"kept", "later"}
    assert _fired(mortal, "kept") == 1
