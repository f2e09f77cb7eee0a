"""Tickets: each admits one socket of one user to one session, once."""

from datetime import datetime
from math import ceil

from pynamodb.expressions.operand import Path

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.failures import Refused
from shared.adapters.dynamodb.table import Table
from shared.adapters.dynamodb.writes import ABSENT, Delete, Put, equals, item, number, text
from shared.app.ports.workspace import Ticket
from shared.domain.session.state import SessionId, UserId


class DynamoTickets:
    def __init__(self, workspace: Table) -> None:
        self._workspace = workspace

    def issue(self, ticket_hash: str, ticket: Ticket) -> None:
        row = item(
            keys.ticket(ticket_hash),
            keys.TICKET,
            ticket=text(values.dump(ticket)),
            session=text(ticket.session_id),
            user=text(ticket.user),
            valid_until=text(keys.instant(ticket.expires_at)),
            expires_at=number(ceil(ticket.expires_at.timestamp())),
        )
        try:
            self._workspace.write(Put(row, ABSENT))
        except Refused:
            return  # the hash is of a random secret: it is this ticket, whose answer was lost

    def peek(self, ticket_hash: str) -> Ticket | None:
        found = self._workspace.get(keys.ticket(ticket_hash), keys.TICKET)
        return None if found is None else values.load(Ticket, found["ticket"]["S"])


def use_up(ticket_hash: str, session_id: SessionId, user: UserId, now: datetime) -> Delete:
    """For the transaction that joins: who deletes it has used it."""
    admits = (
        equals("session", text(session_id))
        & equals("user", text(user))
        & (Path("valid_until") > text(keys.instant(now)))
    )
    return Delete(keys.ticket(ticket_hash), keys.TICKET, admits)
