"""Bad input gets a clear sentence and loses nothing."""

import json
import subprocess
from http import HTTPStatus
from pathlib import Path

import httpx
import pytest

from tests.e2e.machine import Machine, repository


def refused(machine: Machine, *arguments: str) -> subprocess.CompletedProcess[str]:
    done = machine.outboard(*arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository(tmp_path_factory.mktemp("bad") / "tool", a__txt="a\n")


def test_a_directory_that_is_no_repository(machine: Machine, tmp_path: Path):
    assert "git" in refused(machine, "prompt", "--repo", str(tmp_path), "hi").stderr


def test_a_repository_that_is_not_there(machine: Machine):
    url = f"http://127.0.0.1:{machine.port + 2}/nowhere/tool.git"

    assert "repository" in refused(machine, "prompt", "--repo", url, "hi").stderr


@pytest.mark.parametrize("text", ["", "  \n ", "x" * 64_001], ids=["empty", "blank", "too long"])
def test_a_prompt_without_words_or_with_too_many(machine: Machine, path: Path, text: str):
    before = machine.json("sessions")

    refused(machine, "prompt", "--repo", str(path), text)

    assert machine.json("sessions") == before


def test_a_model_that_is_not_offered(machine: Machine, path: Path):
    done = refused(machine, "prompt", "--repo", str(path), "--model", "openai/unheard-of", "hi")

    assert "openai/unheard-of" in done.stderr


def test_a_session_that_is_not_there(machine: Machine):
    refused(machine, "show", "nowhere")


def test_a_caller_whom_git_does_not_know_is_told_what_to_set(machine: Machine, path: Path):
    config = machine.home / ".gitconfig"
    known = config.read_text()
    config.write_text("")
    try:
        done = refused(machine, "prompt", "--repo", str(path), "hi")
    finally:
        config.write_text(known)

    assert "git config --global user." in done.stderr


def base(machine: Machine) -> str:
    return f"http://127.0.0.1:{machine.port}"


@pytest.mark.parametrize(
    "headers",
    [{"origin": "https://evil.example.com"}, {"host": "evil.example.com"}],
    ids=["another page", "another name for this machine"],
)
def test_other_pages_of_the_users_browser_cannot_drive_it(
    machine: Machine, headers: dict[str, str]
):
    answer = httpx.get(f"{base(machine)}/_aws/execute-api/x/sessions", headers=headers)

    assert answer.status_code == 403


@pytest.mark.parametrize(
    ("signature", "refusal"),
    [
        ({}, HTTPStatus.METHOD_NOT_ALLOWED),  # not AWS is asked, but the pages
        ({"authorization": "AWS4-HMAC-SHA256 Credential=AKIAELSE/"}, HTTPStatus.FORBIDDEN),
    ],
)
def test_nobody_drives_the_local_aws_without_its_key(
    machine: Machine, signature: dict[str, str], refusal: HTTPStatus
):
    answer = httpx.post(
        base(machine),
        headers={"x-amz-target": "DynamoDB_20120810.ListTables", **signature},
        content="{}",
    )

    assert answer.status_code == refusal
    assert "TableNames" not in answer.text


def test_a_wrong_token_is_refused(machine: Machine):
    answer = httpx.get(
        f"{machine_url(machine)}/sessions", headers={"authorization": "Bearer obu_wrong"}
    )

    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")


def machine_url(machine: Machine) -> str:
    return json.loads((machine.state / "endpoint.json").read_text())["http"]
