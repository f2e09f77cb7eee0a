"""The real entry points on the app's fakes, behind a small stand-in for API Gateway on loopback.

With it the client meets the code that it will meet, not only our scripted idea of it.
"""

import json
import threading
from base64 import b64decode, b64encode
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit
from uuid import uuid4

from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

from functions.http_api.handler import routes
from shared import wiring
from shared.app.app import App
from shared.app.ports.connections import Gone
from shared.edge.client_socket import ClientSocket, authorize
from shared.edge.http.resolver import http
from shared.edge.websocket import Routes, websocket
from tests.events import request, sample
from tests.world import SETTINGS, World

CONTEXT = SimpleNamespace(
    aws_request_id="r1",
    function_name="http_api",
    memory_limit_in_mb=512,
    invoked_function_arn="arn:aws:lambda:us-east-1:123456789012:function:http_api",
)


@dataclass(slots=True)
class Connections:
    """`@connections`: a socket is there from when `$connect` has returned until it is closed."""

    live: dict[str, ServerConnection] = field(default_factory=dict[str, ServerConnection])

    def post(self, connection_id: str, message: str) -> None:
        connection = self.live.get(connection_id)
        if connection is None:
            raise Gone(connection_id)
        with suppress(ConnectionClosed):
            connection.send(message)

    def close(self, connection_id: str) -> None:
        connection = self.live.get(connection_id)
        if connection is not None:
            connection.close()


@dataclass(slots=True)
class RealServer:
    world: World = field(default_factory=World)
    sockets: Connections = field(default_factory=Connections)
    http: str = ""
    token: str = ""
    app: App = field(init=False)

    @contextmanager
    def running(self) -> Generator["RealServer"]:
        with (
            serve(self._handle, "127.0.0.1", 0, process_request=self._connect) as live,
            ThreadingHTTPServer(("127.0.0.1", 0), _handler(self)) as rest,
        ):
            self._build(live.socket.getsockname()[1])
            self.http = f"http://127.0.0.1:{rest.server_address[1]}"
            threads = [threading.Thread(target=server.serve_forever) for server in (live, rest)]
            for thread in threads:
                thread.start()
            try:
                yield self
            finally:
                rest.shutdown()
                live.shutdown()
                for thread in threads:
                    thread.join(10)

    def _build(self, port: int) -> None:
        """The world's app once more, with sockets that exist."""
        settings = replace(SETTINGS, clients_socket_url=f"ws://127.0.0.1:{port}/live")
        ports = replace(self.world.ports, client_sockets=self.sockets)
        self.app = wiring.build(settings, ports)
        self.world.app = self.app
        self.token = self.world.owner()[1]

    def respond(self, event: dict[str, Any]) -> dict[str, Any]:
        return http(routes, lambda: self.app)(event, CONTEXT)

    def _client(self, event: dict[str, Any]) -> dict[str, Any]:
        socket = ClientSocket(
            self.app.viewers, self.app.sessions, self.app.desk, self.app.client_sockets
        )
        return websocket(lambda: Routes(socket.connect, socket.disconnect, socket.message))(
            event, None
        )

    def _connect(self, connection: ServerConnection, asked: Request) -> Response | None:
        (ticket,) = parse_qs(urlsplit(asked.path).query).get("ticket", [""])
        policy = authorize(sample("client_auth/ticket", TICKET=ticket), self.app.viewers)
        if policy["policyDocument"]["Statement"][0]["Effect"] == "Deny":
            return connection.respond(403, "")
        event = sample("client_socket/connect", TICKET=ticket)
        connection_id = uuid4().hex
        event["requestContext"] |= {"connectionId": connection_id, "authorizer": policy["context"]}
        answer = self._client(event)
        if answer["statusCode"] != 200:
            return connection.respond(answer["statusCode"], "")
        connection.username = json.dumps(event["requestContext"])
        self.sockets.live[connection_id] = connection
        return None

    def _handle(self, connection: ServerConnection) -> None:
        context = json.loads(connection.username or "")
        with suppress(ConnectionClosed):
            for text in connection:
                event = {"requestContext": context | {"eventType": "MESSAGE"}, "body": text}
                self._client(event)
        self.sockets.live.pop(context["connectionId"], None)
        self._client({"requestContext": context | {"eventType": "DISCONNECT"}})


def _handler(server: RealServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base's)
            pass

        def _serve(self) -> None:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("content-length", "0")))
            token = self.headers.get("authorization", "").removeprefix("Bearer ")
            query = dict(parse_qsl(parts.query))
            if is_binary := self.headers.get("content-type") == "application/octet-stream":
                body = b64encode(body)
            event = request(self.command, parts.path, token, body.decode() or None, **query)
            event |= {"rawPath": parts.path, "isBase64Encoded": is_binary}
            answer = server.respond(event)
            content = (answer.get("body") or "").encode()
            if answer["isBase64Encoded"]:
                content = b64decode(content)
            self.send_response(answer["statusCode"])
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve  # noqa: N815 (http.server's names)

    return Handler
