"""Which models the user's own environment reaches, and what of it the deployment has to know."""

from collections.abc import Mapping
from dataclasses import dataclass

VARIABLES: tuple[str, ...] = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "OUTBOARD_MODEL",
)


@dataclass(frozen=True, slots=True)
class Models:
    secrets: Mapping[str, str]
    """As the deployment's secret holds them."""
    words: str
    demo: bool


def from_environment(environment: Mapping[str, str]) -> Models:
    given = {name: environment[name] for name in VARIABLES if environment.get(name)}
    reached = [words for words, names in _WAYS if names <= given.keys()]
    if reached:
        return Models(given, _named(reached[0], given), demo=False)
    return Models({}, _demo(given), demo=True)


_WAYS: tuple[tuple[str, frozenset[str]], ...] = (
    ("{OUTBOARD_MODEL} at {OPENAI_BASE_URL}", frozenset({"OUTBOARD_MODEL", "OPENAI_BASE_URL"})),
    ("{OUTBOARD_MODEL} of OpenAI", frozenset({"OUTBOARD_MODEL", "OPENAI_API_KEY"})),
    ("Anthropic's, by ANTHROPIC_API_KEY", frozenset({"ANTHROPIC_API_KEY"})),
    ("OpenAI's, by OPENAI_API_KEY", frozenset({"OPENAI_API_KEY"})),
)
"""The first whose variables are set is the default; `shared.protocol.models` knows each model."""

_HOW = "for a real one set ANTHROPIC_API_KEY, OPENAI_API_KEY, or OPENAI_BASE_URL and OUTBOARD_MODEL"


def _named(words: str, given: Mapping[str, str]) -> str:
    shown = {name: value for name, value in given.items() if not name.endswith("_KEY")}
    return words.format_map(shown)


def _demo(given: Mapping[str, str]) -> str:
    why = f"{' and '.join(given)} alone reach no other" if given else _HOW
    return f"the scripted demo model ({why})"
