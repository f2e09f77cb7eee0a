"""The repository that a session is about: an https URL, or a path of this machine.

A path is handed to the machine's repository host, which serves that one repository to its sandboxes
over loopback; the session keeps the path as the repository's label.
"""

import re
import shlex
from collections.abc import Sequence
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel

from shared.client.api import Notice
from shared.client.deployment import START, Deployment, RepositoryHost
from shared.client.errors import Refused, Unreachable
from shared.client.requests import build
from shared.client.wire import Garbled, read
from shared.protocol.api import ErrorView, NewRepository, RepositoryView

# Looking a large repository over may take git a while.
TIMEOUT = httpx.Timeout(60, connect=5)

_SCP_LIKE = re.compile(r"[\w.-]+@[\w.-]+:")


class Served(BaseModel):
    """The repository host's answer: where sandboxes clone it from, and its last commit."""

    url: str
    path: str
    """Of the whole repository, of which a folder may have been named."""
    head: str
    branch: str | None = None
    dirty: bool = False


async def target(
    given: str, branch: str | None, deployment: Deployment, notice: Notice
) -> NewRepository:
    """Raises `Refused`, `Unreachable`."""
    place = _place(given)
    if isinstance(place, str):
        return build(NewRepository, url=place, branch=branch)
    served = await _serve(place, _host(given, deployment))
    notice(_cloned(served, branch))
    return build(NewRepository, url=served.url, branch=branch or served.branch, label=served.path)


async def targets(
    given: Sequence[str], branch: str | None, deployment: Deployment, notice: Notice
) -> list[NewRepository]:
    """`branch` is for an only one. Raises `Refused`, `Unreachable`."""
    if branch is not None and len(given) != 1:
        raise Refused("--branch is for one repository; say --repo REPOSITORY#BRANCH for each")
    named = [_named(one, branch) for one in given]
    return [await target(place, start, deployment, notice) for place, start in named]


def _named(given: str, branch: str | None) -> tuple[str, str | None]:
    """A directory may have a # in its name; a branch never has."""
    place, there, start = given.rpartition("#")
    if not there or Path(given).is_dir():
        return given, branch
    if not start or branch is not None:
        raise Refused(f"{given!r} has to name one branch behind the #, and --branch none")
    return place, start


async def address(given: str, deployment: Deployment) -> str:
    """The URL by which sandboxes know it. Raises `Refused`, `Unreachable`."""
    place = _place(given)
    if isinstance(place, str):
        return place
    return (await _serve(place, _host(given, deployment))).url


def is_here(given: str) -> bool:
    """Whether it is a directory of this machine by its whole name."""
    return Path(given).resolve().is_dir()


def fetch_command(repository: RepositoryView, branch: str) -> str:
    """For a person to paste: what others have named must not be an option of git."""
    named = (repository.label or repository.url, branch)
    end = ("--",) if any(name.startswith("-") for name in named) else ()
    return shlex.join(["git", "fetch", *end, *named])


def _place(given: str) -> str | Path:
    """A URL, or else a directory."""
    path = Path(given).resolve()
    if "://" in given or (_SCP_LIKE.match(given) and not path.exists()):
        return _checked(given)
    if not path.is_dir():
        raise Refused(f"{given!r} is neither a directory here nor an https URL")
    if not str(path).isprintable():
        raise Refused(f"{str(path)!r} has characters that cannot be passed on; rename it")
    return path


def _checked(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise Refused(f"{url!r} is no URL") from error
    if parts.scheme not in {"http", "https"}:
        raise Refused(f"sandboxes clone over https; give the https URL instead of {url!r}")
    if parts.password:
        raise Refused("whoever sees the session would see the password in the URL; leave it out")
    return url


def _host(given: str, deployment: Deployment) -> RepositoryHost:
    if deployment.repositories is None:
        raise Refused(f"{given!r} is a path of this machine; this outboard needs an https URL")
    return deployment.repositories


async def _serve(path: Path, host: RepositoryHost) -> Served:
    request = {"path": str(path), "key": host.key}
    try:
        async with httpx.AsyncClient(timeout=TIMEOUT, trust_env=False) as http:
            response = await http.post(f"{host.url.rstrip('/')}/repositories", json=request)
    except httpx.RequestError as error:
        message = f"no answer from the repository host at {host.url}; {START}"
        raise Unreachable(message, code="not_running") from error
    try:
        if response.is_success:
            return read(Served, response.text)
        refusal = read(ErrorView, response.text)
    except Garbled as error:
        raise Unreachable(f"the repository host at {host.url} answers with nonsense") from error
    if response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise Unreachable(f"the repository host failed: {refusal.message}", code=refusal.code)
    raise Refused(refusal.message, code=refusal.code)


def _cloned(served: Served, branch: str | None) -> str:
    if branch is not None and branch != served.branch:
        what = f"{served.path}: cloned from the last commit of {branch}"
    else:
        what = f"{served.path}: cloned from its last commit {served.head[:12]}"
    return f"{what}; uncommitted changes are not included" if served.dirty else what
