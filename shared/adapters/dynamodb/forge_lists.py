"""Lists of code hosts, each one item of the workspace table: JSON, packed."""

import base64
import zlib
from datetime import datetime

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.table import Table
from shared.adapters.dynamodb.writes import Update, assign, number, text
from shared.app.ports.forge_lists import Kept

_MOST_BYTES = 380_000
"""An item has 400 KB."""


class DynamoForgeLists:
    def __init__(self, workspace: Table) -> None:
        self._workspace = workspace

    def get(self, name: str) -> Kept | None:
        found = self._workspace.get(keys.forge_list(name), keys.FORGE_LIST)
        if found is None:
            return None
        packed = base64.b85decode(found["packed"]["S"])
        return values.load(Kept, zlib.decompress(packed).decode())

    def put(self, name: str, kept: Kept, expires_at: datetime) -> None:
        packed = base64.b85encode(zlib.compress(values.dump(kept).encode())).decode()
        if len(packed) > _MOST_BYTES:
            return
        expiry = number(int(expires_at.timestamp()))
        change = assign(packed=text(packed), **{keys.EXPIRES_AT: expiry})
        self._workspace.write(Update(keys.forge_list(name), keys.FORGE_LIST, change))
