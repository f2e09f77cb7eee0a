"""JSON over HTTP with a code host, and what its refusals mean to us.

Nothing here logs, and no message carries what was sent: there are tokens in it.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

import urllib3
from urllib3.exceptions import HTTPError

from shared.app.ports.forges import ForgeLimited, ForgeRefused
from shared.domain.errors import Conflict, DomainError, NotFound, Unauthenticated, Unavailable
from shared.domain.repository_url import key

_TIMEOUT = urllib3.Timeout(connect=5, read=10)
_REDIRECTS = 3
_MOST_PAGES = 50
_MESSAGE_CHARS = 500


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    content: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    method: str
    path: str
    """Below the API's root; or a whole URL there, as a `Link` has it."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    query: Mapping[str, str] = field(default_factory=dict[str, str])
    body: Any = field(default=None, repr=False)


@dataclass(frozen=True)
class Rest:
    """`host` is what a sentence calls it; `limited` tells a wish for fewer requests from a no."""

    host: str
    root: str
    headers: Mapping[str, str]
    limited: Callable[[Answer], ForgeLimited | None]
    timeout: urllib3.Timeout = _TIMEOUT

    @cached_property
    def _pool(self) -> urllib3.PoolManager:
        # who is asked to wait says so to its own caller, and does not sleep
        retries = urllib3.Retry(
            2, redirect=False, status=False, backoff_factor=0.1, respect_retry_after_header=False
        )
        return urllib3.PoolManager(timeout=self.timeout, retries=retries)

    def ask(self, call: Call) -> Answer:
        """An answer of success; anything else raises what the port says about it."""
        answer = self._send(call)
        if answer.status >= HTTPStatus.BAD_REQUEST:
            raise self._failure(answer)
        return answer

    def pages(self, call: Call) -> Iterator[Any]:
        """What each page holds, for as long as the host names a next one."""
        following = call
        for _ in range(_MOST_PAGES):
            answer = self.ask(following)
            yield answer.content
            after = next_page(answer.headers.get("link", ""))
            if after is None:
                return
            following = Call(method="GET", path=self._ours(after), headers=call.headers)

    def _send(self, call: Call) -> Answer:
        url = self._url(call)
        for _ in range(_REDIRECTS):
            answer = self._once(call, url)
            if (there := answer.headers.get("location")) is None or not _redirects(answer):
                return answer
            url = self._ours(urljoin(url, there))
        raise Unavailable(f"{self.host} sends us from one address to the next")

    def _once(self, call: Call, url: str) -> Answer:
        body = None if call.body is None else json.dumps(call.body).encode()
        kind = {} if body is None else {"content-type": "application/json"}
        headers = {**self.headers, **kind, **call.headers}
        try:
            answer = self._pool.request(
                call.method, url, headers=headers, body=body, redirect=False
            )
        except HTTPError:
            # its text may have the address and more in it: the cause is left out
            raise Unavailable(f"{self.host} does not answer now") from None
        return Answer(answer.status, answer.headers, self._content(answer))

    def _content(self, answer: urllib3.BaseHTTPResponse) -> Any:
        if not answer.data:
            return None
        try:
            return json.loads(answer.data)
        except ValueError:
            if answer.status >= HTTPStatus.BAD_REQUEST:
                return None  # a proxy's page: the status says it all
            raise Unavailable(f"{self.host} answers something that is no JSON") from None

    def _url(self, call: Call) -> str:
        url = call.path if call.path.startswith(self.root) else f"{self.root}{call.path}"
        return f"{url}?{urlencode(call.query)}" if call.query else url

    def _ours(self, url: str) -> str:
        """Our tokens go to the API's own host and nowhere else."""
        if urlsplit(url)[:2] != urlsplit(self.root)[:2]:
            raise Unavailable(f"{self.host} sends us to another host")
        return url

    def _failure(self, answer: Answer) -> DomainError:
        said = message(answer.content)
        if limited := self.limited(answer):
            return limited
        match answer.status:
            case HTTPStatus.UNAUTHORIZED:
                return Unauthenticated(f"{self.host} does not take this token")
            case HTTPStatus.NOT_FOUND | HTTPStatus.GONE:
                return NotFound(f"{self.host} has no such thing, or not for us")
            case HTTPStatus.CONFLICT:
                return Conflict(f"{self.host} refuses: {said or 'somebody was there first'}")
            case status if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                return Unavailable(f"{self.host} answers {status} now")
            case status:
                return ForgeRefused(f"{self.host} refuses: {said or status}")


def message(content: Any) -> str:
    """What a host says is wrong, in one line."""
    if not isinstance(content, dict):
        return ""
    said: list[Any] = [content.get("message") or content.get("error")]
    errors = content.get("errors")
    said += errors if isinstance(errors, list) else []
    parts = [part for one in said for part in _sayings(one)]
    return " ".join("; ".join(parts).split())[:_MESSAGE_CHARS]


def _sayings(said: Any) -> list[str]:
    match said:
        case str():
            return [said]
        case list():
            return [part for one in said for part in _sayings(one)]
        case {"message": str(text)}:
            return [text]
        case {"field": str(name), "code": str(code)}:
            return [f"{name} is {code}"]
        case dict():
            return [part for one in said.values() for part in _sayings(one)]
        case _:
            return []


def next_page(link: str) -> str | None:
    """The address of the next page in a `Link` header."""
    for part in link.split(","):
        address, _, rest = part.strip().partition(";")
        if 'rel="next"' in rest.replace(" ", ""):
            return address.strip("<> ")
    return None


def on_host(url: str, web_url: str) -> bool:
    """Raises `Invalid` for what is no URL of a repository."""
    there, here = urlsplit(key(url)), urlsplit(key(f"{web_url}/x"))
    return there[:2] == here[:2] and there.path.startswith(here.path.removesuffix("x"))


def seconds(text: str | None) -> float | None:
    return float(text) if text is not None and text.isdecimal() else None


def _redirects(answer: Answer) -> bool:
    return answer.status in {
        HTTPStatus.MOVED_PERMANENTLY,
        HTTPStatus.FOUND,
        HTTPStatus.TEMPORARY_REDIRECT,
        HTTPStatus.PERMANENT_REDIRECT,
    }
