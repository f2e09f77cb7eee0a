"""Secrets between what is kept of them and the wire, which never carries a value out."""

from collections.abc import Mapping
from typing import cast

from shared.app import dotenv
from shared.app.ports.vault import Contents
from shared.domain.errors import Invalid
from shared.protocol.secrets import NewSecrets, ScopeName, SecretList, SecretView


def values_of(asked: NewSecrets) -> Mapping[str, str]:
    """Raises `Invalid`."""
    match asked.values, asked.text:
        case dict() as values, None if values:
            return values
        case None, str() as text:
            return dotenv.parse(text)
        case _:
            raise Invalid("values", "give either values or a text, and not nothing")


def of_contents(contents: Contents) -> SecretList:
    return SecretList(
        scope=cast("ScopeName", contents.scope.kind.value),
        target=contents.scope.target or None,
        secrets=[
            SecretView(name=entry.name, updated_at=entry.at, updated_by=entry.by)
            for entry in contents.entries
        ],
    )
