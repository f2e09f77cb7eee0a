"""The models that a session can name, and which of them the keys at hand can reach.

An id is `provider/model` on every wire. A name that is not here may still be one of the provider's,
but nobody has checked which efforts it takes, so it is refused.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal

type Provider = Literal["anthropic", "openai", "custom", "demo"]
type Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]


@dataclass(frozen=True, slots=True)
class Model:
    """`default_effort` is asked for when nobody chose one; None leaves it to the provider."""

    id: str
    label: str
    provider: Provider
    efforts: tuple[Effort, ...] = ()
    default_effort: Effort | None = None


_BUDGETS: Final[tuple[Effort, ...]] = ("high", "max")
_STEPS: Final[tuple[Effort, ...]] = ("low", "medium", "high")
_TO_MAX: Final[tuple[Effort, ...]] = (*_STEPS, "max")
_FINE: Final[tuple[Effort, ...]] = (*_STEPS, "xhigh", "max")
_GPT_5: Final[tuple[Effort, ...]] = ("minimal", *_STEPS)
_FROM_NONE: Final[tuple[Effort, ...]] = ("none", *_STEPS, "xhigh")


def _claude(name: str, label: str, efforts: tuple[Effort, ...]) -> Model:
    return Model(f"anthropic/claude-{name}", f"Claude {label}", "anthropic", efforts, "high")


def _gpt(name: str, label: str, efforts: tuple[Effort, ...]) -> Model:
    return Model(f"openai/gpt-{name}", f"GPT-{label}", "openai", efforts)


DEMO: Final = Model("demo/scripted", "Scripted demo model", "demo")

CATALOGUE: Final[tuple[Model, ...]] = (
    _claude("sonnet-5", "Sonnet 5", _FINE),
    _claude("opus-5-5", "Opus 5.5", _FINE),
    _claude("opus-5", "Opus 5", _FINE),
    _claude("fable-5-1", "Fable 5.1", _FINE),
    _claude("fable-5", "Fable 5", _FINE),
    _claude("opus-4-8", "Opus 4.8", _FINE),
    _claude("opus-4-7", "Opus 4.7", _FINE),
    _claude("sonnet-4-6", "Sonnet 4.6", _TO_MAX),
    _claude("opus-4-6", "Opus 4.6", _TO_MAX),
    _claude("sonnet-4-5", "Sonnet 4.5", _BUDGETS),
    _claude("opus-4-5", "Opus 4.5", _STEPS),
    _claude("haiku-4-5", "Haiku 4.5", _BUDGETS),
    _gpt("5.5", "5.5", _FROM_NONE),
    _gpt("6-sol", "6 Sol", (*_FROM_NONE, "max")),
    _gpt("6-luna", "6 Luna", (*_FROM_NONE, "max")),
    _gpt("6-astra", "6 Astra", _FINE),
    _gpt("5.6-sol", "5.6 Sol", (*_FROM_NONE, "max")),
    _gpt("5.6-terra", "5.6 Terra", (*_FROM_NONE, "max")),
    _gpt("5.6-luna", "5.6 Luna", (*_FROM_NONE, "max")),
    _gpt("5.4", "5.4", _FROM_NONE),
    _gpt("5.4-mini", "5.4 mini", _FROM_NONE),
    _gpt("5.3-codex", "5.3 Codex", _FROM_NONE),
    _gpt("5.2", "5.2", _FROM_NONE),
    _gpt("5", "5", _GPT_5),
    _gpt("5-mini", "5 mini", _GPT_5),
    DEMO,
)
"""The first of a provider is its default."""


def providers(variables: Collection[str]) -> tuple[Provider, ...]:
    """Whom the set variables of these names reach, the preferred one first.

    OUTBOARD_MODEL makes the OpenAI variables speak of that one model on a server of the user's
    own; its name was typed by hand, so it comes first. The demo model is for a machine that runs
    one and has nothing better.
    """
    own = "OUTBOARD_MODEL" in variables and (
        "OPENAI_BASE_URL" in variables or "OPENAI_API_KEY" in variables
    )
    has_demo = "OUTBOARD_DEMO_MODEL_URL" in variables
    demo: tuple[Provider, ...] = ("demo",) if has_demo else ()
    reached: tuple[tuple[Provider, bool], ...] = (
        ("custom", own),
        ("anthropic", "ANTHROPIC_API_KEY" in variables),
        ("openai", "OPENAI_API_KEY" in variables and not own),
    )
    return tuple(provider for provider, is_reached in reached if is_reached) or demo


def available(variables: Collection[str], custom_model: str = "") -> tuple[Model, ...]:
    """The models that the set variables of these names reach; the first is the default.

    `custom_model` is the value of OUTBOARD_MODEL.
    """
    return tuple(
        model
        for provider in providers(variables)
        for model in (*CATALOGUE, custom(custom_model))
        if model.provider == provider
    )


def custom(name: str) -> Model:
    """A model on a server of the user's own. It is sent the effort that was asked for, as it is."""
    return Model(f"custom/{name}", name, "custom", _STEPS)


def find(models: Collection[Model], id: str) -> Model | None:  # noqa: A002 - the word on the wire
    return next((model for model in models if model.id == id), None)
