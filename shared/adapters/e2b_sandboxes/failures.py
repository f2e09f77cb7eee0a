"""What the SDK raises, in our words.

Its exceptions have several roots: a refused login, a busy service, the transport's own failures and
an answer it can't parse are no `SandboxException`, and a missing template is one without a class.
"""

from collections.abc import Generator
from contextlib import contextmanager
from json import JSONDecodeError

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

from shared.app.ports.sandboxes import SandboxGone, SandboxRefused, SandboxUnavailable

_CONFLICT = 409

_PASSING = (
    RateLimitException,
    ServiceBusyException,
    TimeoutException,  # also: the sandbox stopped running meanwhile, which asking again will tell
    httpx.TransportError,
    ConnectError,
    OSError,
    JSONDecodeError,  # a gateway's page with a status that the SDK expects JSON for
    KeyError,  # or JSON that is not the API's
)


@contextmanager
def translated(subject: str, *, creating: bool = False) -> Generator[None]:
    try:
        yield
    except SandboxNotFoundException as error:
        raise SandboxGone(f"no sandbox {subject!r}") from error
    except _PASSING as error:
        raise SandboxUnavailable(f"{subject}: {type(error).__name__}: {error}") from error
    except AuthenticationException as error:
        raise SandboxRefused(f"{subject}: the provider does not take our API key") from error
    except (InvalidArgumentException, CommandExitException) as error:
        raise SandboxRefused(f"{subject}: {error}") from error
    except SandboxException as error:
        if _is_final(error.status_code, creating=creating):
            raise SandboxRefused(f"{subject}: {error}") from error
        raise SandboxUnavailable(f"{subject}: {error}") from error


def _is_final(status: int | None, *, creating: bool) -> bool:
    """What is not known to be final may pass: an unknown outcome must never destroy anything."""
    if creating and status == _CONFLICT:
        # The key is used for another request, or the first one is under way: both are a 409.
        return False
    return status is not None and 400 <= status < 500  # noqa: PLR2004 - the client errors of HTTP
