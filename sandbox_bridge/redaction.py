"""Takes secrets out of what is shown: a script's last words, git's reason for a refusal."""

import re
from collections.abc import Iterable, Mapping

from shared.protocol.events import MAX_TAIL_BYTES, MAX_TAIL_LINES

SHORTEST_SECRET = 8
HIDDEN = "[redacted]"

_SECRET_NAME = re.compile("TOKEN|SECRET|KEY|PASS|CREDENTIAL|PRIVATE|AUTH|COOKIE|DSN", re.IGNORECASE)
_USER_IN_URL = re.compile(r"(?<=://)[^/\s@]+@")
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-_])")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class Redactor:
    """Knows the secrets of an environment by the names of their variables."""

    def __init__(self, environment: Mapping[str, str], others: Iterable[str] = ()) -> None:
        named = (value for name, value in environment.items() if _SECRET_NAME.search(name))
        secrets = {value for value in (*named, *others) if len(value) >= SHORTEST_SECRET}
        # The longest first: a secret may contain another one.
        self._secrets = sorted(secrets, key=len, reverse=True)

    @property
    def longest(self) -> int:
        return max(map(len, self._secrets), default=0)

    def __call__(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return _USER_IN_URL.sub(f"{HIDDEN}@", text)


def plain(text: str) -> str:
    """As it reads on a terminal at last: no colours, of a progress line its final state."""
    lines = _ESCAPES.sub("", text).replace("\r\n", "\n").split("\n")
    return _CONTROL.sub("", "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines))


def tail(text: str, redact: Redactor) -> str:
    """The end of `text`, redacted as a whole before it is cut into lines."""
    lines = redact(plain(text)).rstrip().split("\n")[-MAX_TAIL_LINES:]
    return _end("\n".join(lines), MAX_TAIL_BYTES)


def _end(text: str, limit: int) -> str:
    raw = text.encode(errors="replace")
    if len(raw) <= limit:
        return raw.decode()
    return raw[-limit:].decode(errors="ignore")
