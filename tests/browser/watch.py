"""What no page may do unnoticed: break its content security policy, fail, ask another host."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response, WebError

_TELL = "outboardViolation"
_LISTEN = f"""
addEventListener("securitypolicyviolation", (event) => {{
  const {{ violatedDirective, blockedURI, sourceFile, lineNumber, sample }} = event;
  globalThis.{_TELL}([violatedDirective, blockedURI, sourceFile, lineNumber, sample].join(" "));
}});
"""
_LOUD = ("error", "warning", "assert")
_LEFT = "WebSocket is closed before the connection is established"
"""The page went away while its socket was still being opened."""

_GIVEN_UP = "net::ERR_ABORTED"
"""By the page itself, which went elsewhere or needs the answer no more."""


@dataclass
class Watch:
    """Of one browser context. `allow` names what a test provokes, as a pattern."""

    host: str
    troubles: list[str] = field(default_factory=list[str])
    allowed: list[str] = field(default_factory=list[str])

    def on(self, context: BrowserContext) -> None:
        context.expose_binding(_TELL, self._violation)
        context.add_init_script(_LISTEN)
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("request", self._request)
        context.on("response", self._response)
        context.on("requestfailed", self._failed)
        context.on("page", self._page)

    def allow(self, *patterns: str) -> None:
        self.allowed += patterns

    def unexpected(self) -> list[str]:
        return list(self._unexpected())

    def _unexpected(self) -> Iterator[str]:
        for trouble in self.troubles:
            if not any(re.search(pattern, trouble) for pattern in self.allowed):
                yield trouble

    def _violation(self, _: Any, what: str) -> None:
        self.troubles.append(f"content security policy: {what}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in _LOUD and _LEFT not in message.text:
            where = message.location.get("url", "")
            self.troubles.append(f"console {message.type}: {message.text} ({where})")

    def _error(self, error: WebError) -> None:
        self.troubles.append(f"error: {error.error.stack or error.error.message}")

    def _page(self, page: Page) -> None:
        page.on("crash", lambda page: self.troubles.append(f"crashed: {page.url}"))
        page.on("websocket", lambda socket: self._asked(socket.url))

    def _request(self, request: Request) -> None:
        self._asked(request.url)

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("blob", "data") and parts.netloc != self.host:
            self.troubles.append(f"another host: {url}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            request = response.request
            self.troubles.append(f"status {response.status}: {request.method} {request.url}")

    def _failed(self, request: Request) -> None:
        if request.failure != _GIVEN_UP:
            self.troubles.append(f"failed: {request.method} {request.url}: {request.failure}")
