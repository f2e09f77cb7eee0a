"""What people are shown of what has changed: something that was there, and from then on for ever.

Of the session's own turns, whole, none newer than what has ended, and not of an attempt that is
older than what was shown before; whatever becomes of the sandboxes.
"""

from shared.app.changes import Changes
from shared.app.ports.changes import Compared
from shared.domain.session.state import SessionId
from tests.fakes.store_memory import Memory
from tests.simulation.book import Book
from tests.simulation.comparing import patch_of
from tests.simulation.must import must


class Shown:
    def __init__(self, changes: Changes, memory: Memory, session: SessionId, book: Book) -> None:
        self._changes = changes
        self._memory = memory
        self._session = session
        self._book = book
        self._known: Compared | None = None

    @property
    def prompt(self) -> int:
        """Of the newest turn whose work it has."""
        return self._known.prompt if self._known else 0

    def check(self) -> None:
        stored = self._memory.changes.get(self._session)
        if stored is self._known:
            return
        before, self._known = self._known, stored
        must(set(self._memory.changes) <= {self._session}, "it is shown of another session")
        must(stored is not None, "what has changed is not shown any more")
        assert stored is not None
        must(before is None or before.attempt <= stored.attempt, "an older attempt's is shown")
        gone = before is not None and before.revision is not None and stored.revision is None
        must(not gone, "what has changed is not shown any more")
        self.read()

    def read(self) -> None:
        """All of it, as a page does."""
        view = self._changes.view(self._session)
        if view.revision is None or view.prompt is None:
            return
        files = [file for repository in view.repositories for file in repository.files]
        numbers = tuple(int(file.path) for file in files)
        seen = (view.prompt, numbers) in self._book.found_changed
        must(seen, f"prompt {view.prompt} is shown with {numbers}, which was never so")
        for number, file in zip(numbers, files, strict=True):
            patch = self._changes.patch(self._session, view.revision, file.id).patch
            must(patch == patch_of(number), f"the patch of prompt {number} is {patch!r}")
