"""A machine whose code host is the stand-in of GitHub, and people who sign in by way of it."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx

from shared.protocol.browser import MARK, MARK_OF_PAGES
from tests.e2e.loopback import ask
from tests.e2e.machine import Machine
from tests.e2e.talk import Talk
from tests.forge import hooks
from tests.forge.accounts import CLIENT
from tests.forge.hosting import Hosted, hosting
from tests.forge.state import Person, Repository
from tests.model import Model

MODEL_KEY = "sk-canary-of-the-model-4f0c77d1"
WEBHOOK_SECRET = "the secret that signs what GitHub tells"


@dataclass
class Visitor:
    """Somebody's browser without its pages: cookies, redirects, and the mark of our requests."""

    machine: Machine
    person: Person
    mark: str = MARK_OF_PAGES
    cookies: dict[str, str] = field(default_factory=dict[str, str])

    def sign_in(self, hosted: Hosted) -> None:
        left = self.asked("GET", "/sign-in/github")
        back = hosted.accounts.consent(left.headers["location"], self.person)
        path = back.partition("/api")[2]
        _, found, code = self.asked("GET", path).headers["location"].partition("/sign-in#")
        assert found, "GitHub's person was not let in"
        signed_in = self("POST", "/sign-in", {"code": code})
        self.mark = f"{MARK_OF_PAGES} {signed_in['pageKey']}"

    def asked(self, method: str, path: str, body: object = None) -> httpx.Response:
        kept = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        url = f"http://127.0.0.1:{self.machine.port}/api{path}"
        answer = ask(method, url, headers={MARK: self.mark, "cookie": kept}, body=body)
        self.cookies |= dict(answer.cookies)
        return answer

    def __call__(self, method: str, path: str, body: object = None) -> Any:
        answer = self.asked(method, path, body)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json()

    def open(self, *urls: str) -> Talk:
        repositories = [{"url": url} for url in urls]
        opened = self("POST", "/sessions", {"requestId": uuid4().hex, "repositories": repositories})
        return Talk(self, opened["id"])

    def joins(self, talk: Talk) -> Talk:
        return Talk(self, talk.id)


@dataclass(frozen=True)
class AtGitHub:
    hosted: Hosted
    machine: Machine

    def visitor(self, login: str) -> Visitor:
        """Somebody of the organisation, signed in."""
        emails = [f"{login}@example.com"]
        person = Person(login, f"{login.title()} Example", emails, frozenset({"acme"}))
        visitor = Visitor(self.machine, person)
        visitor.sign_in(self.hosted)
        return visitor

    def has(self, name: str) -> str:
        """A private repository that the App may use: its URL."""
        self.hosted.github.has(name)
        return f"{self.hosted.url}/{name}"

    def repository(self, url: str) -> Repository:
        return self.hosted.github.repositories[urlsplit(url).path.strip("/")]

    def deliver(self, body: bytes, secret: str = WEBHOOK_SECRET) -> int:
        """A webhook: what the machine answers, as a status."""
        url = f"http://127.0.0.1:{self.machine.port}/api/webhooks/github"
        headers = hooks.signed(body, secret)
        return httpx.post(url, content=body, headers=headers, trust_env=False).status_code

    def guard(self, url: str, script: str) -> None:
        """From now on the host runs this over what is pushed there."""
        hook = self.repository(url).directory / "hooks/pre-receive"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\n{script}\n")
        hook.chmod(0o755)

    def pulls(self, url: str) -> Sequence[Mapping[str, Any]]:
        return self.repository(url).pulls


@contextmanager
def machine_at_github(directory: Path, model: Model, admitted: str) -> Generator[AtGitHub]:
    """`admitted`: the logins that may sign in."""
    with hosting(directory / "github") as hosted:
        told = {
            **model.environment,
            "OPENAI_API_KEY": MODEL_KEY,
            **hosted.settings(),
            **hosted.secrets(),
            "GITHUB_CLIENT_ID": CLIENT[0],
            "GITHUB_CLIENT_SECRET": CLIENT[1],
            "GITHUB_WEBHOOK_SECRET": WEBHOOK_SECRET,
            "SIGN_IN_USERS": admitted,
        }
        with Machine(directory / "outboard", told) as machine:
            yield AtGitHub(hosted, machine)


def bash(command: str) -> dict[str, Any]:
    """A step of a scripted model."""
    call = {"name": "bash", "args": {"command": command, "description": "as asked"}}
    return {"tools": [call]}


def wants_pull_request(repository: str, title: str, body: str = "Why and how.") -> dict[str, Any]:
    """The agent's own tool; it has to name all of its arguments."""
    args = {"title": title, "body": body, "repository": repository, "base": "", "draft": False}
    return {"tools": [{"name": "outboard_pull_request", "args": args}]}


def no_reply(visitor: Visitor) -> str:
    """The address by which GitHub knows a commit's author."""
    login = visitor.person.login
    return f"{sum(login.encode())}+{login}@users.noreply.github.com"
