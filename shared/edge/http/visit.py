"""Who asks, by a token or by a browser's cookie, and what its cookie is to be afterwards."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from shared.app import tokens
from shared.app.app import App
from shared.app.ports.workspace import User
from shared.app.ways_out import LIFE
from shared.domain import access
from shared.domain.access import Scope
from shared.domain.errors import Forbidden, Unauthenticated
from shared.edge.http import cookies
from shared.edge.http.scopes import READING, scope_of
from shared.protocol.browser import MARK, MARK_OF_PAGES, Via


class Visit:
    """One request. What is to be said to the browser gathers in `set_cookies`."""

    def __init__(self, event: Mapping[str, Any], app: App, path: str) -> None:
        """`path` is the route's, without the API's prefix."""
        given: Mapping[str, str] = event.get("headers") or {}
        self._headers = {name.lower(): value for name, value in given.items()}
        self._method = str(event["requestContext"]["http"]["method"])
        self._path = path
        self._app = app
        self.bearer = self._headers.get("authorization")
        self._name = cookies.name(self._headers.get("host", ""), loopback=app.loopback)
        self._mark, _, key = self._headers.get(MARK, "").partition(" ")
        self._sent = cookies.sent(event)
        self._cookie = cookies.secret(self._sent, self._name)
        self._login = _login(self._cookie, key, loopback=app.loopback)
        self.set_cookies: list[str] = []
        self.scope: Scope = "read"
        """What whoever asks may do: their token's, once `asker` has said who it is."""

    @property
    def login_hash(self) -> str | None:
        """Of the browser's login that asks; None: a token does."""
        by_token = self.bearer is not None or self._login is None
        return None if by_token else tokens.digest(self._login or "")

    def asker(self) -> tuple[User, Via]:
        """A token that is there is what counts. Raises `Unauthenticated`, `Forbidden`."""
        user, self.scope, via = self._established()
        access.check(self.scope, scope_of(self._method, self._path))
        return user, via

    def _established(self) -> tuple[User, Scope, Via]:
        if self.bearer is not None:
            return *self._by_token(self.bearer), "token"
        if self._cookie is None or self._login is None:
            raise Unauthenticated("this needs the bearer token of a user, or a browser's sign-in")
        if self._method not in READING:
            self.expect_our_page()
        signed_in = self._app.sign_ins.authenticate(self._login)
        if signed_in.renewed:
            self._keep(self._cookie)
        return signed_in.user, "admin", "cookie"

    def _by_token(self, authorization: str) -> tuple[User, Scope]:
        """A user's first token, which has no end, may do everything."""
        token = tokens.bearer(authorization)
        if token is not None and tokens.is_access_token(token):
            return self._app.personal_tokens.authenticate(token)
        return self._app.accounts.authenticate(authorization), "admin"

    def expect_our_page(self) -> None:
        """Raises `Forbidden` for what a page of another site could have sent."""
        if self._mark != MARK_OF_PAGES:
            raise Forbidden(f"a browser changes something only with the header {MARK!r}")

    def sign_in(self, code: str) -> tuple[User, str | None]:
        """Who it is, and what the page is to keep of it. The login that this browser had is over.

        Ports of a host share cookies, so on loopback the cookie is only half of the login.
        Raises `Unauthenticated`, `Forbidden`.
        """
        self.expect_our_page()
        page_key = tokens.new_page_key() if self._app.loopback else ""
        user, secret = self._app.sign_ins.begin(code, page_key)
        self._end()
        self._keep(secret)
        return user, page_key or None

    @property
    def origin(self) -> str:
        """Where the browser is: our own address, as API Gateway answers to no other."""
        scheme = "http" if self._app.loopback else "https"
        return f"{scheme}://{self._headers.get('host', '')}"

    def remember_sign_in(self, verifier: str) -> None:
        """Until this browser is back from a provider, and for no longer than it may take."""
        self._keep_sign_in(verifier, LIFE)

    @property
    def sign_in_under_way(self) -> str:
        """Its secret of the way to a provider that it is on; empty: it is on none."""
        return cookies.plain(self._sent, f"{self._name}-sign-in")

    def take_sign_in(self) -> str:
        """The same, and the way is over."""
        self._keep_sign_in("", timedelta(0))
        return self.sign_in_under_way

    def _keep_sign_in(self, verifier: str, life: timedelta) -> None:
        name, loopback = f"{self._name}-sign-in", self._app.loopback
        self.set_cookies.append(cookies.line(name, verifier, life, loopback=loopback))

    def sign_out_everywhere(self, *, with_tokens: bool) -> None:
        """Raises `Unauthenticated`, `Forbidden`."""
        user, via = self.asker()
        self._app.departures.everywhere(user, with_tokens=with_tokens)
        if via == "cookie":
            self.set_cookies = [cookies.forget(self._name, loopback=self._app.loopback)]

    def sign_out(self) -> None:
        """Raises `Forbidden`. Safe to repeat."""
        self.expect_our_page()
        self._end()
        self.set_cookies.append(cookies.forget(self._name, loopback=self._app.loopback))

    def _end(self) -> None:
        if self._login is not None:
            self._app.departures.sign_out(self._login)

    def _keep(self, secret: str) -> None:
        self.set_cookies.append(cookies.keep(self._name, secret, loopback=self._app.loopback))


def _login(cookie: str | None, page_key: str, *, loopback: bool) -> str | None:
    """Both halves of it. What ports share says nothing about which of them the page is from."""
    if cookie is None or not loopback:
        return cookie
    return cookie + page_key if tokens.is_page_key(page_key) else None
