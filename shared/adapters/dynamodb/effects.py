"""Work that commits asked for, found by when it is due until it is done."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import chain
from typing import Any, get_args

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.failures import Refused
from shared.adapters.dynamodb.keys import EFFECTS, PK, SK
from shared.adapters.dynamodb.table import Query, Table
from shared.adapters.dynamodb.writes import (
    ABSENT,
    Delete,
    Item,
    Put,
    Update,
    assign,
    equals,
    item,
    number,
    text,
)
from shared.app.ports.sessions import Commit, PendingEffect
from shared.domain.session.decision import Effect

GRACE = timedelta(seconds=30)
"""How long the committing function has, before the sweep takes an effect for orphaned."""

_KINDS: dict[str, Any] = {kind.__name__: kind for kind in get_args(Effect.__value__)}


def pending(commit: Commit) -> tuple[PendingEffect, ...]:
    version = commit.before.version + 1
    return tuple(
        PendingEffect(commit.after.id, f"{version}.{index}", effect, commit.now + GRACE)
        for index, effect in enumerate(commit.effects)
    )


def effect_write(effect: PendingEffect) -> Put:
    row = item(
        keys.session(effect.session_id),
        keys.effect(effect.key),
        effect=text(_dump(effect.effect)),
        tries=number(effect.tries),
        due=text(keys.instant(effect.due)),
        due_shard=text(keys.due_shard(effect.session_id)),
    )
    return Put(row, ABSENT)


class DynamoEffects:
    def __init__(self, sessions: Table) -> None:
        self._sessions = sessions

    def done(self, effect: PendingEffect) -> None:
        self._sessions.write(Delete(*_key(effect)))

    def due(self, now: datetime, limit: int) -> Sequence[PendingEffect]:
        found = chain.from_iterable(self._due(shard, now, limit) for shard in keys.due_shards())
        return sorted(found, key=lambda effect: effect.due)[:limit]

    def lease(self, effect: PendingEffect, now: datetime, until: datetime) -> PendingEffect | None:
        token = text(self._sessions.database.new_token())
        update = Update(
            *_key(effect),
            [*assign(due=text(keys.instant(until)), lease=token), Path("tries").add(number(1))],
            # Both are false of an effect that is done: it has no attributes any more.
            (Path("due") <= text(keys.instant(now))) & _swept(effect),
        )
        try:
            return _to_pending(self._sessions.write(update))
        except Refused as refused:
            # The token tells our own update, whose answer was lost, from another sweep's.
            ours = refused.item is not None and refused.item.get("lease") == token
            return _to_pending(refused.item) if refused.item and ours else None

    def failed(self, effect: PendingEffect, error: str, again: datetime | None) -> None:
        shard = keys.STUCK if again is None else keys.due_shard(effect.session_id)
        due = effect.due if again is None else again
        update = Update(
            *_key(effect),
            assign(error=text(error), due=text(keys.instant(due)), due_shard=text(shard)),
            equals("tries", number(effect.tries)),
        )
        try:
            self._sessions.write(update)
        except Refused:
            return  # done, or leased anew by somebody who knows better

    def _due(self, shard: str, now: datetime, limit: int) -> list[PendingEffect]:
        where = Path("due") <= text(keys.instant(now))
        query = Query(partition=shard, index=EFFECTS, where=where, limit=limit)
        return [_to_pending(found) for found in self._sessions.page(query).items]


def _key(effect: PendingEffect) -> tuple[str, str]:
    return keys.session(effect.session_id), keys.effect(effect.key)


def _swept(effect: PendingEffect) -> Condition:
    """It has not been given up."""
    return equals("due_shard", text(keys.due_shard(effect.session_id)))


def _to_pending(found: Item) -> PendingEffect:
    return PendingEffect(
        session_id=keys.session_of(found[PK]["S"]),
        key=found[SK]["S"].removeprefix(keys.effect("")),
        effect=_load(found["effect"]["S"]),
        due=datetime.fromisoformat(found["due"]["S"]),
        tries=int(found["tries"]["N"]),
        error=found["error"]["S"] if "error" in found else None,
    )


def _dump(effect: Effect) -> str:
    return values.compact({"type": type(effect).__name__, **values.plain(effect)})


def _load(stored: str) -> Effect:
    document = json.loads(stored)
    return values.restored(_KINDS[document["type"]], document)
