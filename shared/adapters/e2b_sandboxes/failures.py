"""What the SDK raises, in our words.

Its exceptions have several roots: a refused login, a busy service, the transport's own failures and
an answer it can't parse are no `SandboxException`, and a missing template is one without a class.
"""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import timedelta
from http import HTTPStatus
from traceback import walk_tb

import httpx
from connectrpc.errors import ConnectError
from e2b import (
    AuthenticationException,
    CommandExitException,
    InvalidArgumentException,
    RateLimitException,
    SandboxException,
    SandboxNotFoundException,
    ServiceBusyException,
    TimeoutException,
)

from shared.app.ports.sandboxes import (
    AccessRefused,
    SandboxGone,
    SandboxLimited,
    SandboxRefused,
    SandboxUnavailable,
    SnapshotGone,
)

_PASSING = (
    ServiceBusyException,
    TimeoutException,  # also: the sandbox stopped running meanwhile, which asking again will tell
    httpx.TransportError,
    ConnectError,
    OSError,
    ValueError,  # a gateway's page with a status that the SDK expects JSON for
    KeyError,  # or JSON that is not the API's
)


@contextmanager
def translated(subject: str, *, missing: str | None = None) -> Generator[None]:
    """`missing`: the snapshot that is gone where a 404 without a class is about one."""
    try:
        yield
    except SandboxNotFoundException as error:
        raise SandboxGone(f"no sandbox {subject!r}") from error
    except RateLimitException as error:
        raise SandboxLimited(f"{subject}: {error}", _retry_after(error)) from error
    except _PASSING as error:
        raise SandboxUnavailable(f"{subject}: {type(error).__name__}: {error}") from error
    except AuthenticationException as error:
        raise AccessRefused(f"{subject}: the provider does not take our API key") from error
    except (InvalidArgumentException, CommandExitException) as error:
        raise SandboxRefused(f"{subject}: {error}") from error
    except SandboxException as error:
        if missing and error.status_code == HTTPStatus.NOT_FOUND:
            raise SnapshotGone(missing) from error
        if error.status_code == HTTPStatus.FORBIDDEN:
            raise AccessRefused(f"{subject}: {error}") from error
        if _is_final(error.status_code):
            raise SandboxRefused(f"{subject}: {error}") from error
        raise SandboxUnavailable(f"{subject}: {error}") from error


def _is_final(status: int | None) -> bool:
    """What is not known to be final may pass: an unknown outcome must never destroy anything."""
    if status == HTTPStatus.CONFLICT:
        # Something else is under way: another change of this sandbox, or, when creating, the
        # first request of this key. That the key is used for another request is a 409, too.
        return False
    return status is not None and 400 <= status < 500  # noqa: PLR2004 - the client errors of HTTP


def _retry_after(error: RateLimitException) -> timedelta | None:
    """The SDK keeps no header in what it raises, but the answer is in the frame that raised it."""
    for frame, _ in walk_tb(error.__traceback__):
        headers = getattr(frame.f_locals.get("res"), "headers", None)
        if isinstance(headers, httpx.Headers):
            seconds = headers.get("Retry-After", "")
            return timedelta(seconds=int(seconds)) if seconds.isdecimal() else None
    return None
