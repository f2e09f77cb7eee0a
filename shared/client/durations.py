"""Durations for people."""

from datetime import timedelta


def short(duration: timedelta) -> str:
    """`1.4 s` below a minute, `2:05` and `1:02:05` above."""
    if duration < timedelta(minutes=1):
        return f"{duration.total_seconds():.1f} s"
    return clock(duration)


def clock(duration: timedelta) -> str:
    minutes, seconds = divmod(int(duration.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
