"""Looks into a real sandbox for what the definition says is in it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from e2b import E2B, CommandExitException, Sandbox

from infra.sandbox_template.contents import CONTENTS, Content

_SECONDS = 300
"""A sandbox that nobody came back to is gone after this."""
_SLOW_FIRST_START = 180.0
_NOT_FOUND = 127

type State = Literal["as defined", "different", "missing"]


@dataclass(frozen=True, slots=True)
class Finding:
    content: Content
    state: State
    said: str = ""

    def __str__(self) -> str:
        words = f"{self.state:10}  {self.content.name}"
        if self.state == "different":
            return f"{words}: {self.said!r} in place of {self.content.says!r}"
        return f"{words}: {self.said}" if self.said else words


def inspect(client: E2B, template: str) -> tuple[Finding, ...]:
    """In a new sandbox that is killed afterwards. The first one of a build is a slow one."""
    sandbox = client.Sandbox.create(template, timeout=_SECONDS, request_timeout=_SLOW_FIRST_START)
    try:
        return look(sandbox)
    finally:
        sandbox.kill()


def look(sandbox: Sandbox, contents: Iterable[Content] = CONTENTS) -> tuple[Finding, ...]:
    return tuple(_find(sandbox, content) for content in contents)


def summary(findings: Sequence[Finding]) -> str:
    others = [found.content.name for found in findings if found.state != "as defined"]
    count = f"{len(findings) - len(others)} of {len(findings)} as defined"
    return f"{count}; not so: {', '.join(others)}" if others else count


def _find(sandbox: Sandbox, content: Content) -> Finding:
    try:
        done = sandbox.commands.run(content.command)
    except CommandExitException as ended:
        said = _line(ended.stderr or ended.stdout)
        return Finding(content, "missing" if ended.exit_code == _NOT_FOUND else "different", said)
    state = "as defined" if content.says in done.stdout else "different"
    return Finding(content, state, _line(done.stdout))


def _line(text: str) -> str:
    """The first: what a version is in. A traceback's is of no use, so that one's last."""
    lines = text.strip().splitlines() or [""]
    return lines[-1] if lines[0].startswith("Traceback") else lines[0]
