"""The newest comparison of a session's files: an item of its own, which no commit touches."""

from pynamodb.expressions.operand import Path

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.failures import Refused
from shared.adapters.dynamodb.table import Table
from shared.adapters.dynamodb.writes import Item, Put, item, number, text
from shared.app.ports.changes import Compared
from shared.domain.errors import Conflict
from shared.domain.session.state import SessionId


class DynamoChanges:
    def __init__(self, sessions: Table) -> None:
        self._sessions = sessions

    def load(self, session_id: SessionId) -> Compared | None:
        found = self._sessions.get(keys.session(session_id), keys.CHANGES)
        return None if found is None else values.load(Compared, found["compared"]["S"])

    def put(self, session_id: SessionId, compared: Compared, *, after: str | None) -> None:
        row = item(
            keys.session(session_id),
            keys.CHANGES,
            revision=None if compared.revision is None else text(compared.revision),
            attempt=number(compared.attempt),
            compared=text(values.dump(compared)),
        )
        revision, attempt = Path("revision"), Path("attempt")
        same = revision.does_not_exist() if after is None else revision == text(after)
        not_later = attempt.does_not_exist() | (attempt <= number(compared.attempt))
        try:
            self._sessions.write(Put(row, same & not_later))
        except Refused as refused:
            if not _is_ours(refused, row):
                raise Conflict("another comparison was handed in meanwhile") from None


def _is_ours(refused: Refused, row: Item) -> bool:
    """The answer to the same write may have been lost."""
    return refused.item is not None and refused.item.get("compared") == row["compared"]
