"""Browsers that sign in: a code that works once becomes a login, and the login a cookie.

Who somebody is has been found out before `offer_code`: by a token, a login, or a provider. All of
them begin the same kind of login; nothing behind it knows the difference.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from shared.app import tokens
from shared.app.ports.logins import Code, Login, Logins
from shared.app.ports.workspace import User, Users
from shared.domain.errors import Unauthenticated
from shared.domain.session.state import UserId

CODE_LIFE = timedelta(minutes=10)
LOGIN_LIFE = timedelta(days=30)
"""From the last day on which the browser asked for something."""
RENEWED_EVERY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class SignedIn:
    user: User
    renewed: bool
    """The login's life has just begun again, and its cookie's has to."""


@dataclass(frozen=True, slots=True)
class SignIns:
    logins: Logins
    users: Users
    clock: Callable[[], datetime]

    def offer_code(self, user: User) -> tuple[str, Code]:
        text = tokens.new_code()
        code = Code(user.id, user.epoch, self.clock() + CODE_LIFE)
        self.logins.offer(tokens.digest(text), code)
        return text, code

    def begin(self, code_text: str, page_key: str = "") -> tuple[User, str]:
        """Who it is, and the cookie's secret, which is nothing without `page_key` behind it.

        Raises `Unauthenticated`.
        """
        now, code_hash = self.clock(), tokens.digest(code_text)
        code = self.logins.peek(code_hash)
        if code is None or code.expires_at <= now:
            raise Unauthenticated("this code is used or expired: ask for a new link")
        user = self._user(code.user, code.epoch)
        secret = tokens.new_login()
        login = Login(code.user, code.epoch, now, now, now + LOGIN_LIFE)
        self.logins.begin(tokens.digest(secret + page_key), login, code_hash=code_hash)
        return user, secret

    def authenticate(self, secret: str) -> SignedIn:
        """Raises `Unauthenticated`. Writes at most once a day: the end moves on with each visit."""
        now, login_hash = self.clock(), tokens.digest(secret)
        login = self.logins.get(login_hash)
        if login is None or login.expires_at <= now:
            raise Unauthenticated("this browser is not signed in any more")
        user = self._user(login.user, login.epoch)
        if now - login.renewed_at < RENEWED_EVERY:
            return SignedIn(user, renewed=False)
        renewed = replace(login, renewed_at=now, expires_at=now + LOGIN_LIFE)
        return SignedIn(user, self.logins.renew(login_hash, login, renewed))

    def end(self, secret: str) -> UserId | None:
        """This browser's login and no other. Whose it was; None: nobody's, or over already."""
        login_hash = tokens.digest(secret)
        login = self.logins.get(login_hash)
        if login is None:
            return None
        self.logins.end(login_hash)
        return login.user

    def _user(self, user_id: UserId, epoch: int) -> User:
        user = self.users.get(user_id)
        if user is None or user.epoch != epoch:
            raise Unauthenticated("what signed this browser in is not valid any more")
        return user
