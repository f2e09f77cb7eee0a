"""Git, as the bridge runs it: nobody is asked, no hook runs, nobody's own configuration counts."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Final

from sandbox_bridge.redaction import Redactor, plain
from sandbox_bridge.running import Ended, run

LOCAL = timedelta(minutes=2)
OVER_THE_NETWORK = timedelta(seconds=300)
PUSHING = timedelta(minutes=15)
"""Hosts run hooks of their own over what comes, and git waits for these."""

REASON_CHARS = 1_000

COMMITTER: Final = {
    "GIT_COMMITTER_NAME": "Outboard",
    "GIT_COMMITTER_EMAIL": "outboard@localhost",
}

_ALONE: Final = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "/bin/false",
    "SSH_ASKPASS": "/bin/false",
    "GIT_SSH_COMMAND": "ssh -o BatchMode=yes",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C.UTF-8",
}

_QUIET: Final = (
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "commit.gpgSign=false"),
    *("-c", "i18n.commitEncoding=utf-8"),
    *("-c", "push.gpgSign=false"),
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
    *("-c", "advice.detachedHead=false"),
    *("-c", "protocol.ext.allow=never"),
)


_TALK: Final = (
    "hint:",
    "fatal: credential helper ",  # its own sentence comes before that
    "Cloning into",
    "To ",
    "Please make sure you have the correct access rights",
    "and the repository exists.",
)


class GitFailed(Exception):
    """The message is git's own reason, without secrets, fit to be shown."""


@dataclass(frozen=True, slots=True)
class Git:
    directory: Path
    environment: Mapping[str, str]
    redact: Redactor

    def within(self, directory: Path) -> "Git":
        return replace(self, directory=directory)

    async def __call__(
        self,
        *arguments: str,
        stdin: bytes = b"",
        timeout: timedelta = LOCAL,
        variables: Mapping[str, str] | None = None,
    ) -> bytes:
        """Its output. Raises `GitFailed`."""
        try:
            ended = await self._run(arguments, stdin, timeout, variables or {})
        except TimeoutError:
            seconds = int(timeout.total_seconds())
            raise GitFailed(f"git {arguments[0]} took longer than {seconds} s") from None
        if ended.status != 0:
            raise GitFailed(self._reason(arguments[0], ended.status, ended.errors))
        return ended.output

    async def succeeds(self, *arguments: str) -> bool:
        ended = await self._run(arguments, b"", LOCAL, {})
        return ended.status == 0

    async def line(self, *arguments: str) -> str:
        return (await self(*arguments)).decode(errors="replace").strip()

    async def _run(
        self,
        arguments: tuple[str, ...],
        stdin: bytes,
        timeout: timedelta,
        variables: Mapping[str, str],
    ) -> Ended:
        if not self.directory.is_dir():
            raise GitFailed(f"{self.directory.name} is not in the workspace any more")
        # Without this, a checkout that lost its `.git` would be a part of whatever is around it.
        alone = {**_ALONE, "GIT_CEILING_DIRECTORIES": str(self.directory.parent)}
        return await run(
            ("git", *_QUIET, *arguments),
            within=self.directory,
            environment={**self.environment, **alone, **variables},
            stdin=stdin,
            timeout=timeout,
        )

    def _reason(self, what: str, status: int, errors: bytes) -> str:
        lines = self.redact(plain(errors.decode(errors="replace"))).splitlines()
        telling = [line.strip() for line in lines if _tells(line)]
        return "; ".join(telling)[-REASON_CHARS:] or f"git {what} ended with status {status}"


def _tells(line: str) -> bool:
    return bool(line.strip()) and not line.startswith(_TALK)
