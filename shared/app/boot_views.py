"""The history of boots, as the wire has it."""

from shared.app.ports.boots import BootRecord
from shared.domain.session.facts import BootPhase
from shared.protocol.boots import BootPhaseView, BootView


def of_boot(record: BootRecord) -> BootView:
    return BootView(
        attempt=record.attempt,
        boot=record.boot,
        status=record.status,
        phase=record.phase,
        started_at=record.started_at,
        launched_at=record.launched_at,
        connected_at=record.connected_at,
        ready_at=record.ready_at,
        ended_at=record.ended_at,
        retired_at=record.retired_at,
        ending=record.ending,
        error=record.error,
        phases=[_phase(phase) for phase in record.phases],
    )


def _phase(phase: BootPhase) -> BootPhaseView:
    return BootPhaseView(
        phase=phase.phase,
        status=phase.status,
        repository=phase.repository,
        elapsed_ms=phase.elapsed_ms,
        warning=phase.warning,
        error=phase.error,
        output_tail=phase.tail,
    )
