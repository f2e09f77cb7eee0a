"""The newest comparison of each session in memory."""

from shared.app.ports.changes import Compared
from shared.domain.errors import Conflict
from shared.domain.session.state import SessionId
from tests.fakes.store_memory import Memory


class InMemoryChanges:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def load(self, session_id: SessionId) -> Compared | None:
        return self._memory.changes.get(session_id)

    def put(self, session_id: SessionId, compared: Compared, *, after: str | None) -> None:
        with self._memory.writing():
            there = self._memory.changes.get(session_id)
            revision, attempt = (there.revision, there.attempt) if there else (None, 0)
            if revision != after or attempt > compared.attempt:
                raise Conflict("another comparison was handed in meanwhile")
            self._memory.changes[session_id] = compared
