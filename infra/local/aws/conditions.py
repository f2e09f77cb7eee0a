"""Reads a query's KeyConditionExpression as far as is needed to find its place in a sorted list."""

from dataclasses import dataclass
from typing import Any

from ministack.services import dynamodb

from infra.local.aws import emulator

assert emulator.VERSION == "1.5.33", "written for the private names of this MiniStack"

type Token = tuple[str, str]

_COMPARISONS = ("EQ", "LT", "LE", "GT", "GE")


@dataclass(frozen=True, slots=True)
class Condition:
    operator: str
    """One of = < <= > >= begins_with BETWEEN."""
    values: tuple[Any, ...]
    """As DynamoDB writes them: {"S": "..."}."""


def parse(data: Any) -> dict[str, Condition] | None:
    """The condition on each key attribute, by its name; None if any of it is not understood."""
    expression = data.get("KeyConditionExpression")
    if not expression:
        return None
    tokens = [token for token in dynamodb._tokenize(expression) if token[0] != "EOF"]
    found: dict[str, Condition] = {}
    for clause in dynamodb._key_condition_clauses(_unwrapped(tokens)):
        read = _clause(_unwrapped(clause), data)
        if read is None or read[0] in found:
            return None
        found[read[0]] = read[1]
    return found


def _unwrapped(tokens: list[Token]) -> list[Token]:
    """Without the parentheses around the whole of it."""
    while (
        tokens
        and tokens[0][0] == "LPAREN"
        and dynamodb._find_matching_paren(tokens, 0) == len(tokens) - 1
    ):
        tokens = tokens[1:-1]
    return tokens


def _clause(tokens: list[Token], data: Any) -> tuple[str, Condition] | None:
    match [(kind, text.lower() if kind == "IDENT" else text) for kind, text in tokens]:
        case [_, (operator, symbol), ("VALUE_REF", value)] if operator in _COMPARISONS:
            return _condition(tokens[0], symbol, [value], data)
        case [_, ("IDENT", "between"), ("VALUE_REF", low), ("IDENT", "and"), ("VALUE_REF", high)]:
            return _condition(tokens[0], "BETWEEN", [low, high], data)
        case [("IDENT", "begins_with"), ("LPAREN", _), _, _, ("VALUE_REF", value), ("RPAREN", _)]:
            return _condition(tokens[2], "begins_with", [value], data)
        case _:
            return None


def _condition(
    name: Token, operator: str, references: list[str], data: Any
) -> tuple[str, Condition] | None:
    names = data.get("ExpressionAttributeNames") or {}
    values = data.get("ExpressionAttributeValues") or {}
    attribute = names.get(name[1]) if name[0] == "NAME_REF" else name[1]
    given = tuple(values.get(reference) for reference in references)
    if not isinstance(attribute, str) or not all(isinstance(value, dict) for value in given):
        return None
    return attribute, Condition(operator, given)
