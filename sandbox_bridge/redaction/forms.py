"""How a secret may be written: as it is, in JSON, in an address, in base64, line by line."""

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote, unquote

SHORTEST_SECRET: Final = 8
HIDDEN: Final = "[redacted]"

_PASSWORD_IN_URL: Final = re.compile(r"://[^/\s:@]*:([^/\s@]+)@")
_LEFT_AS_THEY_ARE: Final = ("", "/", "!'()*", ";,/?:@&=+$!*'()#")
"""By `quote_plus`, `quote`, `encodeURIComponent` and `encodeURI`."""

_ESCAPE: Final = re.compile("%[0-9A-F]{2}")
_HTML_IN_JSON: Final = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})
_URL_SAFE: Final = str.maketrans("+/", "-_")
_BASE64_LINES: Final = (64, 76)
_UNDECIDED: Final = (0, 2, 3)
"""Of the first characters of a base64 text: how many depend on as many bytes before the secret."""


def forms(secret: str) -> frozenset[str]:
    """All that is to be hidden for this secret, none of it shorter than `SHORTEST_SECRET`."""
    wholes = {secret, secret.strip(), *_passwords(secret)}
    found = {form for whole in wholes if len(whole) >= SHORTEST_SECRET for form in _whole(whole)}
    found.update(form for line in _lines(secret) for form in (line, *_json(line)))
    # What stands in the mark itself can't be hidden by it.
    return frozenset(form for form in found if len(form) >= SHORTEST_SECRET and form not in HIDDEN)


def _whole(secret: str) -> Iterator[str]:
    yield secret
    yield from _json(secret)
    yield from _in_an_address(secret)
    for text in _base64(secret.encode(errors="replace")):
        yield text
        yield text.translate(_URL_SAFE)


def _passwords(secret: str) -> Iterator[str]:
    """Of an address with a password, the password is a secret by itself."""
    for password in _PASSWORD_IN_URL.findall(secret):
        yield password
        yield unquote(password)


def _lines(secret: str) -> Iterator[str]:
    """Of several, those that say something: no rulers, and not the armour of a key."""
    lines = secret.split("\n")
    for line in (each.strip() for each in lines if len(lines) > 1):
        telling = any(char.isalnum() for char in line) and not line.startswith("-----")
        if telling and len(line) >= SHORTEST_SECRET:
            yield line


def _json(text: str) -> Iterator[str]:
    for ascii_only in (False, True):
        once = json.dumps(text, ensure_ascii=ascii_only)[1:-1]
        yield once
        yield once.translate(_HTML_IN_JSON)
        yield json.dumps(once)[1:-1]


def _in_an_address(text: str) -> Iterator[str]:
    for left in _LEFT_AS_THEY_ARE:
        quoted = quote(text, safe=left, errors="replace")
        for each in (quoted, quoted.replace("%20", "+")):
            yield each
            yield _ESCAPE.sub(lambda escape: escape[0].lower(), each)


def _base64(raw: bytes) -> Iterator[str]:
    """Wherever it stands among other bytes; where it is the last, to the end."""
    for before, undecided in enumerate(_UNDECIDED):
        for end in (raw, raw + b"\n"):
            padded = b64encode(bytes(before) + end).decode()[undecided:]
            yield padded
            yield padded.rstrip("=")
        decided = (before + len(raw)) * 8 // 6
        yield b64encode(bytes(before) + raw).decode()[undecided:decided]
    whole = b64encode(raw).decode()
    for length in _BASE64_LINES:
        if len(whole) > length:
            yield from (whole[at : at + length] for at in range(0, len(whole), length))
