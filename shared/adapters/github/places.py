"""Which repository of GitHub a URL names."""

from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from shared.domain.errors import Invalid
from shared.domain.repository_url import key

_PARTS = 2


@dataclass(frozen=True, slots=True, order=True)
class Place:
    owner: str
    name: str

    @property
    def path(self) -> str:
        return f"/repos/{quote(self.owner, safe='')}/{quote(self.name, safe='')}"

    @property
    def full_name(self) -> str:
        return f"{self.owner}/{self.name}"


def place(url: str) -> Place:
    """Raises `Invalid`."""
    parts = urlsplit(key(url)).path.strip("/").split("/")
    if len(parts) != _PARTS or not all(parts):
        raise Invalid("url", f"{url!r} does not name a repository: it ends in OWNER/NAME")
    return Place(*parts)
