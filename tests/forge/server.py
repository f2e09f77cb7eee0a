"""The stand-in's HTTP: troubles first, then git or the API, and each call held to the OpenAPI."""

import json
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from tests.forge import git_server, rest_api
from tests.forge.accounts import ACCESS_TOKEN, Accounts
from tests.forge.callers import Refused, caller
from tests.forge.published import published
from tests.forge.state import GitHub
from tests.forge.troubles import Refusal, Trouble, Wire, encoded

API = "/api/v3"
VERSION = "2022-11-28"

type Said = tuple[int, Mapping[str, str], bytes]

_JSON = {"content-type": "application/json; charset=utf-8"}


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, github: GitHub) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.github = github
        self.accounts = Accounts(github)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def _server(self) -> Server:
        assert isinstance(self.server, Server)
        return self.server

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  its name there
        pass

    def _go(self) -> None:
        github, parts = self._server.github, urlsplit(self.path)
        body = self._body()
        github.seen.append(f"{self.command} {self.path}")
        trouble = github.troubles.meet(parts.path)
        if isinstance(trouble, Refusal):
            self._say(trouble.status, {**_JSON, **trouble.headers}, encoded(trouble.content))
            return
        if trouble is Wire.SLOW:
            github.troubles.over.wait()
            self.close_connection = True
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        if parts.path.startswith(API):
            said = self._api(parts.path.removeprefix(API), parts.query, headers, body)
        elif (self.command, parts.path) == ("POST", ACCESS_TOKEN):
            said = 200, _JSON, encoded(self._server.accounts.answer(body.decode()))
        else:
            said = git_server.answer(
                github, git_server.GitAsked(self.command, parts.path, parts.query, headers, body)
            )
        self._under(trouble, said)

    def do_GET(self) -> None:
        self._go()

    def do_POST(self) -> None:
        self._go()

    def do_PATCH(self) -> None:
        self._go()

    def _under(self, trouble: Trouble | None, said: Said) -> None:
        status, headers, content = said
        match trouble:
            case Wire.LOST:
                self.close_connection = True
            case Wire.TRUNCATED:
                self._say(status, headers, content, cut=True)
                self.close_connection = True
            case Wire.NONSENSE:
                self._say(200, {"content-type": "text/html"}, b"<h1>Welcome to the hotel</h1>")
            case _:
                self._say(status, headers, content)

    def _api(self, path: str, query: str, headers: Mapping[str, str], body: bytes) -> Said:
        found = published().template(self.command.lower(), path)
        if found is None:
            return self._wrong(f"{self.command} {path}: no such operation")
        template, given = found
        given = {name: unquote(value) for name, value in given.items()}
        asked = json.loads(body) if body else None
        self._hold(template, headers, query, asked)
        status, content = self._done(template, headers, given, query, asked)
        answer_headers = dict(_JSON)
        if status == 200 and isinstance(content, list):
            content, link = self._page(path, query, content)
            answer_headers |= link
        if template == "/installation/repositories" and status == 200:
            content = {"total_count": len(content), "repositories": content}
        for wrong in published().wrong_answer(self.command.lower(), template, status, content):
            self._server.github.violations.append(f"answer of {template}: {wrong}")
        return status, answer_headers, encoded(content)

    def _hold(self, template: str, headers: Mapping[str, str], query: str, asked: Any) -> None:
        wrong = list(
            published().wrong_request(self.command.lower(), template, dict(parse_qsl(query)), asked)
        )
        if headers.get("x-github-api-version") != VERSION:
            wrong.append("no version of the API")
        if "user-agent" not in headers:
            wrong.append("no user agent")
        self._server.github.violations += [f"{self.command} {template}: {one}" for one in wrong]

    def _done(
        self,
        template: str,
        headers: Mapping[str, str],
        given: Mapping[str, str],
        query: str,
        body: Any,
    ) -> tuple[int, Any]:
        github = self._server.github
        try:
            asked = rest_api.Asked(
                github,
                caller(github, headers),
                given,
                dict(parse_qsl(query)),
                body,
                self._server.url,
            )
            status, does = rest_api.ROUTES[self.command.lower(), template]
            return status, does(asked)
        except Refused as refused:
            errors = [
                {"resource": "PullRequest", "code": "custom", "message": error}
                for error in refused.errors
            ]
            said = {"message": refused.message, "documentation_url": "https://docs.github.com/rest"}
            return refused.status, said | ({"errors": errors} if errors else {})

    def _page(self, path: str, query: str, content: list[Any]) -> tuple[list[Any], dict[str, str]]:
        asked = dict(parse_qsl(query))
        page = int(asked.get("page", "1"))
        size = min(int(asked.get("per_page", "30")), self._server.github.page)
        after = f"{self._server.url}{API}{path}?{urlencode({**asked, 'page': page + 1})}"
        more = page * size < len(content)
        link = {"link": f'<{after}>; rel="next", <{after}>; rel="last"'} if more else {}
        return content[(page - 1) * size : page * size], link

    def _wrong(self, what: str) -> Said:
        self._server.github.violations.append(what)
        return 404, _JSON, encoded({"message": "Not Found"})

    def _body(self) -> bytes:
        if "chunked" not in self.headers.get("transfer-encoding", ""):
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _say(
        self, status: int, headers: Mapping[str, str], content: bytes, *, cut: bool = False
    ) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if cut else content)
