"""The stores in memory, as patient as the real ones: faults and others come between writes."""

from typing import Any, override

from shared.app.ports.sessions import Commit, Committed, VersionConflict
from shared.app.ports.timeline import Appended
from shared.domain.session.state import SessionId
from shared.domain.timeline import Frame
from tests.fakes.store import InMemorySessions
from tests.fakes.store_faults import Fault, Faults
from tests.fakes.store_memory import Memory, Partition
from tests.fakes.store_timeline import InMemoryTimeline
from tests.simulation.book import Book
from tests.simulation.lambdas import Lambdas, patiently
from tests.simulation.nature import Nature


class WriteFaults(Faults):
    """One write of a transaction's protocol; others may come between it and the one before."""

    def __init__(self, lambdas: Lambdas) -> None:
        super().__init__()
        self._lambdas = lambdas

    @override
    def meet(self) -> Fault | None:
        return self._lambdas.at_a_write()


class PatientSessions(InMemorySessions):
    def __init__(self, memory: Memory, nature: Nature, book: Book) -> None:
        super().__init__(memory)
        self._nature = nature
        self._book = book

    @override
    def _apply(self, partition: Partition, commit: Commit) -> None:
        self._book.commits(commit)
        super()._apply(partition, commit)

    @override
    def commit(self, commit: Commit) -> Committed:
        try:
            return patiently(self._nature, lambda: super(PatientSessions, self).commit(commit))
        except VersionConflict:
            self._nature.chaos.struck["race lost"] += 1
            raise


class PatientTimeline(InMemoryTimeline):
    def __init__(self, memory: Memory, nature: Nature) -> None:
        super().__init__(memory)
        self._nature = nature

    @override
    def append(self, session_id: SessionId, frame: Frame, **where: Any) -> Appended:
        append = super().append
        return patiently(self._nature, lambda: append(session_id, frame, **where))
