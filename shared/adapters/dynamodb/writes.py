"""What is written, as values: an item put, updated, deleted or only looked at, on a condition."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path
from pynamodb.expressions.update import Action

from shared.adapters.dynamodb.keys import PK, SK

type Attribute = Mapping[str, Any]
"""An attribute as DynamoDB writes it: `{"S": "text"}`."""

type Item = Mapping[str, Attribute]


def text(value: str) -> Attribute:
    return {"S": value}


def number(value: float) -> Attribute:
    return {"N": repr(value)}


def item(pk: str, sk: str, **attributes: Attribute | None) -> Item:
    present = {name: value for name, value in attributes.items() if value is not None}
    return {PK: text(pk), SK: text(sk), **present}


ABSENT: Condition = Path(PK).does_not_exist()
PRESENT: Condition = Path(PK).exists()


def equals(name: str, value: Attribute) -> Condition:
    return Path(name) == value


def assign(**attributes: Attribute | None) -> list[Action]:
    """None removes."""
    return [
        Path(name).remove() if value is None else Path(name).set(value)
        for name, value in attributes.items()
    ]


@dataclass(frozen=True, slots=True)
class Put:
    item: Item
    condition: Condition | None
    """None only inside a transaction whose other conditions guard it."""


@dataclass(frozen=True, slots=True)
class Update:
    pk: str
    sk: str
    actions: list[Action]
    condition: Condition | None = None
    """As with `Put`."""


@dataclass(frozen=True, slots=True)
class Delete:
    pk: str
    sk: str
    condition: Condition | None = None
    """None: gone is fine, and the key is never used again."""


@dataclass(frozen=True, slots=True)
class Check:
    pk: str
    sk: str
    condition: Condition


type Write = Put | Update | Delete | Check
