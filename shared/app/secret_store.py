"""People's secrets: set and taken back by name, and given to a sandbox, never to anybody else."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from shared.app.accounts import only_owner
from shared.app.ports.environments import EnvironmentStore
from shared.app.ports.sealing import Sealed, Sealer, SecretsUnavailable
from shared.app.ports.vault import Contents, Entry, Vault
from shared.app.ports.workspace import User
from shared.domain import secrets
from shared.domain.environment import Environment
from shared.domain.errors import Contended, Invalid, NotFound, Unavailable
from shared.domain.repository_url import RepositoryKey, key
from shared.domain.secrets import EVERYWHERE, Scope, ScopeKind
from shared.domain.session.state import EnvironmentId, Session

type Change = Callable[[Contents], tuple[Contents, Mapping[str, Sealed]]]

_TRIES = 5
"""Of a change that somebody else is always ahead of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretStore:
    vault: Vault
    environments: EnvironmentStore
    sealer: Sealer
    clock: Callable[[], datetime]
    new_id: Callable[[], str]

    def put(self, by: User, scope: Scope, values: Mapping[str, str]) -> Contents:
        """Those that are there get the new value. Safe to repeat.

        Raises `Forbidden`, `Invalid`, `NotFound` for an environment that is not there, `Contended`,
        `SecretsUnavailable`, `Unsealable`.
        """
        _check_may_change(by, scope)
        if scope.kind is ScopeKind.ENVIRONMENT:
            self._environment(scope.target)
        given = secrets.checked(values)
        now = self.clock()
        new = {
            name: Entry(name=name, size=secrets.size(name, value), at=now, by=by.id)
            for name, value in given.items()
        }
        _check_room(new.values())
        sealed = self.sealer.seal(str(scope), given)

        def with_them(before: Contents) -> tuple[Contents, Mapping[str, Sealed]]:
            entries = {entry.name: entry for entry in before.entries} | new
            _check_room(entries.values())
            return self._after(before, entries.values()), sealed

        return self._change(scope, with_them)

    def copy(
        self, by: User, environment: str, repository: RepositoryKey, names: Iterable[str]
    ) -> Contents:
        """Of a repository's to an environment that has it, unseen. Safe to repeat.

        Raises what `put` does.
        """
        members = self._environment(environment).repositories
        if repository not in {key(each.url) for each in members}:
            raise Invalid("repository", "it is not in this environment")
        opened = self._opened(secrets.of_repository(repository))
        wanted = {secrets.name(each) for each in names}
        if missing := sorted(wanted - opened.keys()):
            raise Invalid("names", f"this repository has no {', '.join(missing)}")
        values = {name: opened[name] for name in wanted}
        return self.put(by, secrets.of_environment(environment), values)

    def to_change(self, by: User, scope: Scope) -> Contents:
        """What is there, for who may change it. Raises `Forbidden`."""
        _check_may_change(by, scope)
        return self.vault.contents(scope)

    def remove(self, by: User, scope: Scope, name: str) -> Contents:
        """Gone is fine. Raises `Forbidden`, `Invalid`, `Contended`."""
        _check_may_change(by, scope)
        gone = secrets.name(name)

        def without_it(before: Contents) -> tuple[Contents, Mapping[str, Sealed]]:
            return self._after(before, [e for e in before.entries if e.name != gone]), {}

        before = self.vault.contents(scope)
        return self._change(scope, without_it) if gone in before.names else before

    def rotate(self, by: User, scope: Scope | None) -> Sequence[Contents]:
        """All of a scope, or of each, under a fresh key. Nothing else of them changes.

        Raises `Forbidden`, `Contended`, `SecretsUnavailable`, `Unsealable`.
        """
        only_owner(by)
        wanted = self.vault.scopes() if scope is None else [scope]
        return [self._change(one, self._under_a_fresh_key) for one in wanted]

    def of_session(self, session: Session) -> Mapping[str, str]:
        """What its sandbox gets, read anew.

        Raises `TooMuch`, `SecretsUnavailable`, `Unsealable`.
        """
        of = session.environment
        repositories = [key(repository.url) for repository in session.target]
        scopes = secrets.scopes(repositories, of.environment if of else None)
        try:
            layers = [(scope, self._opened(scope)) for scope in scopes]
        except Unavailable as error:
            raise SecretsUnavailable("the secrets cannot be read") from error
        return secrets.merged(layers)

    def everywhere(self) -> frozenset[str]:
        """The names of those that every session gets."""
        return self.vault.contents(EVERYWHERE).names

    def _environment(self, environment: str) -> Environment:
        found = self.environments.get(EnvironmentId(environment))
        if found is None:
            raise NotFound(f"no environment {environment!r}")
        return found

    def _under_a_fresh_key(self, before: Contents) -> tuple[Contents, Mapping[str, Sealed]]:
        fresh = self.sealer.seal(str(before.scope), self._opened(before.scope))
        return self._after(before, before.entries), fresh

    def _opened(self, scope: Scope) -> Mapping[str, str]:
        return self.sealer.open(str(scope), self.vault.sealed(scope))

    def _after(self, before: Contents, entries: Iterable[Entry]) -> Contents:
        ordered = tuple(sorted(entries, key=lambda entry: entry.name))
        return replace(before, entries=ordered, version=self.new_id())

    def _change(self, scope: Scope, change: Change) -> Contents:
        for _ in range(_TRIES - 1):
            with suppress(Contended):
                return self._changed(scope, change)
        return self._changed(scope, change)

    def _changed(self, scope: Scope, change: Change) -> Contents:
        before = self.vault.contents(scope)
        after, put = change(before)
        self.vault.change(before, after, put)
        return after


def _check_may_change(by: User, scope: Scope) -> None:
    if scope == EVERYWHERE:
        only_owner(by)


def _check_room(entries: Iterable[Entry]) -> None:
    secrets.check_room({entry.name: entry.size for entry in entries})
