"""What the words of a state machine's definition mean: paths, choices, retries, catches.

The part of the Amazon States Language that `sandbox_life` may use. A word that is not known here
raises, so that a definition cannot quietly mean less than it says.
"""

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

type Data = dict[str, Any]
type State = Mapping[str, Any]

_TIMEOUTS = {"States.Timeout", "States.HeartbeatTimeout"}
_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "StringEquals": operator.eq,
    "BooleanEquals": operator.eq,
    "NumericEquals": operator.eq,
    "NumericLessThan": operator.lt,
    "NumericLessThanEquals": operator.le,
    "NumericGreaterThan": operator.gt,
    "NumericGreaterThanEquals": operator.ge,
}
_WHETHER: Mapping[str, Callable[[Any], bool]] = {
    "IsPresent": lambda found: found is not _ABSENT,
    "IsNull": lambda found: found is None,
    "IsString": lambda found: isinstance(found, str),
}
_ABSENT = object()


class Unknown(NotImplementedError):
    """A word of the language that this interpreter has not learned."""


def look(data: Data, path: str) -> Any:
    found = _find(data, path)
    if found is _ABSENT:
        raise KeyError(path)
    return found


def _find(data: Data, path: str) -> Any:
    if path == "$":
        return data
    if not path.startswith("$.") or any(sign in path for sign in "[*?("):
        raise Unknown(path)
    found: Any = data
    for name in path[2:].split("."):
        inner = _object(found)
        if name not in inner:
            return _ABSENT
        found = inner[name]
    return found


def _object(value: Any) -> Data:
    return cast("Data", value) if isinstance(value, dict) else {}


def fill(template: Any, data: Data, context: Data) -> Any:
    """`Parameters`: a key that ends in `.$` holds a path, of the state or of the context."""
    if isinstance(template, list):
        return [fill(each, data, context) for each in cast("list[Any]", template)]
    if not isinstance(template, dict):
        return template
    filled: Data = {}
    for key, value in _object(template).items():
        if not key.endswith(".$"):
            filled[key] = fill(value, data, context)
        elif value.startswith("$$."):
            filled[key[:-2]] = look(context, value[1:])
        else:
            filled[key[:-2]] = look(data, value)
    return filled


def put(data: Data, path: str | None, result: Any) -> Data:
    """`ResultPath`: null keeps the input, `$` replaces it."""
    if path is None:
        return data
    if path == "$":
        return result
    name, _, rest = path.removeprefix("$.").partition(".")
    inner: Data = data.get(name) or {}
    return {**data, name: put(inner, f"$.{rest}", result) if rest else result}


def choose(state: State, data: Data) -> str:
    for choice in state["Choices"]:
        if holds(choice, data):
            return choice["Next"]
    return state["Default"]


def holds(rule: Mapping[str, Any], data: Data) -> bool:
    words = set(rule) - {"Next", "Variable", "Comment"}
    if len(words) != 1:
        raise Unknown(f"a choice of {words}")
    (word,) = words
    match word:
        case "And":
            return all(holds(each, data) for each in rule["And"])
        case "Or":
            return any(holds(each, data) for each in rule["Or"])
        case "Not":
            return not holds(rule["Not"], data)
        case _:
            return _compares(word, rule[word], _find(data, rule["Variable"]))


def _compares(word: str, wanted: Any, found: Any) -> bool:
    if word in _WHETHER:
        return _WHETHER[word](found) == wanted
    if word not in _COMPARE:
        raise Unknown(word)
    if found is _ABSENT:
        raise KeyError(word)
    return type(found) is type(wanted) and _COMPARE[word](found, wanted)


def matches(names: Iterable[str], error: str) -> bool:
    for name in names:
        if name in {error, "States.ALL"}:
            return True
        if name == "States.Timeout" and error in _TIMEOUTS:
            return True
        if name == "States.TaskFailed" and error not in _TIMEOUTS:
            return True
    return False


def retry(state: State, error: str, spent: Mapping[int, int]) -> tuple[int, float] | None:
    """Which of its retriers takes this one, and how long at most it waits first."""
    for index, retrier in enumerate(state.get("Retry", ())):
        if matches(retrier["ErrorEquals"], error):
            tries = spent.get(index, 0)
            if tries >= retrier.get("MaxAttempts", 3):
                return None
            wait = retrier.get("IntervalSeconds", 1) * retrier.get("BackoffRate", 2.0) ** tries
            return index, min(wait, retrier.get("MaxDelaySeconds", wait))
    return None


def catch(state: State, error: str) -> Mapping[str, Any] | None:
    return next(
        (each for each in state.get("Catch", ()) if matches(each["ErrorEquals"], error)), None
    )


def seconds(state: State, data: Data, word: str) -> float | None:
    """`TimeoutSeconds` or `HeartbeatSeconds`, said outright or by path."""
    if (path := state.get(f"{word}Path")) is not None:
        return float(look(data, path))
    said = state.get(word)
    return None if said is None else float(said)
