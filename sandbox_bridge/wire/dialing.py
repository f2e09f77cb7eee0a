"""Opens a WebSocket to the server with this attempt's token, once."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from ipaddress import ip_address
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidMessage, InvalidStatus

from sandbox_bridge.version import VERSION
from sandbox_bridge.wire.reconnect import DISMISSED
from shared.protocol.base import MAX_MESSAGE_BYTES
from shared.protocol.bridge import Identity

OPEN_WITHIN = timedelta(seconds=15)
CLOSE_WITHIN = timedelta(seconds=5)


class Dismissed(Exception):
    """The server does not know this token any more: the attempt is over."""


class Unreachable(Exception):
    """Not now; the same attempt may be let in later."""


type Dial = Callable[[], Awaitable[ClientConnection]]


def dial(identity: Identity) -> Dial:
    async def once() -> ClientConnection:
        try:
            return await connect(
                identity.socket_url,
                additional_headers={"Authorization": f"Bearer {identity.token}"},
                user_agent_header=f"outboard-bridge/{VERSION}",
                proxy=None if is_loopback(identity.socket_url) else True,
                # API Gateway promises nothing about ping frames; heartbeats find a dead socket.
                ping_interval=None,
                open_timeout=OPEN_WITHIN.total_seconds(),
                close_timeout=CLOSE_WITHIN.total_seconds(),
                max_size=MAX_MESSAGE_BYTES,
            )
        except InvalidStatus as error:
            raise _verdict(error.response.status_code) from error
        except (OSError, TimeoutError, EOFError, InvalidHandshake, InvalidMessage) as error:
            raise Unreachable(type(error).__name__) from error

    return once


def _verdict(status: int) -> Dismissed | Unreachable:
    return (Dismissed if status in DISMISSED else Unreachable)(f"handshake answered {status}")


def is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
