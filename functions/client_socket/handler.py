"""The client WebSocket API: its three routes."""

from functools import cache

from shared.edge.client_socket import ClientSocket
from shared.edge.websocket import Routes, websocket
from shared.wiring import app


@cache
def routes() -> Routes:
    built = app()
    socket = ClientSocket(built.viewers, built.sessions, built.desk, built.client_sockets)
    return Routes(socket.connect, socket.disconnect, socket.message)


lambda_handler = websocket(routes)
