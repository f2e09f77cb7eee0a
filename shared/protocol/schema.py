"""`python -m shared.protocol.schema`: what a browser says and hears, as one JSON Schema.

The client's types are generated from it, so that they can't drift from these models.
"""

import inspect
import json
from types import ModuleType
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from shared.protocol import api, boots, client, events, inbox, settings, tokens
from shared.protocol.base import Strict, Tolerant

_WIRES = (api, boots, client, events, inbox, settings, tokens)
"""Bridges' own wire is none of a browser's business."""


def schema() -> dict[str, Any]:
    """Every model as a definition. What is shown has all of its fields, so none is optional."""
    wanted = [(model, "serialization") for module in _WIRES for model in _models(module)]
    _, described = models_json_schema(wanted, by_alias=True, title="Wire")  # pyright: ignore[reportArgumentType]
    return described


def _models(module: ModuleType) -> list[type[BaseModel]]:
    return [
        found
        for _, found in inspect.getmembers(module, inspect.isclass)
        if issubclass(found, BaseModel)
        and found not in {BaseModel, Strict, Tolerant}
        and found.__module__ == module.__name__
    ]


if __name__ == "__main__":
    print(json.dumps(schema(), indent=1))  # noqa: T201  a program's output
