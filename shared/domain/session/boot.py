"""Decisions about an attempt that comes up: from its first provider call until its boot is over."""

from shared.domain.session.commands import (
    BecomeReady,
    Connect,
    FilesGone,
    GiveUp,
    Launched,
    LaunchFailed,
    Launching,
    ReportPhase,
    UseImage,
    Vanished,
)
from shared.domain.session.decision import NOTHING, Decision
from shared.domain.session.ending import end
from shared.domain.session.evolve import evolve_all
from shared.domain.session.facts import (
    AttemptIdentified,
    AttemptLaunched,
    BootChosen,
    BootOver,
    BootPhase,
    BridgeConnected,
    BridgeReady,
    PhaseReported,
    SandboxMoved,
    SnapshotLost,
    TurnsMissed,
    WorkspaceLost,
)
from shared.domain.session.failures import Failure
from shared.domain.session.idle import idle
from shared.domain.session.lifetime import drain_at
from shared.domain.session.queue import go_on
from shared.domain.session.rules import Moment
from shared.domain.session.sandbox import Attempt, Boot, Ending, SandboxStatus
from shared.domain.session.state import Session
from shared.domain.session.waits import broken

_WHAT_IS_LEFT = "the next one begins with the last copy of its files, or with what was pushed"


def _booting(session: Session, number: int) -> Attempt | None:
    """The attempt of that number, while nothing has come of it yet."""
    attempt = session.current(number)
    return None if attempt is None or attempt.ending or attempt.connected else attempt


def launching(session: Session, command: Launching, moment: Moment) -> Decision:
    attempt = _booting(session, command.attempt)
    if attempt is None:
        return NOTHING
    if (attempt.token_hash, attempt.cursor_key) == (command.token_hash, command.cursor_key):
        return NOTHING
    due = attempt.boot_due or moment.now + moment.rules.boot_budget
    return Decision((AttemptIdentified(command.token_hash, command.cursor_key, due),))


def use_image(session: Session, command: UseImage) -> Decision:
    attempt = _booting(session, command.attempt)
    if attempt is None or attempt.boot is not Boot.FRESH or session.image_refused:
        return NOTHING
    return Decision((BootChosen(Boot.IMAGE, command.image),))


def files_gone(session: Session, command: FilesGone, moment: Moment) -> Decision:
    """Go on with the next best: the copy, else a new start from what was pushed."""
    attempt = _booting(session, command.attempt)
    if attempt is None or attempt.boot is not command.boot:
        return NOTHING
    match attempt.boot:
        case Boot.RESUME:
            lost = WorkspaceLost()
        case Boot.RESTORE:
            lost = SnapshotLost()
        case Boot.IMAGE:
            return end(session, Ending.IMAGE, moment, "the prebuilt image does not exist any more")
        case _:
            return NOTHING
    return Decision((lost, BootChosen(evolve_all(session, (lost,)).workspace.boot)))


def launched(session: Session, command: Launched, moment: Moment) -> Decision:
    """Kept even when the attempt has ended meanwhile: what was made must be put away."""
    attempt = session.current(command.attempt)
    if attempt is None:
        return NOTHING
    known = (attempt.provider_id, attempt.expires_at, attempt.tunnels)
    if known == (command.provider_id, command.expires_at, command.tunnels):
        return NOTHING
    if attempt.connected and attempt.provider_id not in {None, command.provider_id}:
        return NOTHING  # the bridge that works is in the other one, and so are the files
    if attempt.ending and attempt.provider_id == command.provider_id:
        return NOTHING  # nothing about it matters any more
    told = AttemptLaunched(command.provider_id, command.expires_at, command.tunnels)
    return Decision((told,)) + go_on(evolve_all(session, (told,)), moment)


def launch_failed(session: Session, command: LaunchFailed, moment: Moment) -> Decision:
    attempt = session.current(command.attempt)
    if attempt is None or attempt.connected:
        return NOTHING  # a provider's error after the bridge came does not fail a working sandbox
    return end(session, Ending.FAILED, moment, command.error, command.failure)


def vanished(session: Session, command: Vanished, moment: Moment) -> Decision:
    attempt = session.current(command.attempt)
    if attempt is None or attempt.provider_id != command.provider_id:
        return NOTHING
    error = "the sandbox does not exist any more"
    if attempt.ready:
        ended = end(session, Ending.STALE, moment, f"{error}; {_WHAT_IS_LEFT}")
    else:
        ended = end(session, Ending.FAILED, moment, error, Failure.BOOT)
    held = evolve_all(session, ended.events).workspace.provider_id == command.provider_id
    return ended + (Decision((WorkspaceLost(),)) if held else NOTHING)


def connect(session: Session, command: Connect, moment: Moment) -> Decision:
    attempt = _booting(session, command.attempt)
    if attempt is None:
        return NOTHING
    connected = Decision(
        (
            BridgeConnected(marks=command.marker is not None),
            SandboxMoved(SandboxStatus.CONNECTING),
        )
    )
    if attempt.resumed and command.marker is not None:
        after = evolve_all(session, connected.events)
        connected += _verified(after, attempt, command.marker, moment)
    return connected


def _verified(session: Session, attempt: Attempt, marker: int, moment: Moment) -> Decision:
    """Whether the files are all there; a newer mark is of a turn that nobody heard the end of."""
    workspace, copy = session.workspace, session.workspace.snapshot
    expected = copy.marker if copy is not None and attempt.beside else workspace.marker
    if marker >= expected:
        return NOTHING
    if attempt.boot is Boot.RESUME and copy is not None and copy.marker > marker:
        error = f"the sandbox woke without the files of prompt {workspace.marker}"
        return end(session, Ending.DAMAGED, moment, error) + Decision((WorkspaceLost(),))
    return Decision((TurnsMissed(marker),))


def report_phase(session: Session, command: ReportPhase) -> Decision:
    attempt = session.current(command.attempt)
    if attempt is None or attempt.ending or attempt.complete:
        return NOTHING
    told = BootPhase(
        phase=command.phase,
        status=command.status,
        repository=command.repository,
        elapsed_ms=command.elapsed_ms,
        warning=command.warning,
        error=command.error,
        tail=command.tail,
    )
    now = (command.phase, command.repository)
    moved = command.status == "started" and now != (attempt.phase, attempt.repository)
    return Decision((told, PhaseReported(*now)) if moved else (told,))


def become_ready(session: Session, command: BecomeReady, moment: Moment) -> Decision:
    attempt = session.current(command.attempt)
    if attempt is None or attempt.ending or attempt.ready:
        return NOTHING
    ready = connect(session, Connect(command.attempt), moment) + Decision(
        (
            BridgeReady(),
            *((BootOver(),) if command.complete else ()),
            SandboxMoved(SandboxStatus.READY),
        )
    )
    after = evolve_all(session, ready.events)
    if attempt.boot is not Boot.FRESH and _waits_in_vain(after, moment):
        error = "it was ready when there was no time left to work in its lifetime"
        return ready + end(after, Ending.FAILED, moment, error, Failure.BOOT)
    return ready + go_on(after, moment) + idle(after, moment)


def _waits_in_vain(session: Session, moment: Moment) -> bool:
    """Woken again it would take as long, and so on for ever."""
    until = drain_at(session.attempt, moment.rules) if session.attempt else None
    waits = session.queue and not session.held
    return bool(waits) and until is not None and moment.now >= until


def complete_boot(session: Session, number: int) -> Decision:
    attempt = session.current(number)
    if attempt is None or attempt.ending or not attempt.ready or attempt.complete:
        return NOTHING
    return Decision((BootOver(),))


def give_up(session: Session, command: GiveUp, moment: Moment) -> Decision:
    """Without its repositories or a script of theirs a boot has failed, whoever reads already."""
    attempt = session.current(command.attempt)
    if attempt is None:
        return NOTHING
    ending, failure = broken(attempt)
    if command.failure in {Failure.SCRIPT, Failure.REPOSITORY} and not attempt.complete:
        ending = Ending.FAILED
    if ending is Ending.FAILED:
        failure = command.failure
    return end(session, ending, moment, command.error, failure)
