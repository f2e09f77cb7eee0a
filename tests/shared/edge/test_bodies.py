"""What the API's routes take as bodies, as the browser's types know it."""

import inspect
from importlib import import_module
from pkgutil import iter_modules
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from aws_lambda_powertools.event_handler.openapi.params import Body
from pydantic import BaseModel

from shared.edge import http
from shared.protocol.schema import is_asked


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
    return [body for hint in hints if _is_body(hint) for body in _models(get_args(hint)[0])]


def _models(body: Any) -> list[type[BaseModel]]:
    """Where one may be left out, it is what is meant when it is not."""
    return [each for each in get_args(body) or (body,) if each is not type(None)]


def _hints(function: Any) -> list[Any]:
    return list(get_type_hints(function, include_extras=True).values())


def _is_body(hint: Any) -> bool:
    return get_origin(hint) is Annotated and any(isinstance(part, Body) for part in get_args(hint))
