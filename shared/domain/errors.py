"""What can be wrong with a request, in the words of the domain.

* `DomainError`
    * `Invalid`: the request itself is malformed; names the field
    * `Unauthenticated`: nobody we know
    * `Forbidden`: somebody we know, who may not
    * `NotFound`
    * `Rejected`: the request is understood and the current state says no
    * `Conflict`: somebody was there first: this request id has other content, or what is to be
      changed has changed since it was read
        * `ChangesStale`: what is asked for was of an earlier comparison of the files
    * `Contended`: too many writers; the same request may succeed later
    * `Unavailable`: a vendor did not answer; the same request may succeed later

Each class carries a stable `code` that clients may branch on. How a code becomes an HTTP status or
a WebSocket frame is `shared.edge.errors`' business. Step Functions sees the class names: they are
API.
"""

from typing import ClassVar


class DomainError(Exception):
    code: ClassVar[str] = "error"


class Invalid(DomainError):
    code = "invalid"

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.problem = message


class Unauthenticated(DomainError):
    code = "unauthenticated"


class Forbidden(DomainError):
    code = "forbidden"


class NotFound(DomainError):
    code = "not_found"


class Rejected(DomainError):
    code = "rejected"


class Conflict(DomainError):
    code = "conflict"


class ChangesStale(Conflict):
    code = "changes_stale"


class Contended(DomainError):
    code = "contended"


class Unavailable(DomainError):
    code = "unavailable"
