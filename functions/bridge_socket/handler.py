"""The bridges' WebSocket API: its three routes."""

from functools import cache

from shared.edge.bridge_socket import BridgeSocket
from shared.edge.websocket import Routes, websocket
from shared.wiring import app


@cache
def routes() -> Routes:
    built = app()
    socket = BridgeSocket(built.bridges, built.bridge_sockets)
    return Routes(socket.connect, socket.disconnect, socket.message)


lambda_handler = websocket(routes)
