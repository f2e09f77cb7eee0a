"""The tools that a harness offers, under one set of names whoever offers them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from infra.local.demo_model.conversation import Offered
from infra.local.demo_model.reply import ToolCall

# What a harness may call the parameter, without case and underscores.
_PARAMETERS: Final[Mapping[str, str]] = {
    "command": "command",
    "content": "content",
    "description": "description",
    "file": "path",
    "filepath": "path",
    "newstring": "new",
    "oldstring": "old",
    "path": "path",
}
_NUMBERED: Final = re.compile(r"^\s*\d+(?:: |→|\t)(.*)$")


@dataclass(frozen=True, slots=True)
class Hands:
    offered: tuple[Offered, ...]

    def can(self, *names: str) -> bool:
        return {name.lower() for name in names} <= {tool.name.lower() for tool in self.offered}

    def run(self, command: str, description: str) -> ToolCall:
        return self._call("bash", command=command, description=description)

    def read(self, path: str) -> ToolCall:
        return self._call("read", path=path)

    def write(self, path: str, content: str) -> ToolCall:
        return self._call("write", path=path, content=content)

    def edit(self, path: str, *, old: str, new: str) -> ToolCall:
        return self._call("edit", path=path, old=old, new=new)

    def _call(self, name: str, **values: str) -> ToolCall:
        tool = next(tool for tool in self.offered if tool.name.lower() == name)
        named = ((given, _PARAMETERS.get(_plain(given), "")) for given in tool.parameters)
        return ToolCall(
            tool.name, {given: values[meaning] for given, meaning in named if meaning in values}
        )


def lines_of(shown: str) -> list[str]:
    """The lines of a file as a read tool shows it: each behind its number."""
    matches = (_NUMBERED.match(line) for line in shown.splitlines())
    return [match.group(1) for match in matches if match]


def _plain(name: str) -> str:
    return name.replace("_", "").lower()
