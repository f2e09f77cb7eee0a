"""The wire as the browser's types are generated from it."""

import inspect
from importlib import import_module
from pkgutil import iter_modules
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from aws_lambda_powertools.event_handler.openapi.params import Body
from pydantic import BaseModel

from shared.edge import http
from shared.protocol.schema import is_asked, schema

DEFINITIONS: dict[str, Any] = schema()["definitions"]


def test_what_the_server_answers_has_all_of_its_fields() -> None:
    frame = DEFINITIONS["FrameMessage"]

    assert set(frame["required"]) == set(frame["properties"])


def test_an_event_of_an_older_bridge_may_lack_what_has_a_default() -> None:
    tool = DEFINITIONS["ToolEvent"]

    assert tool["required"] == ["type", "prompt", "call", "tool", "status"]


def test_what_a_browser_asks_may_leave_out_what_has_a_default() -> None:
    subscribe = DEFINITIONS["SubscribeMessage"]

    assert subscribe["required"] == ["type"]


def test_names_tell_the_wires_apart() -> None:
    assert {"PromptAccepted", "PromptAcceptedMessage", "PromptQueuedEvent"} <= set(DEFINITIONS)
    assert not [name for name in DEFINITIONS if "__" in name]


def test_every_reference_is_defined() -> None:
    assert {_name(place) for place in _references(DEFINITIONS)} <= set(DEFINITIONS)


def test_every_body_with_a_default_counts_as_asked() -> None:
    with_defaults = [
        body
        for body in _bodies()
        if any(not field.is_required() for field in body.model_fields.values())
    ]

    assert with_defaults
    assert [body.__name__ for body in with_defaults if not is_asked(body)] == []


def _bodies() -> list[type[BaseModel]]:
    modules = [
        import_module(f"{http.__name__}.{found.name}") for found in iter_modules(http.__path__)
    ]
    functions = [
        function
        for module in modules
        for _, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
    ]
    hints = [hint for function in functions for hint in _hints(function)]
    return [get_args(hint)[0] for hint in hints if _is_body(hint)]


def _hints(function: Any) -> list[Any]:
    return list(get_type_hints(function, include_extras=True).values())


def _is_body(hint: Any) -> bool:
    return get_origin(hint) is Annotated and any(isinstance(part, Body) for part in get_args(hint))


def _references(value: Any) -> list[str]:
    if isinstance(value, dict):
        found: dict[str, Any] = value
        here = [found["$ref"]] if isinstance(found.get("$ref"), str) else []
        return here + [place for inner in found.values() for place in _references(inner)]
    if isinstance(value, list):
        parts: list[Any] = value
        return [place for part in parts for place in _references(part)]
    return []


def _name(place: str) -> str:
    return place.rpartition("/")[2]
