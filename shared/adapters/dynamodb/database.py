"""One client for both tables: every request goes through here and is asked until it is known.

We use pynamodb's connection and expressions, not its models: a model class is bound to one table
and opens a client of its own, and each client costs a function's start dearly.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from pynamodb.connection import Connection

from shared.adapters.dynamodb.failures import Cancelled, understood
from shared.adapters.dynamodb.patience import Patience
from shared.adapters.dynamodb.writes import Check, Delete, Item, Put, Update


def connect(
    *,
    region: str | None = None,
    endpoint: str | None = None,
    access_key_id: str | None = None,
    secret_access_key: str | None = None,
) -> Connection:
    """What is None comes from where AWS clients look for it themselves."""
    # At DEBUG both log whole requests: prompts, tokens of tasks and of sandboxes.
    for library in ("botocore", "pynamodb"):
        logging.getLogger(library).setLevel(logging.INFO)
    return Connection(
        region=region,
        host=endpoint,
        connect_timeout_seconds=2,
        read_timeout_seconds=5,
        retry_configuration={"total_max_attempts": 1, "mode": "standard"},
        aws_access_key_id=access_key_id,
        aws_secret_access_key=secret_access_key,
    )


@dataclass(frozen=True, slots=True)
class Step:
    """One write of a transaction, as the vendor takes it. `name` is how its refusal is told."""

    name: str
    kind: type[Check | Delete | Put | Update]
    request: dict[str, Any]


type Refusals = Mapping[str, Item | None]
"""The steps whose condition did not hold, and what is there."""

_ORDER = (Check, Delete, Put, Update)
"""In which pynamodb sends them, so that it is the order of the reasons."""


class Database:
    def __init__(
        self, connection: Connection, *, patience: Patience, new_token: Callable[[], str]
    ) -> None:
        self.connection = connection
        self.new_token = new_token
        self._patience = patience

    def ask[T](self, send: Callable[[], T]) -> T:
        """Until the result is known. Raises `Refused`, `Cancelled`, `Contended`, `Unavailable`."""

        def once() -> T:
            with understood():
                return send()

        return self._patience.insist(once)

    def transact(self, steps: Iterable[Step]) -> Refusals:
        """All of them, and the answer is empty; or none, and the answer is what stood in the way.

        By the token DynamoDB answers a repetition of what it has applied with success, so that a
        lost response is not mistaken for somebody else's write.
        """
        ordered = sorted(steps, key=lambda step: _ORDER.index(step.kind))
        requests = [[step.request for step in ordered if step.kind is kind] for kind in _ORDER]
        token = self.new_token()
        try:
            self.ask(
                partial(self.connection.transact_write_items, *requests, client_request_token=token)
            )
        except Cancelled as cancelled:
            return {ordered[index].name: item for index, item in cancelled.refused.items()}
        return {}
