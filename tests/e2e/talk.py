"""A session over the HTTP API, as a test asks in it and reads it: no process for each question."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, Self
from urllib.parse import urlencode
from uuid import uuid4

from tests.e2e.loopback import ask
from tests.e2e.machine import Machine, until
from tests.model import script

AUTHOR = {"name": "Ada Example", "email": "ada@example.com"}
PATIENCE = 120


def run(command: str, text: str = "Done.") -> str:
    """A prompt whose agent runs one command and is done."""
    call = {"name": "bash", "args": {"command": command, "description": "as asked"}}
    return script({"tools": [call]}, {"text": text})


class Asks(Protocol):
    """Somebody's way to the API."""

    def __call__(self, method: str, path: str, body: object = None) -> Any: ...


@dataclass
class Api:
    """A machine's HTTP API as its first user has it; reads anew where that is after a restart."""

    machine: Machine
    opened: "list[Talk]" = field(default_factory=list["Talk"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing that one test has started is left to run beside the next."""
        for talk in self.opened:
            talk.post("cancel")

    @property
    def endpoint(self) -> dict[str, Any]:
        return json.loads((self.machine.state / "endpoint.json").read_text())

    def __call__(self, method: str, path: str, body: object = None) -> Any:
        endpoint = self.endpoint
        token = (self.machine.state / "users" / f"{endpoint['user']}.token").read_text().strip()
        headers = {"authorization": f"Bearer {token}"}
        answer = ask(method, f"{endpoint['http']}{path}", headers=headers, body=body)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json()

    def served(self, path: Path) -> str:
        """The repository's URL on this machine."""
        endpoint = self.endpoint
        asked = {"path": str(path), "key": endpoint["repositoriesKey"]}
        answer = ask("POST", f"{endpoint['repositories']}/repositories", body=asked)
        return answer.raise_for_status().json()["url"]

    def choose(self, path: Path, **chosen: int) -> None:
        """Settings of the repository's sandboxes, for sessions that are opened from now on."""
        where = f"/settings/sandbox/repository?{urlencode({'url': self.served(path)})}"
        version = self("GET", where)["version"]
        self("PUT", where, {"settings": chosen, "version": version})

    def open(self, path: Path, *, warm: bool = False, **chosen: int) -> "Talk":
        """With what is chosen for the repository, from now on."""
        if chosen:
            self.choose(path, **chosen)
        repositories = [{"url": self.served(path)}]
        asked = {"requestId": uuid4().hex, "repositories": repositories, "warm": warm}
        talk = Talk(self, self("POST", "/sessions", asked)["id"])
        self.opened.append(talk)
        return talk


@dataclass(frozen=True)
class Talk:
    api: Asks
    id: str
    _read: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    @property
    def branch(self) -> str:
        return f"outboard/{self.id}"

    def ask(self, text: str, author: Mapping[str, str] | None = AUTHOR) -> int:
        """The number of the prompt, which is acknowledged now. No author: whoever asks."""
        named = {} if author is None else {"author": author}
        body = {"requestId": uuid4().hex, "text": text, **named}
        return self.post("prompts", body)["number"]

    def post(self, what: str, body: object = None) -> Any:
        return self.api("POST", f"/sessions/{self.id}/{what}", body)

    def get(self, what: str = "") -> Any:
        return self.api("GET", f"/sessions/{self.id}{what}")

    def view(self) -> dict[str, Any]:
        return self.get()

    def status(self) -> str:
        return self.view()["sandbox"]["status"]

    def entries(self) -> list[dict[str, Any]]:
        """The timeline until now; what was read once is not read again."""
        self._read.extend(self.timeline(after=self._read[-1]["seq"] if self._read else 0))
        return self._read

    def timeline(self, *, after: int = 0) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        while page := self.get(f"/timeline?after={after}&limit=1000")["entries"]:
            found += page
            after = page[-1]["seq"]
        return found

    def events(self, kind: str, **having: object) -> list[dict[str, Any]]:
        """Each with `at`, the time when the server wrote it down."""
        return [
            {"at": entry["at"], **event}
            for entry in self.entries()
            for event in entry["events"]
            if event["type"] == kind and having.items() <= event.items()
        ]

    def warnings(self) -> list[str]:
        return [event["message"] for event in self.events("warning")]

    def statuses(self, attempt: int) -> list[str]:
        return [event["status"] for event in self.events("sandbox_status", attempt=attempt)]

    def phases(self, attempt: int) -> list[str]:
        """Those that one boot went through, in the order in which they began."""
        begun = [
            event["phase"]
            for entry in self.entries()
            for event in entry["events"]
            if entry["attempt"] == attempt
            and (event["type"], event.get("status")) == ("boot_progress", "started")
        ]
        return list(dict.fromkeys(begun))

    def boots(self) -> list[dict[str, Any]]:
        """The newest first."""
        return self.get("/boots")["boots"]

    def ends(self) -> list[tuple[int, str]]:
        """Every end of every prompt that was ever told."""
        return [(event["prompt"], event["status"]) for event in self.events("prompt_finished")]

    def wait(self, condition: Callable[[], object], within: float = PATIENCE) -> None:
        try:
            until(condition, within, every=0.25)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.told()}") from error

    def told(self) -> str:
        """The story so far, for whoever has to find out why it went wrong."""
        return "\n".join(
            f"{entry['at'][11:23]} {entry['attempt']} {_short(event)}"
            for entry in self.entries()
            for event in entry["events"]
        )

    def until_ended(self, prompt: int, within: float = PATIENCE) -> dict[str, Any]:
        self.wait(lambda: self._record(prompt)["finishedAt"], within)
        return self._record(prompt)

    def _record(self, prompt: int) -> dict[str, Any]:
        return self.get(f"/prompts/{prompt}")

    def until_status(self, *wanted: str, within: float = PATIENCE) -> None:
        self.wait(lambda: self.status() in wanted, within)

    def until_said(self, prompt: int, words: str, within: float = PATIENCE) -> None:
        """By a command of that prompt's turn, which goes on."""
        self.wait(
            lambda: any(words in e.get("output", "") for e in self.events("tool", prompt=prompt)),
            within,
        )

    def turn(self, *steps: dict[str, Any], within: float = PATIENCE) -> dict[str, Any]:
        """Another prompt of whoever asks, to its end, whichever."""
        return self.until_ended(self.ask(script(*steps, {"text": "Done."}), author=None), within)

    def done(self, command: str, within: float = PATIENCE) -> dict[str, Any]:
        """Another prompt, to its good end."""
        record = self.until_ended(self.ask(run(command)), within)
        assert (record["status"], record["error"]) == ("completed", None), self.told()
        return record


def _short(event: Mapping[str, Any]) -> str:
    text = json.dumps({name: value for name, value in event.items() if value not in (None, "")})
    return text if len(text) < 400 else f"{text[:400]}…"
