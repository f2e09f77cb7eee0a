"""The history of a session's boots, as lines for a person."""

from collections.abc import Sequence
from datetime import datetime

from shared.client.boot import progress
from shared.client.durations import short
from shared.client.lines import Line, Tone
from shared.client.untrusted import clean_line
from shared.protocol.boots import BootPhaseView, BootView
from shared.protocol.events import BootProgress


def lines(found: Sequence[BootView]) -> tuple[Line, ...]:
    if not found:
        return (Line("no boots: the session never had a sandbox", Tone.DIM),)
    return tuple(line for boot in found for line in _boot(boot))


def _boot(boot: BootView) -> tuple[Line, ...]:
    when = f", {boot.started_at:%Y-%m-%d %H:%M:%S %Z}" if boot.started_at else ""
    heading = f"boot {boot.attempt} ({clean_line(boot.boot)}){when}: {_came_to(boot)}"
    error = (Line(f"  {clean_line(boot.error)}", Tone.BAD),) if boot.error else ()
    phases = (line for phase in boot.phases for line in _phase(phase))
    return (Line(heading, Tone.STRONG), *_times(boot), *phases, *error)


def _came_to(boot: BootView) -> str:
    if boot.ending is not None:
        return f"ended, {clean_line(boot.ending)}"
    if boot.ready_at is not None:
        return "ready"
    return f"in phase {clean_line(boot.phase)}" if boot.phase else "begun"


def _times(boot: BootView) -> tuple[Line, ...]:
    """Each since the start."""
    times = {
        "launched": boot.launched_at,
        "connected": boot.connected_at,
        "ready": boot.ready_at,
        "ended": boot.ended_at,
        "put away": boot.retired_at,
    }
    said = [f"{what} after {_since(boot, at)}" for what, at in times.items() if at]
    return (Line(f"  {', '.join(said)}", Tone.DIM),) if said and boot.started_at else ()


def _since(boot: BootView, moment: datetime) -> str:
    return short(moment - (boot.started_at or moment))


def _phase(phase: BootPhaseView) -> tuple[Line, ...]:
    event = BootProgress(
        phase=phase.phase,
        status="failed" if phase.status == "failed" else "completed",
        repository=phase.repository,
        elapsed_ms=phase.elapsed_ms,
        warning=phase.warning,
        error=phase.error,
        output_tail=phase.output_tail,
    )
    return tuple(Line(f"  {line.text}", line.tone) for line in progress(event))
