"""Who asks, by a token or by a browser's cookie, and what its cookie is to be afterwards."""

from collections.abc import Mapping
from typing import Any

from shared.app.app import App
from shared.app.ports.workspace import User
from shared.domain.errors import Forbidden, Unauthenticated
from shared.edge.http import cookies
from shared.protocol.browser import MARK, MARK_OF_PAGES, Via

_READING = frozenset({"GET", "HEAD"})


class Visit:
    """One request. What is to be said to the browser gathers in `set_cookies`."""

    def __init__(self, event: Mapping[str, Any], app: App) -> None:
        given: Mapping[str, str] = event.get("headers") or {}
        self._headers = {name.lower(): value for name, value in given.items()}
        self._method = str(event["requestContext"]["http"]["method"])
        self._app = app
        self._name = cookies.name(self._headers.get("host", ""), loopback=app.loopback)
        self._secret = cookies.secret(cookies.sent(event), self._name)
        self.set_cookies: list[str] = []

    def asker(self) -> tuple[User, Via]:
        """A token that is there is what counts. Raises `Unauthenticated`, `Forbidden`."""
        bearer = self._headers.get("authorization")
        if bearer is not None:
            return self._app.accounts.authenticate(bearer), "token"
        if self._secret is None:
            raise Unauthenticated("this needs the bearer token of a user, or a browser's sign-in")
        if self._method not in _READING:
            self.expect_our_page()
        signed_in = self._app.sign_ins.authenticate(self._secret)
        if signed_in.renewed:
            self._keep(self._secret)
        return signed_in.user, "cookie"

    def expect_our_page(self) -> None:
        """Raises `Forbidden` for what a page of another site could have sent."""
        if self._headers.get(MARK) != MARK_OF_PAGES:
            raise Forbidden(f"a browser changes something only with the header {MARK!r}")

    def sign_in(self, code: str) -> User:
        """Raises `Unauthenticated`, `Forbidden`. The login that this browser had is over."""
        self.expect_our_page()
        user, secret = self._app.sign_ins.begin(code)
        self._end()
        self._keep(secret)
        return user

    def sign_out(self) -> None:
        """Raises `Forbidden`. Safe to repeat."""
        self.expect_our_page()
        self._end()
        self.set_cookies.append(cookies.forget(self._name, loopback=self._app.loopback))

    def _end(self) -> None:
        if self._secret is not None:
            self._app.sign_ins.end(self._secret)

    def _keep(self, secret: str) -> None:
        self.set_cookies.append(cookies.keep(self._name, secret, loopback=self._app.loopback))
