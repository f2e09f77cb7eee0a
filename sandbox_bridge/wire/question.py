"""A message that has exactly one answer: asked again when that is late or the socket is new."""

from dataclasses import dataclass
from datetime import timedelta
from math import inf

ANSWER_WITHIN = timedelta(seconds=10)
RETRY_AFTER = timedelta(seconds=1)


@dataclass(slots=True)
class Question:
    text: str
    due: float = -inf
    """When to ask; while it waits for its answer, when to ask again."""

    def ask(self, now: float) -> str | None:
        if now < self.due:
            return None
        self.due = now + ANSWER_WITHIN.total_seconds()
        return self.text

    def ask_anew(self) -> None:
        """The answer can't come any more: the socket that was asked is gone."""
        self.due = -inf

    def retry(self, now: float) -> None:
        self.due = now + RETRY_AFTER.total_seconds()
