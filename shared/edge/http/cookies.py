"""Our cookies, of a login and of the way to one: what a request says, and how a browser is told.

No script sees them (`HttpOnly`), no other site's page sends them but by a link (`SameSite=Lax`),
and off loopback they are only ever this host's and only over TLS: that is what `__Host-` means.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from shared.app import tokens
from shared.app.sign_ins import LOGIN_LIFE

_PORT = re.compile(r":([0-9]{1,5})$")

type Event = Mapping[str, Any]


def name(host: str, *, loopback: bool) -> str:
    """Browsers share cookies between all ports of a host, so there the port is in the name."""
    if not loopback:
        return "__Host-outboard"
    port = _PORT.search(host)
    return f"outboard-{port[1]}" if port else "outboard"


def sent(event: Event) -> Sequence[str]:
    """API Gateway takes the cookies out of the headers; whoever does not is understood, too."""
    headers: Mapping[str, str] = event.get("headers") or {}
    in_headers = [value for key, value in headers.items() if key.lower() == "cookie"]
    lines = [*(event.get("cookies") or ()), *in_headers]
    return [pair.strip() for line in lines for pair in line.split(";")]


def secret(pairs: Iterable[str], name: str) -> str | None:
    """None: nobody's."""
    value = plain(pairs, name)
    return value if tokens.is_login(value) else None


def plain(pairs: Iterable[str], name: str) -> str:
    """Empty: there is none. So are two: one of them was put there by somebody else."""
    values = {value for key, _, value in (pair.partition("=") for pair in pairs) if key == name}
    return values.pop() if len(values) == 1 else ""


def keep(name: str, secret: str, *, loopback: bool) -> str:
    return line(name, secret, LOGIN_LIFE, loopback=loopback)


def forget(name: str, *, loopback: bool) -> str:
    return line(name, "", timedelta(0), loopback=loopback)


def line(name: str, value: str, life: timedelta, *, loopback: bool) -> str:
    secure = "" if loopback else "; Secure"
    seconds = int(life.total_seconds())
    return f"{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"
