"""Keeps what an agent says inside the size of a timeline event, measured as JSON in UTF-8."""

import json
from collections.abc import Iterator
from typing import Final

MAX_EVENT_BYTES: Final = 16 * 1024

_NOTE_BYTES: Final = 48
_MOST_ITEMS: Final = 50
_MOST_DEPTH: Final = 6
_KEY_BYTES: Final = 100
_SHORTER: Final = (4_000, 1_000, 250, 60)
_SHORT_ESCAPES: Final = frozenset('"\\\b\f\n\r\t')


type Json = dict[str, Json] | list[Json] | str | float | bool | None


def size(value: object) -> int:
    """Bytes of a value in a message."""
    return len(
        json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass")
    )


def clean(text: str) -> str:
    """Joins halves of a surrogate pair and replaces lone ones, which no UTF-8 message can carry."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def split(text: str, limit: int) -> Iterator[str]:
    """Pieces of at most so many bytes, each as long as it can be; at least one, maybe empty."""
    start = used = 0
    for at, char in enumerate(text):
        cost = _cost(char)
        if used + cost > limit:
            yield text[start:at]
            start, used = at, 0
        used += cost
    yield text[start:]


def cut(text: str, limit: int) -> str:
    """The beginning and the end, with the number of characters that are missing between them."""
    text = clean(text)
    if _length(text) <= limit:
        return text
    half = max(0, (limit - _NOTE_BYTES) // 2)
    head = next(split(text, half))
    tail = next(split(text[len(head) :][::-1], half))[::-1]
    missing = len(text) - len(head) - len(tail)
    return f"{head}\n… {missing} characters left out …\n{tail}"


def shrink(value: dict[str, Json], limit: int) -> dict[str, Json]:
    """The same object with the middle of long strings and the ends of long lists left out."""
    for most in (limit, *_SHORTER):
        smaller = _entries(value, most, depth=1)
        if size(smaller) <= limit:
            return smaller
    return {"…": f"{size(value)} bytes left out"}


def _entries(value: dict[str, Json], most: int, depth: int) -> dict[str, Json]:
    entries = list(value.items())[:_MOST_ITEMS]
    return {cut(key, _KEY_BYTES): _smaller(item, most, depth) for key, item in entries}


def _smaller(value: Json, most: int, depth: int) -> Json:
    if isinstance(value, str):
        return cut(value, most)
    if depth >= _MOST_DEPTH and isinstance(value, dict | list):
        return "…"
    if isinstance(value, dict):
        return _entries(value, most, depth + 1)
    if isinstance(value, list):
        return [_smaller(item, most, depth + 1) for item in value[:_MOST_ITEMS]]
    return value


def _length(text: str) -> int:
    return size(text) - 2


def _cost(char: str) -> int:
    """What one character takes inside a JSON string."""
    if char in _SHORT_ESCAPES:
        return 2
    return 6 if char < " " else len(char.encode())
