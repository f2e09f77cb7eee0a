"""Real git over HTTP, behind the tokens that the API gave out."""

import base64
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus

from tests.forge.state import GitHub, Repository

type GitAnswer = tuple[int, Mapping[str, str], bytes]

_WHO = {"www-authenticate": 'Basic realm="GitHub"'}


@dataclass(frozen=True, slots=True)
class GitAsked:
    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes


def answer(github: GitHub, asked: GitAsked) -> GitAnswer:
    full_name, below = split(asked.path)
    headers = asked.headers
    repository = github.repositories.get(full_name.lower())
    writing = "git-receive-pack" in f"{below}?{asked.query}"
    if refused := _refused(github, repository, _password(headers), writing=writing):
        return refused, _WHO if refused == HTTPStatus.UNAUTHORIZED else {}, b""
    assert repository is not None
    if (asked.method, below) == ("POST", "/git-receive-pack"):
        github.pushed.append((repository.full_name, _whose(github, _password(headers))))
    environment = {
        "PATH": os.environ["PATH"],
        "GIT_PROJECT_ROOT": str(repository.directory),
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": below,
        "QUERY_STRING": asked.query,
        "REQUEST_METHOD": asked.method,
        "CONTENT_TYPE": headers.get("content-type", ""),
        "HTTP_CONTENT_ENCODING": headers.get("content-encoding", ""),
        "GIT_PROTOCOL": headers.get("git-protocol", ""),
        "REMOTE_USER": "x-access-token",
        "REMOTE_ADDR": "127.0.0.1",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": "*",
    }
    done = subprocess.run(
        ["git", "http-backend"], input=asked.body, env=environment, capture_output=True, check=False
    )
    return _parsed(done.stdout)


def split(path: str) -> tuple[str, str]:
    """`/owner/name.git/info/refs`: the repository, and what is below it."""
    _, owner, name, *below = path.split("/")
    return f"{owner}/{name.removesuffix('.git')}", "/" + "/".join(below)


def _refused(
    github: GitHub, repository: Repository | None, password: str | None, *, writing: bool
) -> int | None:
    if password is None:
        open_to_all = repository and not repository.private and not writing
        return None if open_to_all else HTTPStatus.UNAUTHORIZED
    if repository is None:
        return HTTPStatus.NOT_FOUND
    if password in github.people:
        return None
    issued = github.issued(password)
    if issued is None:
        return HTTPStatus.UNAUTHORIZED
    if not issued.covers(repository):
        return HTTPStatus.NOT_FOUND
    allowed = issued.may("contents", "write" if writing else "read")
    return None if allowed else HTTPStatus.FORBIDDEN


def _whose(github: GitHub, password: str | None) -> str:
    person = github.people.get(password or "")
    return person.login if person else "our own App"


def _password(headers: Mapping[str, str]) -> str | None:
    scheme, _, said = headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return None
    return base64.b64decode(said).decode().partition(":")[2]


def _parsed(output: bytes) -> GitAnswer:
    head, _, body = output.partition(b"\r\n\r\n")
    pairs = [line.partition(": ") for line in head.decode().split("\r\n") if line]
    headers = {name.lower(): value for name, _, value in pairs}
    return int(headers.pop("status", "200").split()[0]), headers, body
