"""Which models this sandbox may ask, where, and with which keys."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Self

from shared.protocol.models import Provider, providers

_OPENAI: Final = "https://api.openai.com/v1"
_VARIABLES: Final = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "OUTBOARD_MODEL",
    "OUTBOARD_DEMO_MODEL_URL",
)


@dataclass(frozen=True, slots=True)
class ModelAccess:
    """Base URLs are as their owners' own SDKs take them; None is the vendor's."""

    anthropic_key: str | None = field(default=None, repr=False)
    anthropic_url: str | None = None
    openai_key: str | None = field(default=None, repr=False)
    openai_url: str | None = None
    custom_model: str | None = None
    demo_url: str | None = None
    """Of a server that speaks like OpenAI, with its `/v1`."""

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Self:
        """Empty variables count as unset."""
        values = (environment.get(name) or None for name in _VARIABLES)
        return cls(*values)

    @property
    def providers(self) -> tuple[Provider, ...]:
        values = (
            self.anthropic_key,
            self.anthropic_url,
            self.openai_key,
            self.openai_url,
            self.custom_model,
            self.demo_url,
        )
        return providers({name for name, value in zip(_VARIABLES, values, strict=True) if value})

    @property
    def custom_url(self) -> str:
        return self.openai_url or _OPENAI
