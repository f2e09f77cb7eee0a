"""What is chosen about sandboxes: changed by the words of the command line, and shown by them."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from shared.client.choices import CHOICES, Choice
from shared.client.durations import unit_words
from shared.client.errors import Refused
from shared.domain.errors import Invalid
from shared.domain.sandbox_settings import SandboxSettings
from shared.protocol.settings import (
    SandboxSettingsChoice,
    SandboxSettingsView,
)

UNCHOSEN = "-"


def with_chosen(before: SandboxSettingsView, given: Mapping[str, Any]) -> SandboxSettingsChoice:
    """`given` by the domain's names. Raises `Refused`, naming the option."""
    named = {setting: given[setting.field] for setting in CHOICES if setting.field in given}
    try:
        SandboxSettings(**{setting.field: value for setting, value in named.items()}).check()
    except Invalid as error:
        option = next(setting.name for setting in CHOICES if setting.field == error.field)
        raise Refused(f"--{option}: {error.problem}") from error
    changed = {setting.wire: _on_the_wire(value) for setting, value in named.items()}
    return SandboxSettingsChoice.model_validate(before.model_dump() | changed)


def without(before: SandboxSettingsView, names: Iterable[str]) -> SandboxSettingsChoice:
    gone = dict.fromkeys(setting.wire for setting in CHOICES if setting.name in names)
    return SandboxSettingsChoice.model_validate(before.model_dump() | gone)


def _on_the_wire(value: timedelta | tuple[int, ...] | int) -> int | list[int]:
    match value:
        case timedelta():
            return value // timedelta(seconds=1)
        case tuple():
            return list(value)
        case _:
            return value


def words(settings: SandboxSettingsView, setting: Choice) -> str:
    value: list[int] | int | None = getattr(settings, setting.wire)
    match value:
        case None:
            return UNCHOSEN
        case list():
            return ",".join(map(str, value)) or "none"
        case _ if setting.metavar == "TIME":
            return unit_words(timedelta(seconds=value))
        case _:
            return f"{value} MiB" if setting.metavar == "MIB" else str(value)


def summary(settings: SandboxSettingsView) -> str:
    said = [(setting.name, words(settings, setting)) for setting in CHOICES]
    return ", ".join(f"{name} {value}" for name, value in said if value != UNCHOSEN)
