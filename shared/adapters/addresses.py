"""Which addresses of the network we go to for somebody: public ones.

A name is resolved once, each of its addresses is looked at, and one of those is connected to: there
is no second resolution that could say something else. A redirect is a connection like any other.
"""

import socket
from collections.abc import Callable, Sequence
from functools import partial
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any, override
from urllib.parse import urlsplit

import urllib3
from urllib3.connection import HTTPSConnection

from shared.domain.errors import Invalid

type Resolve = Callable[[str, int], Sequence[str]]

_NAT64 = IPv6Network("64:ff9b::/96")
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def resolve(host: str, port: int) -> Sequence[str]:
    """Raises `OSError`."""
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def check_scheme(url: str, *, loopback: bool) -> None:
    """Raises `Invalid`. `loopback`: this is one machine, where http to itself is fine."""
    parts = urlsplit(url)
    to_itself = loopback and parts.scheme == "http" and parts.hostname in _LOOPBACK
    if parts.scheme != "https" and not to_itself:
        raise Invalid("url", f"{url!r} is not an https URL")


def check(url: str, found_by: Resolve = resolve) -> None:
    """Raises `Invalid` where its host is at an address of a network that is not public.

    A host that cannot be found is nobody's: whoever goes there will hear of it.
    """
    parts = urlsplit(url)
    try:
        found = found_by(parts.hostname or "", parts.port or 443)
    except (OSError, ValueError):
        return
    _check_all(parts.hostname or "", found)


def public_pool(found_by: Resolve = resolve, **settings: Any) -> urllib3.PoolManager:
    """Its requests raise `Invalid` as `check` does, and speak TLS only."""
    manager = urllib3.PoolManager(**settings)
    kind = type(
        "PublicPool",
        (urllib3.HTTPSConnectionPool,),
        {"ConnectionCls": staticmethod(partial(_Public, found_by))},
    )
    manager.pool_classes_by_scheme = dict[str, Any](https=kind)
    return manager


def public(address: str) -> bool:
    ip = ip_address(address.partition("%")[0])
    if not ip.is_global or ip.is_multicast:
        return False
    within = _within(ip) if isinstance(ip, IPv6Address) else None
    return within is None or public(str(within))


class _Public(HTTPSConnection):
    def __init__(self, found_by: Resolve, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._found_by = found_by

    @override
    def _new_conn(self) -> socket.socket:
        name = self.host
        try:
            found = self._found_by(name, self.port)
        except OSError as error:
            raise urllib3.exceptions.NewConnectionError(self, str(error)) from error
        _check_all(name, found)
        self.host = found[0]
        try:
            return super()._new_conn()
        finally:
            self.host = name


def _check_all(host: str, found: Sequence[str]) -> None:
    if not found or not all(map(public, found)):
        raise Invalid("url", f"{host!r} is not at an address of the public internet")


def _within(ip: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that this one leads to, by one of the ways to write that."""
    if ip in _NAT64:
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    teredo = ip.teredo[1] if ip.teredo else None
    return ip.ipv4_mapped or ip.sixtofour or teredo
