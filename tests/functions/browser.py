"""A browser as the HTTP function meets it: it keeps our cookie and sends it, as browsers do."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from functions.http_api.handler import routes
from shared.edge.http.resolver import http
from tests.events import request
from tests.functions.test_http_api import CONTEXT
from tests.world import World

HOST = "outboard.example.com"


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    set_cookies: list[str]
    text: str

    @property
    def body(self) -> Any:
        return json.loads(self.text)


@dataclass
class Browser:
    world: World
    host: str = HOST
    cookies: dict[str, str] = field(default_factory=dict[str, str])
    key: str = ""
    """What the page itself keeps of its login."""

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        query: Mapping[str, str] | None = None,
        **headers: str | None,
    ) -> Answer:
        """As our pages ask, unless `x_outboard` says otherwise."""
        event = request(method, path, "", body, **(query or {}))
        del event["headers"]["authorization"]
        sent = {"x-outboard": f"web {self.key}".strip(), "host": self.host}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        event["headers"] |= {name: value for name, value in sent.items() if value is not None}
        event["cookies"] = [f"{name}={value}" for name, value in self.cookies.items()]
        answer = http(routes, lambda: self.world.app)(event, CONTEXT)
        for line in answer["cookies"]:
            self._keep(line)
        return Answer(
            answer["statusCode"], answer["headers"], answer["cookies"], answer.get("body", "")
        )

    def sign_in(self, code: str) -> Answer:
        answer = self.ask("POST", "/sign-in", {"code": code})
        if answer.status == HTTPStatus.OK:
            self.key = answer.body["pageKey"] or ""
        return answer

    def _keep(self, line: str) -> None:
        pair, *attributes = line.split("; ")
        name, _, value = pair.partition("=")
        self.cookies[name] = value
        if "Max-Age=0" in attributes:
            del self.cookies[name]
