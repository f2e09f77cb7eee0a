"""Everybody who may ask the HTTP API for something, in one world that has one of everything."""

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from functions.http_api.handler import routes
from shared.app import tokens
from shared.app.attachments import Asker, sandbox_asks, user_asks
from shared.app.ports.workspace import User
from shared.domain.access import Scope
from shared.domain.repository_url import key
from shared.domain.secrets import of_repository
from shared.domain.session.commands import Cancel, Launching
from shared.domain.session.state import SessionId
from shared.edge.http.resolver import http
from shared.protocol.api import NewPrompt, NewRepository, NewSession
from shared.protocol.attachments import NewAttachment
from shared.protocol.environments import NewEnvironment
from tests import build, images
from tests.events import request
from tests.fakes.forges import FakeForge, FakeForges
from tests.functions.browser import HOST
from tests.functions.test_http_api import CONTEXT, PROMPT, SESSION
from tests.world import AUTHOR, World

URL = build.repository().url
PNG = images.png()
FILE: Mapping[str, Any] = {"name": "a.png", "type": "image/png", "size": len(PNG)}
DAY = timedelta(days=1)


ENVIRONMENT: Mapping[str, Any] = {
    "requestId": "e1",
    "name": "Shop",
    "repositories": [{"url": URL}],
}


def _host() -> FakeForge:
    """Where the session's repository is."""
    host = FakeForge("https://git.example.com")
    host.has("acme/tool")
    return host


@dataclass
class Scene:
    """Grace's session, her tokens, her file; bob, another member; ada, the owner."""

    world: World = field(default_factory=lambda: World(forges=FakeForges([_host()])))

    def __post_init__(self) -> None:
        app = self.world.app
        self.owner, self.owners_token = self.world.owner()
        self.grace, self.graces_token = app.accounts.add(self.owner, "grace")
        self.bobs_token = app.accounts.add(self.owner, "bob")[1]
        self.expired, _ = self._token("write", DAY)
        self.world.pass_time(DAY)
        self.token_id = self._token("read", 2 * DAY)[1]
        self.session, self.sandbox = self._session("r1")
        over, self.dead = self._session("r2")
        app.sessions.handle(over, Cancel(self.grace.id))
        self.file = self._file(user_asks(self.grace.id))
        kept = app.environments.create(self.grace.id, NewEnvironment.model_validate(ENVIRONMENT))
        self.environment = kept.id
        app.secret_store.put(self.grace, of_repository(key(URL)), {"A_NAME": "a value"})
        self.handed_in = self._file(sandbox_asks(self.session))

    def _token(self, scope: Scope, life: timedelta) -> tuple[str, str]:
        text, token = self.world.app.personal_tokens.create(self.grace, scope, scope, life)
        return text, token.id

    def _session(self, request_id: str) -> tuple[SessionId, str]:
        asked = NewSession(request_id=request_id, repositories=[NewRepository(url=URL)])
        session = self.world.app.desk.open_session(self.grace.id, asked).id
        prompt = NewPrompt(request_id="p1", text="do it", author=AUTHOR)
        self.world.app.desk.submit(session, self.grace.id, prompt)
        token = tokens.new_sandbox_token(session, 1)
        launching = Launching(1, tokens.digest(token), "key")
        self.world.app.sessions.handle(session, launching)
        return session, token

    def _file(self, asker: Asker) -> str:
        files = self.world.app.attachments
        file = files.begin(asker, NewAttachment(**FILE)).id
        files.put_part(asker, file, 0, PNG)
        return files.complete(asker, file).id

    def headers(self, caller: str) -> dict[str, str]:
        if caller == "browser":
            return {"cookie": f"__Host-outboard={self._login(self.grace)}"}
        token = _BEARERS[caller](self)
        return {} if token is None else {"authorization": f"Bearer {token}"}

    def _login(self, user: User) -> str:
        sign_ins = self.world.app.sign_ins
        return sign_ins.begin(sign_ins.offer_code(user)[0])[1]

    def personal(self, scope: Scope) -> str:
        return self._token(scope, DAY)[0]

    def revoked(self) -> str:
        text, token_id = self._token("admin", DAY)
        self.world.app.personal_tokens.revoke(self.grace, token_id)
        return text

    def status(self, caller: str, method: str, path: str) -> int:
        places = {
            "<session_id>": self.session,
            "<file>": self._file_of(path),
            "<number>": "1",
            "<part>": "0",
            "<name>": "grace",
            "<provider>": "nowhere",
            "<token_id>": self.token_id,
            "<environment_id>": self.environment,
            "<revision>": "r1",
        }
        address = path
        for place, value in places.items():
            address = address.replace(place, value)
        event = request(method, address, "", self._body(method, path), url=URL, **ALWAYS_ASKED)
        del event["headers"]["authorization"]
        event["headers"] |= {"host": HOST, "x-outboard": "web", **self.headers(caller)}
        if path.endswith("/parts/<part>") and method == "PUT":
            event |= {"body": base64.b64encode(PNG).decode(), "isBase64Encoded": True}
            event["headers"]["content-type"] = "application/octet-stream"
        return http(routes, lambda: self.world.app)(event, CONTEXT)["statusCode"]

    def _file_of(self, path: str) -> str:
        if "/changes/" in path:
            return "0" * 16
        return self.handed_in if path.startswith("/sandbox/") else self.file

    def _body(self, method: str, path: str) -> object:
        if (method, path) == ("POST", "/sign-in"):
            return {"code": self.world.app.sign_ins.offer_code(self.owner)[0]}
        if path == "/secrets/copy":
            return {"environment": self.environment, "repository": URL, "names": ["A_NAME"]}
        if path == "/sandbox/artifacts":
            return {"attachment": self.handed_in}
        return BODIES.get(f"{method} {path}")


_BEARERS: Mapping[str, Callable[[Scene], str | None]] = {
    "nobody": lambda _: None,
    "user": lambda scene: scene.graces_token,
    "other": lambda scene: scene.bobs_token,
    "owner": lambda scene: scene.owners_token,
    "read": lambda scene: scene.personal("read"),
    "write": lambda scene: scene.personal("write"),
    "admin": lambda scene: scene.personal("admin"),
    "expired": lambda scene: scene.expired,
    "revoked": lambda scene: scene.revoked(),
    "sandbox": lambda scene: scene.sandbox,
    "dead": lambda scene: scene.dead,
}
CALLERS = ("browser", *_BEARERS)

ALWAYS_ASKED: Mapping[str, str] = {"version": "v1", "scope": "repository", "target": URL}

BODIES: Mapping[str, object] = {
    "POST /sessions": SESSION,
    "PATCH /sessions/<session_id>": {"title": "another"},
    "PUT /sessions/<session_id>/choice": {},
    "PUT /sessions/<session_id>/read": {"prompt": 1},
    "POST /sessions/<session_id>/prompts": PROMPT | {"requestId": "p2"},
    "POST /attachments": FILE,
    "POST /sandbox/attachments": FILE,
    "POST /repositories": {"url": URL},
    "POST /users": {"name": "eve"},
    "PUT /settings/sandbox": {"settings": {}},
    "PUT /settings/sandbox/repository": {"settings": {}},
    "PUT /accounts/<provider>": {"state": "s", "code": "c"},
    "PATCH /me": {"displayName": "Grace"},
    "POST /sign-out-everywhere": {},
    "POST /sessions/<session_id>/environment": {"requestId": "e2", "name": "Of this session"},
    "POST /sessions/<session_id>/pull-requests": {"title": "Add a flag"},
    "POST /environments": {**ENVIRONMENT, "requestId": "e3", "name": "Another"},
    "PUT /environments/<environment_id>": {
        "version": "v1",
        "name": "Shop",
        "repositories": [{"url": URL}],
    },
    "PUT /repositories/about": {},
    "PUT /settings/pull-requests": {},
    "PUT /settings/pull-requests/repository": {},
    "PUT /secrets": {"scope": "repository", "target": URL, "values": {"A_NAME": "a value"}},
    "POST /secrets/reading": {"scope": "repository", "target": URL, "text": "A_NAME=a value"},
    "POST /secrets/rotate": {},
    "PUT /sandbox/changes": {"comparedAt": "2026-01-02T03:04:05Z"},
    "POST /sandbox/git-credentials": {"url": URL, "operation": "read"},
    "POST /sandbox/pull-requests": {"title": "Add a flag"},
    "POST /tokens": {"name": "ci", "scope": "read"},
}
"""Of the routes that take one: what would be done if whoever asks may."""
