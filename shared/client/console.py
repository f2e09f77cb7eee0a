"""What a command says: its result on the standard output, remarks about it on the other one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from shared.client.errors import ClientError
from shared.client.lines import Line
from shared.client.screen import Screen
from shared.client.untrusted import clean
from shared.client.wire import line


@dataclass(frozen=True, slots=True)
class Console:
    screen: Screen
    json: bool

    def say(self, value: BaseModel | Mapping[str, Any], lines: Iterable[Line | str] = ()) -> None:
        """To a program the value, to a person the lines."""
        if self.json:
            self.screen.show((Line(line(value)),))
        else:
            self.screen.show(said if isinstance(said, Line) else Line(said) for said in lines)

    def remark(self, text: str) -> None:
        self.screen.note(f"outboard: {clean(text)}")

    def fail(self, error: ClientError) -> None:
        self.remark(str(error))
        if self.json:
            self.say({"error": str(error), "code": error.code})
