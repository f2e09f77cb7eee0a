"""`python -m shared.protocol.schema`: what a browser says and hears, as one JSON Schema.

The client's types are generated from it, so that they can't drift from these models. A name says
which wire it is of: `…Event` stands in the timeline, `…Message` goes over the socket.
"""

import inspect
import json
import sys
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

import shared.protocol
from shared.protocol import api, client, events, server_events

_NOT_A_BROWSERS = frozenset(
    {"base", "bridge", "change_bundles", "credentials", "github", "operator", "schema"}
)
"""Modules with wires that are none of its business, or with none of their own."""

_IN_THE_TIMELINE = frozenset({events.__name__, server_events.__name__})

_ALSO_ASKED = frozenset(
    {
        "EnvironmentChange",
        "ProfileChange",
        "PullRequestPolicyView",
        "ReadMark",
        "Rename",
        "SandboxSettingsChoice",
        "SignIn",
        "SignOutEverywhere",
    }
)

type _Json = dict[str, _Json] | list[_Json] | str | float | bool | None
type _Schema = dict[str, Any]


def schema() -> _Schema:
    """Every model as a definition.

    A field with a default may be left out of what a browser asks, and of an event that an older
    bridge said. What the server answers has all of its fields.
    """
    models = [model for module in _wires() for model in _models(module)]
    places, described = models_json_schema(
        [(model, "validation") for model in models],
        by_alias=True,
        ref_template="#/definitions/{model}",
    )
    found: dict[str, _Schema] = described["$defs"]
    names = {_reference(places[model, "validation"]): _name(model) for model in models}
    definitions = {names.get(key, key): _definition(value, names) for key, value in found.items()}
    for model in models:
        definitions[_name(model)]["required"] = _required(model, definitions[_name(model)])
    unions = {name: _union(members) for name, members in _unions().items()}
    return {"definitions": dict(sorted((definitions | unions).items()))}


def is_asked(model: type[BaseModel]) -> bool:
    """Whether it is said by a browser, and not by the server."""
    name = model.__name__
    return name.startswith("New") or name in _ALSO_ASKED or model in _members(client.FromClient)


def _wires() -> list[ModuleType]:
    names = [found.name for found in iter_modules(shared.protocol.__path__)]
    return [
        import_module(f"{shared.protocol.__name__}.{name}")
        for name in names
        if name not in _NOT_A_BROWSERS
    ]


def _models(module: ModuleType) -> list[type[BaseModel]]:
    return [
        found
        for _, found in inspect.getmembers(module, inspect.isclass)
        if issubclass(found, BaseModel) and found.__module__ == module.__name__
    ]


def _unions() -> dict[str, tuple[type[BaseModel], ...]]:
    return {
        "FromClient": _members(client.FromClient),
        "ToClient": _members(client.ToClient),
        "BridgeEvent": _members(events.BridgeEvent),
        "ServerEvent": _members(server_events.ServerEvent),
    }


def _members(union: Any) -> tuple[type[BaseModel], ...]:
    value = union.__value__
    described = get_args(value)
    return get_args(described[0]) if hasattr(value, "__metadata__") else described


def _name(model: type[BaseModel]) -> str:
    if "type" not in model.model_fields or model.model_fields["type"].is_required():
        return model.__name__
    return model.__name__ + ("Event" if model.__module__ in _IN_THE_TIMELINE else "Message")


def _required(model: type[BaseModel], definition: _Schema) -> list[str]:
    """What is dumped without its empty fields, as errors are, has only those without a default."""
    all_of_them = list(definition.get("properties", {}))
    without_default = {"type", *definition.get("required", ())}
    answered = not is_asked(model) and model.__module__ not in _IN_THE_TIMELINE
    if answered and model is not api.ErrorView:
        return all_of_them
    return [name for name in all_of_them if name in without_default]


def _union(members: tuple[type[BaseModel], ...]) -> _Schema:
    return {"anyOf": [{"$ref": f"#/definitions/{_name(member)}"} for member in members]}


def _reference(place: _Schema) -> str:
    return str(place["$ref"]).rpartition("/")[2]


def _plain(value: _Json, names: dict[str, str]) -> _Json:
    """Without titles, which would all become types, and with our names."""
    match value:
        case {"$ref": str(place)}:
            key = place.rpartition("/")[2]
            return {"$ref": f"#/definitions/{names.get(key, key)}"}
        case dict():
            return {
                key: _properties(inner, names) if key == "properties" else _plain(inner, names)
                for key, inner in value.items()
                if key not in {"title", "discriminator"}
            }
        case list():
            return [_plain(part, names) for part in value]
        case _:
            return value


def _definition(value: _Schema, names: dict[str, str]) -> _Schema:
    plain = _plain(value, names)
    assert isinstance(plain, dict)
    return plain


def _properties(value: _Json, names: dict[str, str]) -> _Json:
    """A field may have the name of a word of JSON Schema, `title` for one."""
    assert isinstance(value, dict)
    return {name: _plain(field, names) for name, field in value.items()}


if __name__ == "__main__":
    json.dump(schema(), sys.stdout, indent=1)
