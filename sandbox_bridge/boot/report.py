"""Tells the server how far the boot has come: each phase begins, and is completed or failed."""

import logging
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from sandbox_bridge.harness.seam import Emit
from sandbox_bridge.redaction import Redactor
from shared.protocol.events import BootProgress, FatalKind, Phase, PhaseStatus

logger = logging.getLogger(__name__)

ERROR_CHARS = 1_000


class BootFailed(Exception):
    """The boot is over; the message says why, to the session's people."""

    def __init__(
        self,
        reason: str,
        *,
        kind: FatalKind = "runtime",
        repository: str | None = None,
        tail: str | None = None,
    ) -> None:
        super().__init__(reason)
        self.kind: FatalKind = kind
        self.repository = repository
        self.tail = tail

    def told(self, redact: Redactor) -> str:
        """Looked through before it is cut: half a secret would not be recognised."""
        return redact(str(self))[:ERROR_CHARS]


@dataclass(slots=True)
class Remarks:
    """What a phase that was completed all the same has to say."""

    warning: str | None = None
    tail: str | None = None

    def warn(self, warning: str) -> None:
        """Beside what there is to say already."""
        self.warning = f"{self.warning}; {warning}" if self.warning else warning


@dataclass(frozen=True, slots=True)
class _Under:
    phase: Phase
    repository: str | None
    began: float


class Report:
    def __init__(self, emit: Emit, clock: Callable[[], float], redact: Redactor) -> None:
        self._emit = emit
        self._clock = clock
        self._redact = redact

    @contextmanager
    def phase(self, phase: Phase, repository: str | None = None) -> Generator[Remarks]:
        """Raises nothing but `BootFailed`."""
        under = _Under(phase, repository, self._clock())
        remarks = Remarks()
        self._say(under, "started")
        try:
            yield remarks
        except BootFailed as failure:
            self._fail(under, failure)
            raise
        except Exception as error:
            # A harness that does not start raises whatever it raises; so does a bug of ours.
            logger.exception("boot", extra={"phase": phase})
            failure = BootFailed(f"{type(error).__name__}: {error}")
            self._fail(under, failure)
            raise failure from error
        self._say(under, "completed", warning=remarks.warning, tail=remarks.tail)

    def _fail(self, under: _Under, failure: BootFailed) -> None:
        place = replace(under, repository=failure.repository or under.repository)
        self._say(place, "failed", error=failure.told(self._redact), tail=failure.tail)

    def _say(
        self,
        under: _Under,
        status: PhaseStatus,
        *,
        warning: str | None = None,
        error: str | None = None,
        tail: str | None = None,
    ) -> None:
        elapsed = 0 if status == "started" else round((self._clock() - under.began) * 1000)
        self._emit(
            BootProgress(
                phase=under.phase,
                status=status,
                repository=under.repository,
                elapsed_ms=elapsed,
                warning=warning,
                error=error,
                output_tail=tail,
            )
        )
