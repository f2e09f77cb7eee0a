"""What a session works on: any number of repositories up to a bound, none included."""

from collections.abc import Sequence

from shared.domain.errors import Invalid
from shared.domain.repository_url import key
from shared.domain.session.state import MAX_REPOSITORIES, Repository


def check_target(target: Sequence[Repository]) -> None:
    """They are cloned side by side, so each needs a directory of its own. Raises `Invalid`."""
    if len(target) > MAX_REPOSITORIES:
        raise Invalid("repositories", f"{len(target)} are more than {MAX_REPOSITORIES}")
    _check_apart(target)


def _check_apart(target: Sequence[Repository]) -> None:
    for place, repository in enumerate(target):
        for other in target[:place]:
            if key(repository.url) == key(other.url):
                raise Invalid("repositories", f"{repository.url} is there twice")
            if repository.name == other.name:
                both = f"{other.url} and {repository.url} would be the directory {other.name}"
                raise Invalid("repositories", both)
