"""One request for a page or a file of it, answered from the build.

Imports next to nothing, as whoever opens a page waits for this function's start.
"""

from base64 import b64encode
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urlsplit

from shared.edge.web import policy
from shared.edge.web.files import INDEX, File

type Event = Mapping[str, Any]
type Answer = dict[str, Any]

_API = "/api"


class Site:
    def __init__(
        self, files: Mapping[str, File], clients_socket_url: str, *, loopback: bool
    ) -> None:
        self._files = files
        self._always = policy.headers(clients_socket_url, loopback=loopback)
        self._host = urlsplit(clients_socket_url).netloc if loopback else None

    def answer(self, event: Event) -> Answer:
        method, path = str(event["requestContext"]["http"]["method"]), str(event["rawPath"])
        given: Mapping[str, str] = event.get("headers") or {}
        headers = {name.lower(): value for name, value in given.items()}
        if method not in {"GET", "HEAD"}:
            return self._words(HTTPStatus.METHOD_NOT_ALLOWED, {"allow": "GET, HEAD"})
        if self._host not in {None, headers.get("host")}:
            return self._elsewhere(path, event)
        file = self._file(path)
        if file is None:
            return self._words(HTTPStatus.NOT_FOUND)
        answer = self._of(file, headers)
        return answer | {"body": "", "isBase64Encoded": False} if method == "HEAD" else answer

    def _file(self, path: str) -> File | None:
        """An address without a dot at its end is one of the client's own, which knows its pages."""
        if path in self._files:
            return self._files[path]
        if path == _API or path.startswith(f"{_API}/") or "." in path.rpartition("/")[2]:
            return None
        return self._files[INDEX]

    def _elsewhere(self, path: str, event: Event) -> Answer:
        """A machine has several names, a cookie and the sockets' Origin have one."""
        query = event.get("rawQueryString")
        address = f"http://{self._host}/{quote(path.lstrip('/'))}" + (f"?{query}" if query else "")
        return self._words(HTTPStatus.TEMPORARY_REDIRECT, {"location": address})

    def _of(self, file: File, headers: Mapping[str, str]) -> Answer:
        compressed = file.compressed if _takes_gzip(headers) else None
        mark = f'"{file.mark}{"-gz" if compressed else ""}"'
        about = {
            **self._always,
            "cache-control": file.cache,
            "content-type": file.type,
            "etag": mark,
            "vary": "accept-encoding",
        }
        if mark in _known(headers):
            return _answer(HTTPStatus.NOT_MODIFIED, about, b"")
        if compressed:
            return _answer(HTTPStatus.OK, about | {"content-encoding": "gzip"}, compressed)
        return _answer(HTTPStatus.OK, about, file.content)

    def _words(self, status: HTTPStatus, more: Mapping[str, str] | None = None) -> Answer:
        about = {
            **self._always,
            **(more or {}),
            "cache-control": "no-store",
            "content-type": "text/plain; charset=utf-8",
        }
        return _answer(status, about, f"{status.phrase.lower()}\n".encode())


def _answer(status: HTTPStatus, headers: Mapping[str, str], content: bytes) -> Answer:
    return {
        "statusCode": status,
        "headers": dict(headers),
        "body": b64encode(content).decode(),
        "isBase64Encoded": True,
    }


def _takes_gzip(headers: Mapping[str, str]) -> bool:
    for offer in headers.get("accept-encoding", "").split(","):
        coding, _, weight = offer.replace(" ", "").partition(";")
        if coding.lower() == "gzip":
            return weight.rstrip("0.") not in {"q=", "q"}
    return False


def _known(headers: Mapping[str, str]) -> set[str]:
    """The marks of what the browser has. Its comparison is the weak one: `W/` says nothing."""
    marks = headers.get("if-none-match", "").split(",")
    return {mark.strip().removeprefix("W/") for mark in marks}
