"""What GitHub publishes of its webhooks: an example or several of each kind and action."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / ".build" / "github-webhooks.json"

needs_examples = pytest.mark.skipif(
    not EXAMPLES.exists(), reason="GitHub's examples of webhooks are not here: make github-openapi"
)


@dataclass(frozen=True, slots=True)
class Example:
    kind: str
    payload: Any

    @property
    def action(self) -> str:
        return self.payload.get("action", "")


@cache
def examples() -> Sequence[Example]:
    kinds = json.loads(EXAMPLES.read_text())
    return [Example(kind["name"], one) for kind in kinds for one in kind["examples"]]


def of_kind(kind: str) -> Sequence[Example]:
    return [example for example in examples() if example.kind == kind]
