"""A deployment with one session GitHub tells of: deliveries go in as API Gateway's."""

import base64
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from functions.http_api.handler import routes
from shared.app.ports.forges import PullRequest as HostsOwn
from shared.domain.pull_request import PullRequest, PullRequestState
from shared.domain.repository_url import directory, key
from shared.domain.session.state import Push, Repository, SessionId
from shared.edge.http.resolver import http
from tests import build
from tests.events import request
from tests.fakes.forges import FakeForge, FakeForges
from tests.functions.test_http_api import CONTEXT
from tests.world import World

SECRET = "of the webhook"
SESSION = SessionId("s1")
BRANCH = f"outboard/{SESSION}"
NAME = "Codertocat/Hello-World"
"""The repository of the published examples of pull requests."""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: Any


class Hooked:
    def __init__(self, full_name: str = NAME) -> None:
        self.forge = FakeForge()
        self.world = World(forges=FakeForges([self.forge]))
        self.world.secrets.values["GITHUB_WEBHOOK_SECRET"] = SECRET
        self.url = self.forge.has(full_name)
        target = (Repository(url=self.url, name=directory(self.url)),)
        pushes = (Push(target[0].name, BRANCH, "c1"),)
        session = build.session(id=SESSION, target=target, pushes=pushes)
        self.world.app.store.create(session, "s1")

    def deliver(self, kind: str, payload: object, **more: Any) -> Answer:
        return self.send(kind, json.dumps(payload).encode(), **more)

    def send(
        self,
        kind: str,
        raw: bytes,
        *,
        secret: str = SECRET,
        headers: Mapping[str, str] | None = None,
        plain: bool = False,
    ) -> Answer:
        """`headers` are instead of those that GitHub sends; `plain`: not in base64."""
        event = request("POST", "/webhooks/github")
        event["headers"] = signed(kind, raw, secret) if headers is None else dict(headers)
        body = raw.decode() if plain else base64.b64encode(raw).decode()
        event |= {"body": body, "isBase64Encoded": not plain}
        answer = http(routes, lambda: self.world.app)(event, CONTEXT)
        return Answer(answer["statusCode"], json.loads(answer["body"]))

    @property
    def known(self) -> Any:
        return self.world.app.sessions.load(SESSION).pull_requests

    def holds(self, *pulls: PullRequest) -> None:
        """What the host says of them when it is asked; they are numbered from 1."""
        self.forge.held[key(self.url)].pulls = [
            HostsOwn(
                number=one.number,
                url=one.url,
                state=one.state.value,
                draft=one.draft,
                title=one.title,
                head=one.head,
                base=one.base,
                head_commit=one.head_commit,
                updated_at=one.updated_at,
            )
            for one in pulls
        ]


def signed(kind: str, raw: bytes, secret: str = SECRET) -> dict[str, str]:
    signature = hmac.new(secret.encode(), raw, sha256).hexdigest()
    return {
        "content-type": "application/json",
        "x-github-event": kind,
        "x-hub-signature-256": f"sha256={signature}",
    }


def of_our_branch(payload: Any, branch: str = BRANCH) -> Any:
    """The same, of a branch of a session's."""
    told = payload["pull_request"]
    return {**payload, "pull_request": {**told, "head": {**told["head"], "ref": branch}}}


def as_told(payload: Any) -> PullRequest:
    """What a session is to know after this."""
    told = payload["pull_request"]
    return PullRequest(
        repository=NAME.partition("/")[2],
        number=told["number"],
        url=told["html_url"],
        title=told["title"],
        state=PullRequestState("merged" if told["merged_at"] else told["state"]),
        draft=told["draft"],
        head=told["head"]["ref"],
        base=told["base"]["ref"],
        head_commit=told["head"]["sha"],
        updated_at=datetime.fromisoformat(told["updated_at"]),
    )
