"""A sandbox on its way up and down, as lines."""

from datetime import timedelta

from shared.client.durations import short
from shared.client.lines import Line, Tone, cut
from shared.client.untrusted import clean, clean_line
from shared.protocol.events import BootProgress, Fatal, Ready
from shared.protocol.server_events import SandboxSpawning, SandboxStatusChanged

ROW_CELLS = 200

SCRIPTS = frozenset({"setup", "start"})
"""Phases that run what the repository brought, which may take minutes."""


def progress(event: BootProgress) -> tuple[Line, ...]:
    what = f"boot: {event.phase}"
    if event.repository:
        what += f" {clean_line(event.repository)}"
    match event.status:
        case "started":
            return (Line(f"{what} ...", Tone.DIM),) if event.phase in SCRIPTS else ()
        case "completed":
            done = Line(f"{what} done in {_elapsed(event)}", Tone.DIM)
            return (done, *_warning(event), *_tail(event)) if event.warning else (done,)
        case "failed":
            why = f": {clean_line(event.error)}" if event.error else ""
            return (Line(f"{what} failed after {_elapsed(event)}{why}", Tone.BAD), *_tail(event))


def sandbox(event: Ready | Fatal | SandboxSpawning | SandboxStatusChanged) -> tuple[Line, ...]:
    match event:
        case Ready(harness=harness, isolation=isolation):
            isolated = f", isolation: {clean_line(isolation)}" if isolation else ""
            return (Line(f"sandbox ready: {clean_line(harness)}{isolated}", Tone.DIM),)
        case Fatal(error=error):
            return (Line(f"the sandbox gave up: {clean_line(error)}", Tone.BAD),)
        case SandboxSpawning(attempt=attempt, resumed=resumed):
            verb = "resumes" if resumed else "starts"
            return (Line(f"sandbox {attempt} {verb}", Tone.DIM),)
        case SandboxStatusChanged():
            return _status(event)


def _status(event: SandboxStatusChanged) -> tuple[Line, ...]:
    if event.status not in {"stopped", "stale", "failed"}:
        return ()  # on its way up; the phases say it better
    why = clean_line(event.error or event.reason or "")
    line = f"sandbox {event.attempt} {event.status}"
    tone = Tone.DIM if event.status == "stopped" else Tone.BAD
    return (Line(f"{line}: {why}" if why else line, tone),)


def _elapsed(event: BootProgress) -> str:
    return short(timedelta(milliseconds=max(event.elapsed_ms, 0)))


def _warning(event: BootProgress) -> tuple[Line, ...]:
    return (Line(f"  warning: {clean_line(event.warning or '')}", Tone.BAD),)


def _tail(event: BootProgress) -> tuple[Line, ...]:
    """Whole: the bridge has bounded it, and the reason is often its first line."""
    rows = clean(event.output_tail or "").rstrip()
    return tuple(Line(f"  | {cut(row, ROW_CELLS)}", Tone.DIM) for row in rows.split("\n") if rows)
