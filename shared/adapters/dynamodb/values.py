"""Frozen dataclasses as JSON and back, led by their annotations.

Items outlive the code that wrote them: a field that is missing takes its default, one that nobody
knows any more is dropped. So a new field of a stored class needs a default, and nothing else.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import Field, fields, is_dataclass
from datetime import datetime, timedelta
from enum import Enum
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, NewType, TypeAliasType, Union, get_args, get_origin, get_type_hints

_TICK = timedelta(microseconds=1)


def dump(value: Any) -> str:
    return compact(plain(value))


def load[T](kind: type[T], text: str) -> T:
    return restored(kind, json.loads(text))


def compact(value: Any) -> str:
    """Without blanks and with text as it is: a third of the size for most of the world's scripts.

    A lone surrogate, which a sandbox may well send, has no UTF-8; such a value is escaped.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"))
    return text


def plain(value: Any) -> Any:
    match value:
        case datetime():
            return value.isoformat()
        case timedelta():
            return value // _TICK
        case tuple():
            return [plain(part) for part in value]  # pyright: ignore[reportUnknownVariableType] - of anything
        case _ if is_dataclass(value):
            return {
                field.name: plain(part)
                for field in fields(value)
                if not _says_nothing(field, part := getattr(value, field.name))
            }
        case _:
            return value


def restored[T](kind: type[T], data: Any) -> T:
    return _reader(kind)(data)


def _says_nothing(field: Field[Any], value: Any) -> bool:
    return value is None and field.default is None


type _Reader = Callable[[Any], Any]


@cache
def _reader(hint: Any) -> _Reader:
    match hint:
        case TypeAliasType():
            return _reader(hint.__value__)
        case NewType():
            return _reader(hint.__supertype__)
        case _ if hint is datetime:
            return datetime.fromisoformat
        case _ if hint is timedelta:
            return lambda ticks: ticks * _TICK
        case _ if hint is float or (isinstance(hint, type) and issubclass(hint, Enum)):
            return hint
        case _ if is_dataclass(hint):
            return partial(_record, hint)
        case _:
            return _composite(hint)


def _composite(hint: Any) -> _Reader:
    arguments = get_args(hint)
    origin = get_origin(hint)
    if origin in {Union, UnionType}:
        (present,) = (part for part in arguments if part is not NoneType)
        read = _reader(present)
        return lambda value: None if value is None else read(value)
    if origin is tuple and arguments[-1] is Ellipsis:
        read = _reader(arguments[0])
        return lambda values: tuple(read(value) for value in values)
    if origin is tuple:
        readers = tuple(_reader(part) for part in arguments)
        return lambda values: tuple(
            read(value) for read, value in zip(readers, values, strict=True)
        )
    return lambda value: value


def _record(kind: Any, data: Mapping[str, Any]) -> Any:
    known = {name: read(data[name]) for name, read in _readers(kind) if name in data}
    return kind(**known)


@cache
def _readers(kind: Any) -> tuple[tuple[str, _Reader], ...]:
    hints = get_type_hints(kind)
    return tuple((field.name, _reader(hints[field.name])) for field in fields(kind))
