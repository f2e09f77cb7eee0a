"""Prebuilt images, found by what they are of: the repositories with their branches, in order.

What a repository is called, and in which of its spellings its URL was written, is no part of that.
"""

import hashlib
import json

from shared.adapters.dynamodb import keys
from shared.adapters.dynamodb.table import Table
from shared.adapters.dynamodb.writes import Delete, Update, assign, text
from shared.domain.repository_url import key
from shared.domain.session.state import Repository


class DynamoImages:
    def __init__(self, workspace: Table) -> None:
        self._workspace = workspace

    def of(self, target: tuple[Repository, ...]) -> str | None:
        found = self._workspace.get(keys.image(_fingerprint(target)), keys.IMAGE)
        return None if found is None else found["image"]["S"]

    def register(self, target: tuple[Repository, ...], image: str) -> None:
        partition = keys.image(_fingerprint(target))
        self._workspace.write(Update(partition, keys.IMAGE, assign(image=text(image))))

    def forget(self, target: tuple[Repository, ...]) -> None:
        self._workspace.write(Delete(keys.image(_fingerprint(target)), keys.IMAGE))


def _fingerprint(target: tuple[Repository, ...]) -> str:
    named = [[key(repository.url), repository.branch] for repository in target]
    return hashlib.sha256(json.dumps(named).encode()).hexdigest()
