"""How git finds its way to the broker: settings that stand in the environment, and in no file.

They hold for the hosts of the session's repositories alone. What files say of helpers for these
hosts is dropped: a helper that stores would put what it is given on the disk.
"""

import shlex
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from sandbox_bridge.wire.dialing import is_loopback
from shared.domain.errors import Invalid
from shared.domain.repository_url import key

_CLIENT: Final = Path(__file__).with_name("client.py")
_COUNT: Final = "GIT_CONFIG_COUNT"


def with_broker(
    environment: Mapping[str, str], urls: Iterable[str], runtime: Path
) -> dict[str, str]:
    """The environment with these settings after those that it has already."""
    given = environment.get(_COUNT, "")
    count = int(given) if given.isdecimal() else 0
    settings = _settings(_hosts(urls), _helper(runtime))
    numbered = {
        name: value
        for number, (setting, text) in enumerate(settings, count)
        for name, value in (
            (f"GIT_CONFIG_KEY_{number}", setting),
            (f"GIT_CONFIG_VALUE_{number}", text),
        )
    }
    return {**environment, **numbered, _COUNT: str(count + len(settings))}


def _settings(hosts: Iterable[str], helper: str) -> list[tuple[str, str]]:
    return [
        (f"credential.{host}.{name}", value)
        for host in hosts
        for name, value in (("useHttpPath", "true"), ("helper", ""), ("helper", helper))
    ]


def _hosts(urls: Iterable[str]) -> list[str]:
    found = dict[str, None]()
    for url in urls:
        with suppress(Invalid):
            parts = urlsplit(key(url))
            if parts.scheme == "https" or is_loopback(url):
                found[f"{parts.scheme}://{parts.netloc}"] = None
    return list(found)


def _helper(runtime: Path) -> str:
    """For the shell that git hands it to. The standard library is all that it imports."""
    command = (sys.executable, "-I", "-S", str(_CLIENT), "git", str(runtime))
    return f"!{shlex.join(command)}"
