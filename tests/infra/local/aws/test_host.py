"""Starting, being alone, and stopping."""

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.local_aws import ROOT, LocalAws

pytestmark = pytest.mark.local_aws


def _refusal(*arguments: str) -> tuple[int, str]:
    ended = subprocess.run(
        [sys.executable, "-m", "infra.local.aws", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    return ended.returncode, ended.stderr


def test_a_second_host_on_the_same_state_is_refused_with_a_sentence(aws: LocalAws) -> None:
    status, sentence = _refusal("--state", str(aws.state))

    assert status == 1
    assert sentence == f"outboard aws host: another host is using {str(aws.state)!r}\n"


def test_a_busy_port_is_refused_with_a_sentence(aws: LocalAws, tmp_path: Path) -> None:
    status, sentence = _refusal("--state", str(tmp_path), "--port", str(aws.port))

    assert status == 1
    assert sentence.startswith(f"outboard aws host: cannot listen on 127.0.0.1:{aws.port}: ")


def test_the_key_is_made_once_and_for_its_owner_only(mortal: LocalAws) -> None:
    first = mortal.key

    mortal.restart()

    assert mortal.key == first
    files = [path for path in mortal.state.rglob("*") if path.name != "host.log"]
    modes = {stat.S_IMODE(path.stat().st_mode) for path in files if path.is_file()}
    assert modes == {0o600}


def test_it_listens_on_loopback_only(aws: LocalAws) -> None:
    listening = [
        line.split()[1]
        for line in Path(f"/proc/{aws.pid}/net/tcp").read_text().splitlines()
        if line.split()[1].endswith(f":{aws.port:04X}") and line.split()[3] == "0A"
    ]

    assert listening == [f"0100007F:{aws.port:04X}"]


def test_its_log_is_one_object_a_line(aws: LocalAws) -> None:
    lines = [json.loads(line) for line in aws.host_log().splitlines()]

    assert lines[0]["event"] == "started"
    assert [line for line in lines if line["level"] not in ("INFO", "WARNING")] == []
