"""An asynchronous invocation that was accepted happens, also when the host dies under it."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.eventually import eventually
from tests.infra.local.aws import stacks
from tests.local_aws import LocalAws

pytestmark = pytest.mark.local_aws

_CODE = """
    import json, pathlib, time

    def handler(event, context):
        print(json.dumps({"began": event["name"]}))
        if not pathlib.Path(event["gate"]).exists():
            time.sleep(30)
        print(json.dumps({"done": event["name"]}))
"""


def test_an_accepted_invocation_survives_kill_9(mortal: LocalAws, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    stacks.create_function(mortal, "slow", _CODE, timeout=60)
    answer = mortal.client("lambda").invoke(
        FunctionName="slow",
        InvocationType="Event",
        Payload=json.dumps({"name": "once", "gate": str(gate)}),
    )
    eventually(lambda: _said(mortal, "began"))

    mortal.kill()
    gate.touch()
    mortal.start()

    assert answer["StatusCode"] == 202
    eventually(lambda: _said(mortal, "done"))
    eventually(lambda: _queued(mortal) == 0)


def _queued(host: LocalAws) -> int:
    with closing(sqlite3.connect(host.state / "state.sqlite")) as ledger:
        return ledger.execute("SELECT count(*) FROM invocation").fetchone()[0]


def _said(host: LocalAws, word: str) -> int:
    return sum(line.get(word) == "once" for line in host.lambda_log())
