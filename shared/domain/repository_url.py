"""A repository's URL: what may be in it, what it names, and when two of them are one repository."""

import re
from typing import NewType
from urllib.parse import SplitResult, urlsplit

from shared.domain.errors import Invalid

RepositoryKey = NewType("RepositoryKey", str)
"""A URL in the one form by which its repository is found again."""

MAX_NAME_CHARS = 100

_USUAL_PORT = {"http": ":80", "https": ":443"}
_ENDING = re.compile(r"(/|\.git)+$")


def key(url: str) -> RepositoryKey:
    """The key of a key is itself. Raises `Invalid`.

    Hosts do not tell upper from lower case; what a host does with the rest is its own business.
    """
    parts = _parts(url)
    host = parts.netloc.rpartition("@")[2].lower()
    path = _ENDING.sub("", parts.path)
    if parts.scheme not in _USUAL_PORT or not host or not path:
        raise Invalid("url", f"{url!r} does not name a repository")
    asked = f"?{parts.query}" if parts.query else ""
    place = host.removesuffix(_USUAL_PORT[parts.scheme])
    return RepositoryKey(f"{parts.scheme}://{place}{path}{asked}")


def directory(url: str) -> str:
    """The last part of the URL, as a directory's name. Raises `Invalid`."""
    last = _parts(url).path.rstrip("/").rpartition("/")[2].removesuffix(".git")
    name = "".join(char if char.isalnum() or char in "._-" else "-" for char in last).strip(".-")
    if not name:
        raise Invalid("url", f"{url!r} does not name a repository")
    return name[:MAX_NAME_CHARS]


def _parts(url: str) -> SplitResult:
    """Whoever sees a session sees its URL, and so would see a password in it."""
    try:
        parts = urlsplit(url)
    except ValueError:
        raise Invalid("url", "it is no URL") from None
    if parts.password:
        raise Invalid("url", "there is a password in it, which everybody would see")
    return parts
