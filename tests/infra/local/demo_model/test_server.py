"""The server on its wires, as a client sees it."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.demo_model import server
from tests.model import Model, running_model, script

ROOT = Path(__file__).resolve().parents[4]
CALL = {"name": "bash", "args": {"command": "ls"}}
PROMPT = script({"thinking": "Hm.", "text": "First words.", "tools": [CALL], "chunk": 5})
SCHEMA = {"type": "object", "properties": {"command": {}}, "required": ["command"]}
OPENAI: dict[str, Any] = {
    "model": "m",
    "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": PROMPT}],
    "tools": [{"type": "function", "function": {"name": "bash", "parameters": SCHEMA}}],
}
ANTHROPIC: dict[str, Any] = {
    "model": "m",
    "messages": [{"role": "user", "content": [{"type": "text", "text": PROMPT}]}],
    "tools": [{"name": "bash", "input_schema": SCHEMA}],
}
RESPONSES: dict[str, Any] = {
    "model": "m",
    "input": [{"role": "user", "content": [{"type": "input_text", "text": PROMPT}]}],
    "tools": [{"type": "function", "name": "bash", "parameters": SCHEMA}],
}
ROUTES = [
    ("/v1/chat/completions", OPENAI),
    ("/v1/messages", ANTHROPIC),
    ("/v1/responses", RESPONSES),
]


@pytest.fixture(scope="module")
def model() -> Iterator[Model]:
    with running_model() as running:
        yield running


def post(model: Model, path: str, body: dict[str, Any]) -> httpx.Response:
    return httpx.post(f"{model.url}{path}", json=body, trust_env=False, timeout=30)


def events(response: httpx.Response) -> list[dict[str, Any]]:
    lines = (line.removeprefix("data: ") for line in response.text.splitlines())
    return [json.loads(line) for line in lines if line.startswith("{")]


def test_openai_s_stream_has_thought_text_and_calls(model: Model):
    response = post(model, "/v1/chat/completions", OPENAI | {"stream": True})

    deltas = [event["choices"][0]["delta"] for event in events(response)]
    call = next(delta["tool_calls"][0] for delta in deltas if "tool_calls" in delta)
    assert "".join(delta.get("reasoning_content", "") for delta in deltas) == "Hm."
    assert "".join(delta.get("content", "") for delta in deltas) == "First words."
    assert call["function"] == {"name": "bash", "arguments": '{"command": "ls"}'}
    assert events(response)[-1]["choices"][0]["finish_reason"] == "tool_calls"
    assert response.text.endswith("data: [DONE]\n\n")


def test_anthropic_s_stream_has_thought_text_and_calls(model: Model):
    told = events(post(model, "/v1/messages", ANTHROPIC | {"stream": True}))

    deltas = [event["delta"] for event in told if event["type"] == "content_block_delta"]
    blocks = [event["content_block"] for event in told if event["type"] == "content_block_start"]
    assert "".join(delta.get("thinking", "") for delta in deltas) == "Hm."
    assert "".join(delta.get("text", "") for delta in deltas) == "First words."
    assert "".join(delta.get("partial_json", "") for delta in deltas) == '{"command": "ls"}'
    assert [block["type"] for block in blocks] == ["thinking", "text", "tool_use"]
    assert told[-2]["delta"]["stop_reason"] == "tool_use"


def test_openai_s_newer_stream_has_text_and_calls(model: Model):
    told = events(post(model, "/v1/responses", RESPONSES | {"stream": True}))

    deltas = [event["delta"] for event in told if event["type"].endswith("text.delta")]
    output = told[-1]["response"]["output"]
    assert "".join(deltas) == "First words."
    assert [item["type"] for item in output] == ["message", "function_call"]
    assert output[1]["arguments"] == '{"command": "ls"}'


@pytest.mark.parametrize(("path", "body"), ROUTES)
def test_the_same_reply_comes_whole_when_no_stream_is_asked_for(
    model: Model, path: str, body: dict[str, Any]
):
    whole = post(model, path, body).json()

    assert "First words." in str(whole)
    assert "bash" in str(whole)


@pytest.mark.parametrize(("path", "body"), ROUTES)
def test_a_refusal_has_the_status_the_message_and_when_to_come_back(
    model: Model, path: str, body: dict[str, Any]
):
    prompt = script({"status": 429, "message": f"later, {path}", "retry_after": 0.5})
    refused = json.loads(json.dumps(body).replace(json.dumps(PROMPT), json.dumps(prompt)))

    response = post(model, path, refused)

    assert response.status_code == 429
    assert response.headers["retry-after"] == "0.5"
    assert response.json()["error"]["message"] == f"later, {path}"


def test_a_cut_reply_ends_in_the_middle(model: Model):
    prompt = script({"text": "half", "cut": True})
    body = OPENAI | {"stream": True, "messages": [{"role": "user", "content": prompt}]}

    with pytest.raises(httpx.RemoteProtocolError):
        post(model, "/v1/chat/completions", body)


@pytest.mark.parametrize(
    "body", [{}, {"model": "m", "messages": [{}]}, {"model": "m", "messages": "no"}]
)
def test_what_can_t_be_read_is_refused_with_a_sentence(model: Model, body: dict[str, Any]):
    response = post(model, "/v1/chat/completions", body)

    assert response.status_code == 400
    assert "can't read this request" in response.json()["error"]["message"]


def test_a_script_with_a_typo_is_refused_with_its_name(model: Model):
    prompt = script({"txet": "oops"})
    response = post(
        model, "/v1/chat/completions", OPENAI | {"messages": [{"role": "user", "content": prompt}]}
    )

    assert response.status_code == 400
    assert "txet" in response.text


def test_requests_are_kept_for_tests_and_forgotten_when_told(model: Model):
    model.forget_requests()
    post(model, "/v1/chat/completions", OPENAI)

    kept = model.requests()

    assert [(request["path"], request["body"]) for request in kept] == [
        ("/v1/chat/completions", OPENAI)
    ]
    model.forget_requests()
    assert model.requests() == []


def test_the_command_says_where_it_listens_keeps_no_requests_and_ends_when_told():
    command = [sys.executable, "-m", "infra.local.demo_model", "--port", "0"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        address = process.stdout.readline().strip().removeprefix("demo model listening on ")
        listed = httpx.get(f"{address}/v1/models", trust_env=False).json()
        httpx.post(f"{address}/v1/chat/completions", json=OPENAI, trust_env=False)
        kept = httpx.get(f"{address}/_requests", trust_env=False).json()
        os.kill(process.pid, signal.SIGTERM)
        status = process.wait(timeout=30)
    finally:
        process.kill()
        process.communicate()

    assert [entry["id"] for entry in listed["data"]] == ["scripted"]
    assert kept == []
    assert status == 0


def test_a_busy_port_is_named():
    with server.listen(0) as busy:
        busy.listen()
        port = str(busy.getsockname()[1])
        command = [sys.executable, "-m", "infra.local.demo_model", "--port", port]

        told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert told.returncode == 1
    assert told.stderr.startswith(f"demo model: port {port} is not free")
