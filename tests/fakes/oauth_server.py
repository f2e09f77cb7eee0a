"""GitHub as its sign-in meets us, on loopback: as strict as OAuth asks, and with bad days."""

import base64
import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

CLIENT = ("client-1", "the secret of the App")
BACK = "https://outboard.example.com/api/sign-in/github/callback"


@dataclass(slots=True)
class GitHubUser:
    id: int = 7
    login: str = "Grace"
    name: str | None = "Grace Example"
    emails: list[tuple[str, bool]] = field(default_factory=lambda: [("grace@example.com", True)])
    organisations: dict[str, str] = field(default_factory=dict[str, str])
    """By login: `active` or `pending`."""
    hides: set[str] = field(default_factory=set[str])
    """Paths that the App has no permission for."""


@dataclass(slots=True)
class OAuthServer:
    user: GitHubUser = field(default_factory=GitHubUser)
    expiring: bool = True
    lost_answers: int = 0
    """The next so many token requests are carried out, and the connection is cut."""
    down: bool = False
    url: str = ""
    refreshes: int = 0
    access: set[str] = field(default_factory=set[str])
    refresh: set[str] = field(default_factory=set[str])
    _codes: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    _numbers: Any = field(default_factory=lambda: count(1))

    @contextmanager
    def running(self) -> Generator["OAuthServer"]:
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join(10)

    def consent(self, address: str, back: str = BACK) -> str:
        """What the browser is sent back to when its person says yes."""
        parts = urlsplit(address)
        asked = dict(parse_qsl(parts.query, strict_parsing=True))
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{self.url}/login/oauth/authorize"
        assert (asked["client_id"], asked["redirect_uri"]) == (CLIENT[0], back)
        assert asked["code_challenge_method"] == "S256"
        code = f"code-{next(self._numbers)}"
        self._codes[code] = asked
        return f"{back}?{urlencode({'code': code, 'state': asked['state']})}"

    def page(self, path: str) -> str:
        """Of consent, for a browser: its person says yes or no by a link."""
        address = f"{self.url}{path}"
        asked = dict(parse_qsl(urlsplit(path).query, strict_parsing=True))
        declined = {"error": "access_denied", "state": asked["state"]}
        no = f"{asked['redirect_uri']}?{urlencode(declined)}"
        ways = {"Yes": self.consent(address, asked["redirect_uri"]), "No": no}
        links = [f'<p><a href="{escape(to)}">{word}</a></p>' for word, to in ways.items()]
        return f"<!doctype html><title>GitHub</title>{''.join(links)}"

    def answer(self, method: str, path: str, body: str, bearer: str) -> tuple[int, Any]:
        if self.down:
            return 503, {}
        if (method, path) == ("POST", "/login/oauth/access_token"):
            return 200, self._token({key: value[0] for key, value in parse_qs(body).items()})
        if bearer.removeprefix("Bearer ") not in self.access:
            return 401, {"message": "Bad credentials"}
        return self._api(path)

    def _token(self, asked: dict[str, str]) -> dict[str, Any]:
        if (asked.get("client_id"), asked.get("client_secret")) != CLIENT:
            return {"error": "incorrect_client_credentials"}
        if asked.get("grant_type") == "refresh_token":
            self.refreshes += 1
            if asked["refresh_token"] not in self.refresh:
                return {"error": "bad_refresh_token"}
            self.refresh.discard(asked["refresh_token"])
            return self._grant()
        known = self._codes.pop(asked.get("code", ""), None)
        if known is None or known["code_challenge"] != _challenge(asked.get("code_verifier", "")):
            return {"error": "bad_verification_code"}
        if known["redirect_uri"] != asked.get("redirect_uri"):
            return {"error": "redirect_uri_mismatch"}
        return self._grant()

    def _grant(self) -> dict[str, Any]:
        number = next(self._numbers)
        access, refresh = f"ghu_{number}", f"ghr_{number}"
        self.access.add(access)
        given = {"access_token": access, "token_type": "bearer", "scope": ""}
        if not self.expiring:
            return given
        self.refresh.add(refresh)
        lives = {"expires_in": 28_800, "refresh_token_expires_in": 15_897_600}
        return given | lives | {"refresh_token": refresh}

    def _api(self, path: str) -> tuple[int, Any]:
        if path in self.user.hides:
            return 403, {"message": "Resource not accessible by integration"}
        if path == "/user":
            user = self.user
            return 200, {"id": user.id, "login": user.login, "name": user.name}
        if path == "/user/emails":
            return 200, [{"email": a, "verified": verified} for a, verified in self.user.emails]
        state = self.user.organisations.get(path.removeprefix("/user/memberships/orgs/"))
        return (404, {}) if state is None else (200, {"state": state})


def _challenge(verifier: str) -> str:
    return base64.urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("=")


def _handler(server: OAuthServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base's)
            pass

        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", "0"))).decode()
            bearer = self.headers.get("authorization", "")
            if self.path.startswith("/login/oauth/authorize?"):
                self._send(200, server.page(self.path).encode(), "text/html; charset=utf-8")
                return
            status, answer = server.answer(self.command, self.path, body, bearer)
            if self.path.endswith("/access_token") and server.lost_answers > 0:
                server.lost_answers -= 1
                self.close_connection = True
                return
            self._send(status, json.dumps(answer).encode(), "application/json")

        def _send(self, status: int, content: bytes, kind: str) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = _serve  # noqa: N815 (http.server's names)

    return Handler
