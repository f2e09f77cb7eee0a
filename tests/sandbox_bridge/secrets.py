"""Secrets as they come, and the ways in which they may be written."""

import json
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote

from hypothesis import strategies as st

from sandbox_bridge.redaction import HIDDEN, SHORTEST_SECRET

SECRETS = st.one_of(
    st.text("abAB01", min_size=SHORTEST_SECRET, max_size=14),
    st.text('a0 /+="\\\n<é😀%', min_size=SHORTEST_SECRET, max_size=24),
    st.text(min_size=SHORTEST_SECRET, max_size=40),
).filter(lambda text: len(text.strip()) >= SHORTEST_SECRET and HIDDEN not in text)


def written(secret: str) -> list[str]:
    """Made here by other means than in the bridge, where there are other means."""
    raw = secret.encode(errors="replace")
    return [
        secret,
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        quote(secret, safe="", errors="replace"),
        quote(secret, errors="replace"),
        *in_base64(raw),
    ]


def in_base64(raw: bytes) -> list[str]:
    """What a reader could take it from, wherever it stands among other bytes."""
    found: list[str] = []
    for encode in (b64encode, urlsafe_b64encode):
        for before in range(3):
            ends = [encode(b"\0" * before + raw + after).decode() for after in (b"", b"\xff")]
            alike = sum(a == b for a, b in zip(*ends, strict=False))
            first = encode(b"\xff" * before + raw).decode()
            same = sum(a == b for a, b in zip(ends[0], first, strict=False))
            found.append(ends[0][len(ends[0]) - same : alike])
        found += [encode(raw).decode(), encode(raw).decode().rstrip("=")]
    return found
