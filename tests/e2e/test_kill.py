"""`kill -9` of the whole machine at moments that a seed chooses: nothing acknowledged is lost."""

import json
import os
import random
import threading
import time
from collections.abc import Generator
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self

import httpx
import pytest

from tests.e2e.machine import Machine, git, repository, until
from tests.model import script

SEED = int(os.environ.get("OUTBOARD_KILL_SEED", "20261130"))
KILLS = int(os.environ.get("OUTBOARD_KILLS", "20"))
PATIENCE = 240
"""Seconds: for what a kill has cut off to come up again."""

PROVEN_EVERY = 5
AUTHOR = {"name": "Ada Example", "email": "ada@example.com"}
WORK = script(
    {
        "text": "working",
        "tools": [{"name": "bash", "args": {"command": "date >> log.txt", "description": "."}}],
    },
    {"text": "done"},
)


@dataclass
class Client:
    """Asks, and writes down each answer that it got: these must never be lost."""

    machine: Machine
    prompts: dict[int, str] = field(default_factory=dict[int, str])
    slots: dict[int, Any] = field(default_factory=dict[int, Any])
    session: str = ""
    asked: int = 0
    http: httpx.Client = field(default_factory=httpx.Client)
    _stop: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.connect()

    def connect(self) -> None:
        """To the machine as it is now, where it was started last."""
        self.close()
        endpoint = json.loads((self.machine.state / "endpoint.json").read_text())
        token = (self.machine.state / "users" / f"{endpoint['user']}.token").read_text().strip()
        headers = {"authorization": f"Bearer {token}"}
        self.http = httpx.Client(base_url=endpoint["http"], headers=headers, timeout=20)

    def close(self) -> None:
        self.http.close()

    def ask(self, text: str) -> int | None:
        """The prompt's number once it was acknowledged; None: nothing is known."""
        self.asked += 1
        body = {"requestId": f"p{self.asked}", "text": text, "author": AUTHOR}
        try:
            answer = self.http.post(f"/sessions/{self.session}/prompts", json=body)
        except httpx.HTTPError:
            return None
        if answer.status_code != HTTPStatus.ACCEPTED:
            return None
        number = answer.json()["number"]
        self.prompts[number] = text
        return number

    def read(self) -> None:
        """The rest of the timeline; what was read once must read the same for ever."""
        after = max(self.slots, default=0)
        try:
            page = self.http.get(f"/sessions/{self.session}/timeline", params={"after": after})
        except httpx.HTTPError:
            return
        if page.status_code == HTTPStatus.OK:
            self.slots |= {entry["seq"]: entry for entry in page.json()["entries"]}

    def work(self) -> None:
        while not self._stop.is_set():
            state = self._unfinished()
            if state is not None and state < 5:
                self.ask(f"{WORK} number {self.asked}")
            self.read()
            self._stop.wait(0.1)

    def _unfinished(self) -> int | None:
        try:
            return self.http.get(f"/sessions/{self.session}").json()["unfinished"]
        except (httpx.HTTPError, ValueError, KeyError):
            return None

    def everything(self) -> list[Any]:
        entries: list[Any] = []
        while True:
            after = entries[-1]["seq"] if entries else 0
            params = {"after": after, "limit": 500}
            page = self.http.get(f"/sessions/{self.session}/timeline", params=params).json()
            entries += page["entries"]
            if not page["entries"]:
                return entries

    def __enter__(self) -> Self:
        self._stop.clear()
        self._thread = threading.Thread(target=self.work)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(60)


@pytest.fixture
def machine(tmp_path: Path) -> Generator[Machine]:
    with Machine(tmp_path / "machine") as running:
        yield running


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_nothing_acknowledged_is_lost(machine: Machine, tmp_path: Path):
    path = repository(tmp_path / "tool", a__txt="a\n")
    client = Client(machine)
    client.session = machine.json("prompt", "--repo", str(path), WORK)[0]["session"]
    client.prompts[1] = WORK
    moments = random.Random(SEED)

    for kill in range(1, KILLS + 1):
        with client:
            time.sleep(moments.uniform(0.0, 4.0))
            machine.kill()
        until(lambda: not left_behind(machine), 20)
        machine.start()
        client.connect()
        nothing_is_lost(client)
        if kill % PROVEN_EVERY == 0:
            the_next_prompt_works(client, path)

    until(lambda: shown(client)["unfinished"] == 0, PATIENCE, every=0.5)
    every_prompt_has_one_end_and_a_reason(client)
    client.close()


def left_behind(machine: Machine) -> list[str]:
    """Processes that carry this machine's state directory in their environment or arguments."""
    mark = str(machine.state).encode()
    found: list[str] = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            text = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
        except OSError:
            continue
        if mark in text and process.name != str(os.getpid()):
            found.append(process.name)
    return found


def shown(client: Client) -> dict[str, Any]:
    return client.http.get(f"/sessions/{client.session}").json()


def nothing_is_lost(client: Client) -> None:
    for number, text in client.prompts.items():
        record = client.http.get(f"/sessions/{client.session}/prompts/{number}").json()
        assert record["text"] == text
    entries = client.everything()
    assert [entry["seq"] for entry in entries] == list(range(1, len(entries) + 1))
    for entry in entries:
        assert client.slots.get(entry["seq"], entry) == entry
    assert max(client.slots, default=0) <= len(entries)


def the_next_prompt_works(client: Client, path: Path) -> None:
    text = script(
        {
            "tools": [
                {"name": "bash", "args": {"command": "echo proof > proof.txt", "description": "."}}
            ]
        },
        {"text": "proven"},
    )
    until(lambda: shown(client)["unfinished"] == 0, PATIENCE, every=0.5)
    number = client.ask(text)
    assert number is not None
    address = f"/sessions/{client.session}/prompts/{number}"
    until(lambda: client.http.get(address).json()["finishedAt"], PATIENCE, every=0.5)
    record = client.http.get(address).json()
    assert (record["status"], record["error"]) == ("completed", None)
    assert git(path, "show", f"outboard/{client.session}:proof.txt") == "proof\n"


def every_prompt_has_one_end_and_a_reason(client: Client) -> None:
    ends: dict[int, list[Any]] = {}
    for entry in client.everything():
        for event in entry["events"]:
            if event["type"] == "prompt_finished":
                ends.setdefault(event["prompt"], []).append(event)
    assert set(client.prompts) <= set(ends)
    assert all(len(found) == 1 for found in ends.values())
    failed = [found[0] for found in ends.values() if found[0]["status"] != "completed"]
    assert all(event["error"] for event in failed)
