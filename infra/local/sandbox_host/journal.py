"""What happened, one line of JSON each, on standard error: a fixed event and its fields."""

import json
import sys
from datetime import UTC, datetime


def note(event: str, **fields: object) -> None:
    line = {"at": datetime.now(UTC).isoformat(timespec="milliseconds"), "event": event, **fields}
    print(json.dumps(line), file=sys.stderr, flush=True)  # noqa: T201 - this is the log
