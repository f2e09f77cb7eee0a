"""An environment: some repositories that are worked on together, under a name of their own.

The workspace owns it. A session that is opened from one takes a copy, and what becomes of the
environment afterwards is no business of that session's.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NewType
from unicodedata import normalize

from shared.domain.errors import Invalid
from shared.domain.repository_url import key
from shared.domain.session.state import (
    MAX_REPOSITORIES,
    EnvironmentId,
    Provenance,
    Repository,
    UserId,
)

NameKey = NewType("NameKey", str)
"""A name in the one form in which it may be there once."""

MAX_NAME_CHARS = 100
MAX_DESCRIPTION_CHARS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    id: EnvironmentId
    name: str
    description: str = ""
    repositories: tuple[Repository, ...]
    """In the order in which people named them; the first one is the primary."""
    created_at: datetime
    created_by: UserId
    updated_at: datetime
    updated_by: UserId
    version: str
    """Another one after each change, and never an old one again."""

    @property
    def provenance(self) -> Provenance:
        """What a session that is opened now remembers of it."""
        return Provenance(self.id, self.name)

    def says(self, other: "Environment") -> bool:
        """Whether it is about the same, whoever has written it and when."""
        ours = (self.name, self.description, self.repositories)
        return ours == (other.name, other.description, other.repositories)


def name_key(name: str) -> NameKey:
    """The key of a key is itself."""
    return NameKey(_folded(_folded(name)))


def checked_name(name: str) -> str:
    """The name as one line. Raises `Invalid`."""
    name = " ".join(name.split())
    if not name:
        raise Invalid("name", "a name needs words")
    if len(name) > MAX_NAME_CHARS:
        raise Invalid("name", f"{len(name)} characters are more than {MAX_NAME_CHARS}")
    if not name.isprintable():
        raise Invalid("name", "it has characters that nobody sees")
    return name


def checked_description(description: str) -> str:
    """Without blanks around it. Raises `Invalid`."""
    description = description.strip()
    if len(description) > MAX_DESCRIPTION_CHARS:
        raise Invalid(
            "description", f"{len(description)} characters are more than {MAX_DESCRIPTION_CHARS}"
        )
    return description


def checked_repositories(given: Sequence[Repository]) -> tuple[Repository, ...]:
    """One to ten, each once, and each in a directory of its own. Raises `Invalid`."""
    if not given:
        raise Invalid("repositories", "an environment has at least one repository")
    if len(given) > MAX_REPOSITORIES:
        raise Invalid("repositories", f"{len(given)} are more than {MAX_REPOSITORIES}")
    if (url := _twice([key(each.url) for each in given])) is not None:
        raise Invalid("repositories", f"{url} is named twice")
    if (name := _twice([each.name for each in given])) is not None:
        raise Invalid("repositories", f"two of them would be in the same directory {name!r}")
    return tuple(given)


def _twice(values: Sequence[str]) -> str | None:
    return next((value for value, times in Counter(values).items() if times > 1), None)


def _folded(name: str) -> str:
    """Two spellings of a letter are one, and wide letters are narrow ones."""
    return " ".join(normalize("NFKC", normalize("NFKC", name).casefold()).split())
