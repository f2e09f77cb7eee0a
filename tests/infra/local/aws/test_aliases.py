"""Short paths: the longest prefix wins, whole segments only, the same after a restart."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from infra.local.aws.aliases import Aliases
from infra.local.aws.ledger import Ledger

_API, _SOCKETS = "/_aws/execute-api/abc/$default", "/_aws/execute-api/def/live"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with closing(Ledger(tmp_path / "state.sqlite")) as ledger:
        yield ledger


@pytest.mark.parametrize(
    ("path", "resolved"),
    [
        ("/api", _API),
        ("/api/a", f"{_API}/a"),
        ("/ws/clients", _SOCKETS),
        ("/anything", f"{_API}/anything"),
        ("/", f"{_API}/"),
        (f"{_SOCKETS}/x", f"{_SOCKETS}/x"),
        ("/_aws/execute-api/", "/_aws/execute-api/"),
    ],
)
def test_the_longest_prefix_wins(ledger: Ledger, path: str, resolved: str) -> None:
    aliases = Aliases(ledger)

    aliases.replace({"/": _API, "/api": _API, "/ws/clients": _SOCKETS})

    assert aliases.resolve(path, path.encode()) == (resolved, resolved.encode())


def test_escapes_stay_as_they_were_sent(ledger: Ledger) -> None:
    aliases = Aliases(ledger)

    aliases.replace({"/api": _API})

    assert aliases.resolve("/api/a b", b"/api/a%20b") == (f"{_API}/a b", f"{_API}/a%20b".encode())
    assert aliases.resolve("/apis", b"/apis") == ("/apis", b"/apis")


def test_they_come_back_and_are_replaced_as_a_whole(ledger: Ledger) -> None:
    Aliases(ledger).replace({"/old": _API})
    Aliases(ledger).replace({"/new": _API})

    aliases = Aliases(ledger)

    assert aliases.resolve("/new", b"/new") == (_API, _API.encode())
    assert aliases.resolve("/old", b"/old") == ("/old", b"/old")
