"""Sealed secrets in memory."""

from collections.abc import Mapping, Sequence

from shared.app.ports.sealing import Sealed, SecretsUnavailable
from shared.app.ports.vault import Contents
from shared.domain.errors import Contended
from shared.domain.secrets import Scope
from tests.fakes.store_memory import Memory


class InMemoryVault:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def contents(self, scope: Scope) -> Contents:
        return self._memory.contents.get(scope, Contents(scope=scope))

    def scopes(self) -> Sequence[Scope]:
        return [scope for scope, contents in self._memory.contents.items() if contents.entries]

    def sealed(self, scope: Scope) -> Mapping[str, Sealed]:
        found = self._memory.secrets[scope]
        if found.keys() != self.contents(scope).names:
            raise SecretsUnavailable(f"the secrets of {scope} are not complete")
        return dict(found)

    def change(self, before: Contents, after: Contents, put: Mapping[str, Sealed]) -> None:
        with self._memory.writing():
            there = self.contents(after.scope).version
            if there not in {before.version, after.version}:
                raise Contended(f"the secrets of {after.scope} are being changed")
            self._memory.contents[after.scope] = after
            kept = {**self._memory.secrets[after.scope], **put}
            self._memory.secrets[after.scope] = {
                name: sealed for name, sealed in kept.items() if name in after.names
            }
