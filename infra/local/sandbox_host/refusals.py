"""What the API answers when it does not do what was asked.

Refusal
├── Unauthorized   401
├── NotFound       404
├── Conflict       409
├── TooLarge       413
├── TooMany        429
├── NotOffered     501   the real provider has it, this host does not
├── NotRunning     502   the message is what the SDK looks for
├── Busy           503
└── Malformed      400
"""

from typing import ClassVar


class Refusal(Exception):
    status: ClassVar[int] = 500

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        """`error_code` of the E2B API, where it has one for this."""


class Malformed(Refusal):
    status = 400


class Unauthorized(Refusal):
    status = 401


class NotFound(Refusal):
    status = 404


class Conflict(Refusal):
    status = 409


class TooLarge(Refusal):
    status = 413


class TooMany(Refusal):
    status = 429


class NotOffered(Refusal):
    status = 501


class NotRunning(Refusal):
    status = 502

    def __init__(self, sandbox: str) -> None:
        super().__init__(f"The sandbox {sandbox!r} was not found")


class Busy(Refusal):
    status = 503
