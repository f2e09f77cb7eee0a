"""Durations for people."""

import re
from datetime import timedelta

_UNITS = {"h": timedelta(hours=1), "m": timedelta(minutes=1), "s": timedelta(seconds=1)}
_WRITTEN = re.compile(r"(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?", re.ASCII)


def short(duration: timedelta) -> str:
    """`1.4 s` below a minute, `2:05` and `1:02:05` above."""
    if duration < timedelta(minutes=1):
        return f"{duration.total_seconds():.1f} s"
    return clock(duration)


def clock(duration: timedelta) -> str:
    minutes, seconds = divmod(int(duration.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def parse(text: str) -> timedelta:
    """`2h`, `90m`, `1h30m`, `45s`. Raises `ValueError`."""
    written = _WRITTEN.fullmatch(text)
    if not text or written is None:
        raise ValueError(f"{text!r} is no duration; write it like 2h, 10m or 1h30m")
    parts = zip(written.groups("0"), _UNITS.values(), strict=True)
    return sum((int(number) * unit for number, unit in parts), timedelta())


def unit_words(duration: timedelta) -> str:
    """As `parse` takes it."""
    words = ""
    for unit, size in _UNITS.items():
        number, duration = divmod(duration, size)
        words += f"{number}{unit}" if number else ""
    return words or "0s"
