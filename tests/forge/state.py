"""What the stand-in has: repositories in real git, installations, tokens, people, pull requests."""

import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.forge.troubles import Troubles

LEVELS = ("none", "read", "write", "admin")
EVERYTHING = {
    "actions": "read",
    "checks": "read",
    "contents": "write",
    "issues": "read",
    "metadata": "read",
    "pull_requests": "write",
    "statuses": "read",
}
SHAPES = "ghs_7_" + "eyJhbGciOiJSUzI1NiJ9.x-_" * 20
"""Installation tokens are long and have dots in them; no two are alike at their end."""


@dataclass(slots=True)
class Repository:
    full_name: str
    directory: Path
    private: bool
    installed: bool
    description: str
    default_branch: str
    number: int
    pulls: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    labels: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])

    @property
    def owner(self) -> str:
        return self.full_name.partition("/")[0]

    @property
    def name(self) -> str:
        return self.full_name.partition("/")[2]

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(self.directory), *arguments],
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def branches(self) -> Mapping[str, str]:
        lines = self.git("for-each-ref", "--format=%(refname:lstrip=2) %(objectname)", "refs/heads")
        return dict(line.split() for line in lines.splitlines())


@dataclass(frozen=True, slots=True)
class Issued:
    """`repositories` is None for all that the installation has."""

    owner: str
    repositories: frozenset[str] | None
    permissions: Mapping[str, str]
    expires_at: datetime

    def covers(self, repository: Repository) -> bool:
        ours = repository.installed and repository.owner == self.owner
        return ours and (self.repositories is None or repository.name in self.repositories)

    def may(self, permission: str, level: str) -> bool:
        return LEVELS.index(self.permissions.get(permission, "none")) >= LEVELS.index(level)


@dataclass(frozen=True, slots=True)
class Person:
    login: str
    name: str
    emails: Sequence[str]
    organizations: frozenset[str]


@dataclass(slots=True)
class GitHub:
    root: Path
    app_id: str
    public_key: str
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    page: int = 100
    troubles: Troubles = field(default_factory=Troubles)
    repositories: dict[str, Repository] = field(default_factory=dict[str, Repository])
    installations: dict[str, int] = field(default_factory=dict[str, int])
    granted: dict[str, str] = field(default_factory=lambda: {**EVERYTHING})
    """What people have granted to the App, at each installation."""
    tokens: dict[str, Issued] = field(default_factory=dict[str, Issued])
    minted: list[str] = field(default_factory=list[str])
    """Every token of the App's that there ever was."""
    people: dict[str, Person] = field(default_factory=dict[str, Person])
    """By token."""
    violations: list[str] = field(default_factory=list[str])
    """What GitHub's OpenAPI does not allow, in a request or in an answer of ours."""
    seen: list[str] = field(default_factory=list[str])
    pushed: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """To which repository, and with whose token."""

    def has(
        self,
        full_name: str,
        branches: Sequence[str] = ("main",),
        *,
        private: bool = True,
        installed: bool = True,
        description: str = "",
    ) -> Repository:
        """A repository with a commit on each branch; the first is its default."""
        directory = self.root / f"{full_name}.git"
        directory.mkdir(parents=True)
        number = len(self.repositories) + 1
        repository = Repository(
            full_name, directory, private, installed, description, branches[0], number
        )
        repository.git("init", "-q", "--bare", "-b", branches[0])
        repository.git("config", "http.receivepack", "true")
        tree = repository.git("mktree", "--missing")
        for branch in branches:
            author = ("-c", "user.name=Ada Example", "-c", "user.email=ada@example.com")
            commit = repository.git(*author, "commit-tree", tree, "-m", f"Begin {branch}")
            repository.git("update-ref", f"refs/heads/{branch}", commit)
        self.repositories[full_name.lower()] = repository
        if installed:
            self.installations.setdefault(repository.owner, len(self.installations) + 1)
        return repository

    def knows(self, token: str, person: Person) -> None:
        self.people[token] = person

    def issue(
        self, owner: str, repositories: Sequence[str] | None, permissions: Mapping[str, str]
    ) -> tuple[str, Issued]:
        only = None if repositories is None else frozenset(repositories)
        issued = Issued(owner, only, permissions, self.clock() + timedelta(hours=1))
        token = f"{SHAPES}{len(self.minted)}"
        self.tokens[token] = issued
        self.minted.append(token)
        return token, issued

    def issued(self, token: str) -> Issued | None:
        found = self.tokens.get(token)
        return found if found and found.expires_at > self.clock() else None
