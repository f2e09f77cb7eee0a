"""API Gateway's WebSockets: handshakes, messages to functions, posts to connections, farewells."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from shared.app.ports.connections import Gone
from shared.protocol.change_bundles import ChangesTaken, NewChanges
from tests.simulation.lambdas import Ended, Lambdas
from tests.simulation.wires import Wire, send

type Event = dict[str, Any]

_NOTICED_WITHIN = (30.0, 600.0)
"""How long a socket whose other end has vanished is taken for open."""


class Peer(Protocol):
    def hear(self, text: str) -> None: ...

    def lost(self) -> None: ...


@dataclass(slots=True, eq=False)
class Connection:
    id: str
    peer: Peer
    context: Event
    open: bool = False


class Gateway:
    """One WebSocket API. `down` is the wire on which the server speaks."""

    def __init__(self, lambdas: Lambdas, *, up: Wire, down: Wire) -> None:
        self._lambdas = lambdas
        self._nature = lambdas.nature
        self._up: Wire = up
        self._down: Wire = down
        self._connections: dict[str, Connection] = {}
        self.authorize: Callable[[Event], Event]
        self.handle: Callable[[Event, None], Event]
        self.take: Callable[[str, NewChanges], Ended[ChangesTaken]]
        """What sandboxes hand in: by HTTP, and by nobody else."""
        self.watch: Callable[[str, str], None] = lambda _connection, _message: None

    # What our functions ask for.

    def post(self, connection_id: str, message: str) -> None:
        connection = self._connections.get(connection_id)
        if connection is None or not connection.open:
            raise Gone(connection_id)
        self.watch(connection_id, message)
        self._nature.tell(f"{connection_id} <- {message[:110]}")
        send(self._nature, self._down, connection_id, lambda: self._deliver(connection, message))

    def _deliver(self, connection: Connection, message: str) -> None:
        if connection.open:
            connection.peer.hear(message)

    # What the other end does.

    def dial(
        self, asked: Event, peer: Peer, answer: Callable[[int, Connection | None], None]
    ) -> None:
        """`answer` is told the status of the handshake, or nothing at all when that is lost."""
        connection = Connection(self._nature.new_id(self._up), peer, {})
        self._nature.later(
            f"{connection.id} dials", lambda: self._shake(connection, asked, answer), 0.005, 0.1
        )

    def _shake(
        self,
        connection: Connection,
        asked: Event,
        answer: Callable[[int, Connection | None], None],
    ) -> None:
        status = self._admit(connection, asked)
        self._nature.tell(f"{connection.id}: handshake {status}")
        if status == 200:
            connection.open = True
            self._connections[connection.id] = connection
        if self._nature.chaos.strikes("handshake lost"):
            self._nature.tell(f"{connection.id}: handshake lost")
            self.forget(connection)
            return
        answer(status, connection if status == 200 else None)

    def _admit(self, connection: Connection, asked: Event) -> int:
        name = f"{connection.id} authorizer"
        policy = self._lambdas.call(name, lambda: self.authorize({**asked, "methodArn": "arn"}))
        if policy.result is None:
            return 500
        if policy.result["policyDocument"]["Statement"][0]["Effect"] != "Allow":
            return 403
        connection.context = policy.result["context"]
        return _status(self._invoke(connection, "CONNECT", asked))

    def say(self, connection: Connection, text: str) -> None:
        """Words on a socket that the server's end has lost go nowhere."""
        self._nature.tell(f"{connection.id} -> {text[:110]}")
        send(self._nature, self._up, connection.id, lambda: self._hear(connection, text))

    def _hear(self, connection: Connection, text: str) -> None:
        if connection.open:
            self._invoke(connection, "MESSAGE", {"body": text})

    def close(self, connection: Connection) -> None:
        """From either end, or by the network: the server's side hears of it a little later."""
        if not connection.open:
            return
        connection.open = False
        self._connections.pop(connection.id, None)
        connection.peer.lost()
        self._nature.later(f"{connection.id} gone", lambda: self._forget(connection), 0.01, 3.0)

    def _forget(self, connection: Connection) -> None:
        self._invoke(connection, "DISCONNECT", {})

    def forget(self, connection: Connection) -> None:
        """The other end has vanished without a word."""
        self._nature.later(
            f"{connection.id} noticed", lambda: self.close(connection), *_NOTICED_WITHIN
        )

    def open_ones(self) -> list[Connection]:
        return list(self._connections.values())

    def _invoke(self, connection: Connection, kind: str, event: Event) -> Ended[Event]:
        request = {
            "connectionId": connection.id,
            "eventType": kind,
            "authorizer": connection.context,
        }
        asked = {**event, "requestContext": request}
        name = f"{connection.id} {kind.lower()}"
        return self._lambdas.call(name, lambda: self.handle(asked, None))


def _status(ended: Ended[Event]) -> int:
    return 500 if ended.result is None else int(ended.result["statusCode"])
