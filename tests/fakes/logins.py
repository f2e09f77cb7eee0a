"""Codes and logins of browsers in memory."""

from shared.app.ports.logins import Code, Login
from shared.domain.errors import Unauthenticated
from tests.fakes.store_memory import Memory


class InMemoryLogins:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def offer(self, code_hash: str, code: Code) -> None:
        with self._memory.writing():
            self._memory.codes[code_hash] = code

    def peek(self, code_hash: str) -> Code | None:
        return self._memory.codes.get(code_hash)

    def begin(self, login_hash: str, login: Login, *, code_hash: str) -> None:
        with self._memory.writing():
            code = self._memory.codes.get(code_hash)
            if code is None or code.user != login.user or code.expires_at <= login.began_at:
                raise Unauthenticated("this code is used or expired")
            del self._memory.codes[code_hash]
            self._memory.logins[login_hash] = login

    def get(self, login_hash: str) -> Login | None:
        return self._memory.logins.get(login_hash)

    def renew(self, login_hash: str, before: Login, after: Login) -> bool:
        with self._memory.writing():
            if self._memory.logins.get(login_hash) not in (before, after):
                return False
            self._memory.logins[login_hash] = after
            return True

    def end(self, login_hash: str) -> None:
        with self._memory.writing():
            self._memory.logins.pop(login_hash, None)
