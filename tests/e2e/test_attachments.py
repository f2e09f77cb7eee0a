"""Images there and back: from a person to the model, and from the agent's sandbox to the API."""

import json
from base64 import b64encode
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx
import pytest

from shared.domain.attachment import PART_BYTES
from tests import images
from tests.e2e.machine import Machine, repository
from tests.e2e.talk import AUTHOR, Api
from tests.model import Model, script

PNG = images.png(64, 48)
LARGE = images.png_of(PART_BYTES + 2_000)
OCTETS = {"content-type": "application/octet-stream"}


@pytest.fixture(scope="module")
def asking(machine: Machine) -> Generator[Api]:
    with Api(machine) as api:
        yield api


@pytest.fixture
def http(asking: Api) -> Generator[httpx.Client]:
    """As a browser has it: bytes, and not only JSON."""
    endpoint = asking.endpoint
    token = (asking.machine.state / "users" / f"{endpoint['user']}.token").read_text().strip()
    headers = {"authorization": f"Bearer {token}"}
    with httpx.Client(
        base_url=endpoint["http"], headers=headers, trust_env=False, timeout=60
    ) as client:
        yield client


def upload(http: httpx.Client, content: bytes) -> str:
    new = {"name": "page.png", "type": "image/png", "size": len(content)}
    begun = http.post("/attachments", json=new).raise_for_status().json()
    path = f"/attachments/{begun['id']}"
    for number, start in enumerate(range(0, len(content), begun["partBytes"])):
        part = content[start : start + begun["partBytes"]]
        http.put(f"{path}/parts/{number}", content=part, headers=OCTETS).raise_for_status()
    assert http.post(f"{path}/complete").raise_for_status().json()["ready"]
    return begun["id"]


def download(http: httpx.Client, file: dict[str, Any]) -> bytes:
    parts = -(-file["size"] // file["partBytes"])
    answers = [http.get(f"/attachments/{file['id']}/parts/{part}") for part in range(parts)]
    for answer in answers:
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "image/png"
        assert answer.headers["x-content-type-options"] == "nosniff"
    return b"".join(answer.content for answer in answers)


def test_an_image_reaches_the_model_and_a_screenshot_comes_back(
    asking: Api, http: httpx.Client, model: Model, tmp_path: Path
):
    talk = asking.open(repository(tmp_path / "tool", readme="hello"))
    file = upload(http, LARGE)
    written = b64encode(PNG).decode()
    make = f"echo {written} | base64 -d > /tmp/shot.png"
    hand_in = {"path": "/tmp/shot.png", "title": "The page"}
    asked = script(
        {"tools": [{"name": "bash", "args": {"command": make, "description": "draw"}}]},
        {"tools": [{"name": "outboard_screenshot", "args": hand_in}]},
        {"text": "Shown."},
    )
    model.forget_requests()

    body = {"requestId": "images-1", "text": asked, "author": AUTHOR, "attachments": [file]}
    number = talk.post("prompts", body)["number"]
    record = talk.until_ended(number)

    assert (record["status"], record["error"]) == ("completed", None), talk.told()
    assert [(each["id"], each["width"]) for each in record["attachments"]] == [(file, 3)]
    seen = json.dumps([request["body"] for request in model.requests()])
    assert b64encode(LARGE).decode() in seen
    (artifact,) = talk.get("/artifacts")["artifacts"]
    assert (artifact["kind"], artifact["title"]) == ("screenshot", "The page")
    assert (artifact["file"]["width"], artifact["file"]["height"]) == (64, 48)
    assert download(http, artifact["file"]) == PNG
    assert download(http, {**artifact["file"], "id": file, "size": len(LARGE)}) == LARGE
    (told,) = talk.events("artifact_created")
    assert told["file"]["id"] == artifact["file"]["id"]


def test_a_command_line_attaches_a_file_and_files_are_there_after_a_power_cut(
    machine: Machine, http: httpx.Client, model: Model, tmp_path: Path
):
    (tmp_path / "page.png").write_bytes(PNG)
    path = repository(tmp_path / "tool", readme="hello")
    model.forget_requests()

    done = machine.json(
        "prompt", "--repo", str(path), script({"text": "Seen."}), "--wait",
        "--attach", str(tmp_path / "page.png"),
    )[-1]  # fmt: skip

    assert done["status"] == "completed"
    seen = json.dumps([request["body"] for request in model.requests()])
    assert b64encode(PNG).decode() in seen
    (file,) = http.get(f"/sessions/{done['session']}/prompts/1").json()["attachments"]
    machine.kill()
    machine.start()
    assert download(http, {**file, "partBytes": PART_BYTES}) == PNG
