"""Which Outboard is meant, and as whom: from the environment and this machine's state."""

import ipaddress
import json
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from shared.client.errors import Refused, Unreachable

CHECKOUT = Path(__file__).parents[2]
START = "start it with `make run`"
API = "/api"
MAX_TOKEN_CHARS = 1_000
_USER = re.compile(r"[a-z0-9][a-z0-9._-]{0,38}")


@dataclass(frozen=True, slots=True)
class RepositoryHost:
    """Serves paths of this machine to its sandboxes."""

    url: str
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    http: str
    token: str = field(repr=False)
    state: Path | None = None
    """Where this machine's Outboard keeps its state; None: it runs elsewhere."""
    repositories: RepositoryHost | None = None

    @property
    def web(self) -> str:
        """Where the pages are: the API is under one of their addresses."""
        return self.http.removesuffix(API)

    def token_file(self, user: str) -> Path | None:
        return None if self.state is None else _token_file(self.state, user)


@dataclass(frozen=True, slots=True)
class _Endpoint:
    http: str
    user: str
    repositories: RepositoryHost | None


def discover(environment: Mapping[str, str], as_user: str | None = None) -> Deployment:
    """Raises `Unreachable` when nothing was started here, `Refused` without a usable token."""
    url = environment.get("OUTBOARD_URL")
    return _remote(url, environment, as_user) if url else _local(environment, as_user)


def _remote(url: str, environment: Mapping[str, str], as_user: str | None) -> Deployment:
    if as_user is not None:
        raise Refused("--as names a user of this machine; with OUTBOARD_URL the token says who")
    if not _is_http(url):
        raise Refused(f"OUTBOARD_URL is no http(s) URL: {url!r}")
    if urlsplit(url).scheme == "http" and not is_loopback(url):
        raise Refused("OUTBOARD_URL must be https: over http anybody on the way reads the token")
    token = environment.get("OUTBOARD_TOKEN", "")
    if not token:
        raise Refused("OUTBOARD_URL is set: put your token into OUTBOARD_TOKEN")
    http = url.rstrip("/")
    if not urlsplit(http).path:  # the address of the pages, as people know it
        http += API
    return Deployment(http=http, token=_checked(token, "OUTBOARD_TOKEN"))


def _local(environment: Mapping[str, str], as_user: str | None) -> Deployment:
    state = Path(environment.get("OUTBOARD_STATE") or CHECKOUT / ".outboard")
    endpoint = _endpoint(state / "endpoint.json")
    given = environment.get("OUTBOARD_TOKEN")
    if given and as_user is None:
        token = _checked(given, "OUTBOARD_TOKEN")
    else:
        user = as_user or environment.get("OUTBOARD_USER") or endpoint.user
        token = _read_token(_token_file(state, user), user)
    return Deployment(
        http=endpoint.http, token=token, state=state, repositories=endpoint.repositories
    )


def _is_http(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets that do not close, or a port that is none
        return False


def is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _endpoint(path: Path) -> _Endpoint:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        host = found.get("repositories")
        repositories = RepositoryHost(host, found["repositoriesKey"]) if host else None
        return _Endpoint(found["http"].rstrip("/"), found["user"], repositories)
    except FileNotFoundError:
        raise Unreachable(f"not running here; {START}", code="not_running") from None
    except OSError as error:
        raise Unreachable(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise Unreachable(f"{path} does not say where outboard is; {START}") from error


def _token_file(state: Path, user: str) -> Path:
    if not _USER.fullmatch(user):
        raise Refused(f"{user!r} is no user's name: small letters, digits and . _ -")
    return state / "users" / f"{user}.token"


def _read_token(path: Path, user: str) -> str:
    """What the check looked at is what is read: the open file, not its path."""
    try:
        with path.open(encoding="utf-8") as file:
            if stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                raise Refused(f"others can read the token in {path}; run: chmod 600 {path}")
            return _checked(file.read(MAX_TOKEN_CHARS + 1), str(path))
    except FileNotFoundError:
        raise Refused(
            f"no token of user {user!r} on this machine; the owner runs: outboard user add {user}"
        ) from None
    except UnicodeDecodeError as error:
        raise Refused(f"{path} holds no token") from error
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}") from error


def _checked(token: str, where: str) -> str:
    token = token.strip()
    if not (token.isascii() and token.isprintable() and 0 < len(token) <= MAX_TOKEN_CHARS):
        raise Refused(f"{where} holds no token")
    return token
