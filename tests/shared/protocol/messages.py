"""Every message of every wire, and values of each for Hypothesis.

Built from what pydantic knows of a field, so that a new message or a new bound is tested unasked.
"""

import inspect
from datetime import UTC, datetime
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAliasType, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen
from hypothesis import strategies as st
from pydantic import BaseModel, StringConstraints
from pydantic.fields import FieldInfo

from shared.protocol import (
    api,
    boots,
    bridge,
    browser,
    change_bundles,
    changes,
    client,
    environments,
    events,
    provenance,
    server_events,
    settings,
)
from shared.protocol.base import Strict, Tolerant

WIRES = {
    api: Strict,
    boots: Strict,
    browser: Strict,
    environments: Strict,
    provenance: Strict,
    change_bundles: Tolerant,
    changes: Strict,
    settings: Strict,
    client: Strict,
    bridge: Tolerant,
    events: Tolerant,
    server_events: Tolerant,
}
MOST = 2**53
"""As far as a JSON number is a whole number to everybody."""

ALL = [
    kind
    for wire in WIRES
    for _, kind in inspect.getmembers(wire, inspect.isclass)
    if issubclass(kind, BaseModel) and kind.__module__ == wire.__name__
]


@cache
def values[M: BaseModel](kind: type[M]) -> st.SearchStrategy[M]:
    fields = {name: _field(field) for name, field in kind.model_fields.items()}
    return st.fixed_dictionaries(fields).map(kind.model_validate)


def _field(field: FieldInfo) -> st.SearchStrategy[Any]:
    return _typed(field.annotation, field.metadata)


def _typed(annotation: Any, bounds: list[Any]) -> st.SearchStrategy[Any]:
    if isinstance(annotation, TypeAliasType):
        return _typed(annotation.__value__, bounds)
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _typed(inner[0], [*inner[1:], *bounds])
    if origin is Literal:
        return st.sampled_from(inner)
    if origin in {Union, UnionType}:
        return st.one_of(*(_typed(part, bounds) for part in inner))
    if origin is list:
        least, most = _bound(bounds, MinLen, 0), min(_bound(bounds, MaxLen, 3), 3)
        return st.lists(_typed(inner[0], []), min_size=least, max_size=most)
    if origin is dict:
        return st.dictionaries(_text(12), _typed(inner[1], []), max_size=3)
    return _plain(annotation, bounds)


def _plain(annotation: Any, bounds: list[Any]) -> st.SearchStrategy[Any]:
    if annotation is str:
        return _string([bound for bound in bounds if isinstance(bound, StringConstraints)])
    if annotation is int:
        return st.integers(_bound(bounds, Ge, -MOST), _bound(bounds, Le, MOST))
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        return values(annotation)
    assert not [bound for bound in bounds if isinstance(bound, Gt | Lt)]
    return PLAIN[annotation]


def _string(bounds: list[StringConstraints]) -> st.SearchStrategy[str]:
    most = min([bound.max_length for bound in bounds if bound.max_length], default=100)
    least = max([bound.min_length for bound in bounds if bound.min_length], default=0)
    patterns = [bound.pattern for bound in bounds if bound.pattern]
    if not patterns:
        return _text(min(most, 100), least)
    matching = st.from_regex(
        str(patterns[0]), fullmatch=True, alphabet=st.characters(codec="utf-8")
    )
    return matching.filter(lambda text: least <= len(text) <= most and not text.endswith("\n"))


def _text(most: int, least: int = 0) -> st.SearchStrategy[str]:
    return st.text(st.characters(codec="utf-8"), min_size=least, max_size=most)


def _bound[N](bounds: list[Any], kind: type, default: N) -> N:
    names = {Ge: "ge", Le: "le", MinLen: "min_length", MaxLen: "max_length"}
    found = [getattr(bound, names[kind]) for bound in bounds if isinstance(bound, kind)]
    return found[0] if found else default


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-MOST, MOST) | _text(10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_text(5), inner, max_size=3),
    max_leaves=5,
)
MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    bool: st.booleans(),
    float: st.floats(0, 1e6, allow_nan=False),
    datetime: MOMENTS,
    object: JSON,
    Any: JSON,
    NoneType: st.none(),
}
