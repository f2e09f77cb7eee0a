"""An asynchronous invocation that was accepted happens, also when the host dies under it."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.infra.local.aws import stacks
from tests.local_aws import LocalAws, eventually

pytestmark = pytest.mark.local_aws

_CODE = """
    import json, pathlib, time

    def handler(event, context):
        print(json.dumps({"began": event["name"]}))
        if not pathlib.Path(event["gate"]).exists():
            time.sleep(30)
        print(json.dumps({"done": event["name"]}))
"""


def test_an_accepted_invocation_survives_kill_9(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    with LocalAws(state=tmp_path / "state") as host:
        stacks.create_function(host, "slow", _CODE, timeout=60)
        answer = host.client("lambda").invoke(
            FunctionName="slow",
            InvocationType="Event",
            Payload=json.dumps({"name": "once", "gate": str(gate)}),
        )
        eventually(lambda: _said(host, "began"))

        host.kill()
        gate.touch()
        host.start()

        assert answer["StatusCode"] == 202
        eventually(lambda: _said(host, "done"))
        eventually(lambda: _queued(host) == 0)


def _queued(host: LocalAws) -> int:
    with closing(sqlite3.connect(host.state / "state.sqlite")) as ledger:
        return ledger.execute("SELECT count(*) FROM invocation").fetchone()[0]


def _said(host: LocalAws, word: str) -> int:
    return sum(line.get(word) == "once" for line in host.lambda_log())
