"""Real repositories for tests: a bare one as the remote, and somebody else's clone of it."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from sandbox_bridge.git.checkout import Checkout
from sandbox_bridge.git.command import Git
from sandbox_bridge.redaction import Redactor
from shared.protocol.bridge import RepositorySpec

SOMEBODY = {
    "GIT_AUTHOR_NAME": "Somebody",
    "GIT_AUTHOR_EMAIL": "somebody@example.com",
    "GIT_COMMITTER_NAME": "Somebody",
    "GIT_COMMITTER_EMAIL": "somebody@example.com",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
}
BRANCH = "outboard/s1"


def git(directory: Path, *arguments: str, environment: Mapping[str, str] = SOMEBODY) -> str:
    ended = subprocess.run(
        ["git", *arguments],
        cwd=directory,
        env={"PATH": os.environ["PATH"], "HOME": str(directory), **environment},
        check=True,
        capture_output=True,
        text=True,
    )
    return ended.stdout.strip()


def put(directory: Path, files: Mapping[str, str]) -> None:
    for name, content in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        path.chmod(0o755 if name.endswith(".sh") else 0o644)


class Remote:
    def __init__(self, place: Path, files: Mapping[str, str]) -> None:
        place.mkdir(parents=True, exist_ok=True)
        self.path = place / "remote.git"
        self._clone = place / "somebody"
        git(place, "init", "--quiet", "--bare", "--initial-branch=main", str(self.path))
        git(place, "clone", "--quiet", self.url, str(self._clone))
        git(self._clone, "switch", "--quiet", "--create", "main")
        if files:
            self.commit(files)

    @property
    def url(self) -> str:
        return f"file://{self.path}"

    def commit(self, files: Mapping[str, str], *, branch: str = "main") -> str:
        """Somebody else pushes a commit; its id."""
        if branch != "main":
            git(self._clone, "fetch", "--quiet", "origin")
            on_remote = self.tip(branch)
            git(
                self._clone, "checkout", "--quiet", "-B", branch, *(on_remote,) if on_remote else ()
            )
        put(self._clone, files)
        git(self._clone, "add", "--all")
        git(self._clone, "commit", "--quiet", "--message", "Somebody's work")
        git(self._clone, "push", "--quiet", "origin", f"HEAD:refs/heads/{branch}")
        return git(self._clone, "rev-parse", "HEAD")

    def git(self, *arguments: str) -> str:
        return git(self.path, *arguments)

    def tip(self, branch: str = BRANCH) -> str | None:
        return self.git("for-each-ref", "--format=%(objectname)", f"refs/heads/{branch}") or None

    def files(self, branch: str = BRANCH) -> set[str]:
        return set(self.git("ls-tree", "-r", "--name-only", branch).splitlines())

    def content(self, name: str, branch: str = BRANCH) -> str:
        return self.git("show", f"{branch}:{name}")

    def log(self, form: str, branch: str = BRANCH) -> list[str]:
        return self.git("log", f"--format={form}", branch).splitlines()

    def refuse(self, reason: str) -> None:
        """From now on no push is taken."""
        hook = self.path / "hooks/pre-receive"
        hook.write_text(f"#!/bin/sh\necho '{reason}' >&2\nexit 1\n")
        hook.chmod(0o755)

    def accept(self) -> None:
        (self.path / "hooks/pre-receive").unlink()


def checkout(
    workspace: Path, url: str, *, name: str = "tool", secrets: Mapping[str, str] = {}
) -> Checkout:
    workspace.mkdir(parents=True, exist_ok=True)
    environment = {"PATH": os.environ["PATH"], "HOME": str(workspace), **secrets}
    runner = Git(workspace / name, environment, Redactor(environment))
    return Checkout(name, url, BRANCH, runner)


def spec(url: str, *, name: str = "tool", branch: str | None = None) -> RepositorySpec:
    return RepositorySpec(url=url, name=name, branch=branch)
