"""Message ids as OpenCode makes them: ascending, so that a conversation keeps its order."""

import secrets
import string
from typing import Final

_ALPHABET: Final = string.digits + string.ascii_letters
_WRAPS_AT: Final = 1 << 48
_PER_MILLISECOND: Final = 0x1000


def message_id(now_ms: int, last: str | None = None) -> str:
    """An id behind `last`, even when the clock has gone back since then.

    OpenCode takes a user's message with a lower id than the last answer for one it has answered.
    """
    at = (now_ms * _PER_MILLISECOND) % _WRAPS_AT
    if last is not None:
        at = max(at, int(last.removeprefix("msg_")[:12], 16))
    tail = "".join(secrets.choice(_ALPHABET) for _ in range(14))
    return f"msg_{at + 1:012x}{tail}"
