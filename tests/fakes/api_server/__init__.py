"""A server that speaks our HTTP API and client WebSocket over loopback, as a test scripts it.

It checks what clients send as strictly as the real one. A test gives it `turns`, one for each
prompt, and says what goes wrong: pushes of some slots lost, doubled or late, sockets closed before
a slot, tickets refused, answers of 503, answers lost after the request was carried out.
"""

from tests.fakes.api_server.server import ApiServer
from tests.fakes.api_server.sessions import Hold, Push, Turn, Watched

__all__ = ["ApiServer", "Hold", "Push", "Turn", "Watched"]
