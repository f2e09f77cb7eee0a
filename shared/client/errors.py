"""Why a command could not do what it says.

* `ClientError`
    * `Refused`: the request is wrong, or the server's state says no
    * `Unreachable`: nobody answers, or not as Outboard would

Each carries the exit status of the command line and a stable `code`; for what the server refused it
is the server's own.
"""

from typing import ClassVar


class ClientError(Exception):
    exit_status: ClassVar[int] = 1

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.code = code


class Refused(ClientError):
    exit_status = 2

    def __init__(self, message: str, *, code: str = "usage") -> None:
        super().__init__(message, code=code)


class Unreachable(ClientError):
    exit_status = 3

    def __init__(self, message: str, *, code: str = "unreachable") -> None:
        super().__init__(message, code=code)
