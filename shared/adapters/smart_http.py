"""Asking a git server whether a repository is there, without git: the first call of a clone."""

from functools import cached_property
from http import HTTPStatus

import urllib3
from urllib3.exceptions import HTTPError

from shared.domain.errors import Invalid, NotFound, Unavailable
from shared.domain.session.state import MAX_REPOSITORIES

_TIMEOUT = urllib3.Timeout(connect=5, read=10)
_ADVERTISEMENT = "application/x-git-upload-pack-advertisement"
_LOOPBACK = ("http://127.0.0.1:", "http://localhost:")


class SmartHttpRepositories:
    """`loopback`: whether this deployment is one machine, where http to itself is fine."""

    def __init__(self, *, loopback: bool) -> None:
        self._loopback = loopback

    @cached_property
    def _pool(self) -> urllib3.PoolManager:
        """Threads share it: an environment asks for its repositories at once."""
        retries = urllib3.Retry(2, redirect=2)
        return urllib3.PoolManager(timeout=_TIMEOUT, retries=retries, maxsize=MAX_REPOSITORIES)

    def check(self, url: str) -> None:
        if not url.startswith("https://") and not (self._loopback and url.startswith(_LOOPBACK)):
            raise Invalid("url", f"{url!r} is not an https URL")
        try:
            answer = self._pool.request(
                "GET",
                f"{url.rstrip('/')}/info/refs?service=git-upload-pack",
                preload_content=False,
            )
        except HTTPError as error:
            raise Unavailable(f"{url!r} cannot be reached now") from error
        answer.release_conn()
        if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise Unavailable(f"{url!r} answers {answer.status} now")
        if answer.headers.get("content-type", "") != _ADVERTISEMENT:
            raise NotFound(f"no git repository that we may read answers at {url!r}")
