"""What is chosen about sandboxes, as lines for a person."""

from collections.abc import Sequence

from shared.client.choices import CHOICES
from shared.client.lines import Line, Tone
from shared.client.settings import summary, words
from shared.client.untrusted import clean_line
from shared.client.views import table
from shared.protocol.settings import SettingsInEffect, SettingsLevel


def everywhere(level: SettingsLevel, repositories: Sequence[SettingsLevel]) -> tuple[Line, ...]:
    rows = [(f"  {setting.name}", words(level.settings, setting)) for setting in CHOICES]
    own = [
        (f"  {clean_line(each.repository or '')}", summary(each.settings))
        for each in repositories
        if summary(each.settings)
    ]
    heading = Line("repositories with settings of their own:", Tone.STRONG)
    return (
        Line("sandboxes, where a repository has no setting of its own:", Tone.STRONG),
        *table(rows),
        *_changed(level),
        *((heading, *table(own)) if own else ()),
    )


def of_repository(level: SettingsLevel, in_effect: SettingsInEffect) -> tuple[Line, ...]:
    rows = [
        (f"  {setting.name}", words(level.settings, setting), words(in_effect.settings, setting))
        for setting in CHOICES
    ]
    heading = Line(f"sandboxes for {clean_line(in_effect.repository)}:", Tone.STRONG)
    return (heading, *table([("", "own", "in effect"), *rows]), *_changed(level))


def _changed(level: SettingsLevel) -> tuple[Line, ...]:
    if level.changed_at is None:
        return ()
    when = f"{level.changed_at:%Y-%m-%d %H:%M:%S %Z}"
    return (Line(f"changed by {clean_line(level.changed_by or '')}, {when}", Tone.DIM),)
