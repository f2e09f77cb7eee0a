"""The bridges' WebSocket API: admission by the attempt's token, and each message to its answer."""

from dataclasses import dataclass

from pydantic import ValidationError

from shared.app import attempts
from shared.app.bridges import Bridges
from shared.app.bridges import Caller as Bridge
from shared.app.ports.connections import Sockets
from shared.app.ports.sessions import SessionStore
from shared.app.problems import first_problem
from shared.domain.errors import Unauthenticated
from shared.domain.session.state import SessionId
from shared.edge.log import logger
from shared.edge.websocket import Answer, Caller, Event, allow, deny, header
from shared.protocol.base import Identifier, Tolerant
from shared.protocol.bridge import FROM_BRIDGE, MAX_FRAME_BYTES, Refused


def authorize(event: Event, store: SessionStore) -> Answer:
    """`$connect` with a sandbox's bearer token: it lives exactly as long as its attempt."""
    try:
        claim = attempts.authenticate(store, header(event, "authorization"))
    except Unauthenticated:
        logger.info("sandbox_refused")
        return deny(event)
    context = {"session": claim.session_id, "attempt": str(claim.attempt)}
    return allow(event, f"{claim.session_id}-{claim.attempt}", context)


@dataclass(frozen=True, slots=True)
class BridgeSocket:
    bridges: Bridges
    sockets: Sockets

    def connect(self, caller: Caller, _event: Event) -> None:
        self.bridges.connect(_bridge(caller))

    def disconnect(self, caller: Caller) -> None:
        self.bridges.disconnect(_bridge(caller))

    def message(self, caller: Caller, body: str) -> None:
        """A message of a type we do not know is refused by itself; the bridge goes on."""
        if len(body.encode()) > MAX_FRAME_BYTES:
            # What is stored has to reach viewers, whose messages are no larger than this one.
            self._refuse(caller, body, "too_large", f"more than {MAX_FRAME_BYTES} bytes")
            return
        try:
            message = FROM_BRIDGE.validate_json(body)
        except ValidationError as error:
            problem = first_problem(error)
            logger.info("malformed", field=problem.field)
            self._refuse(caller, body, "malformed", str(problem))
            return
        self.bridges.handle(_bridge(caller), message)

    def _refuse(self, caller: Caller, body: str, code: str, why: str) -> None:
        refused = Refused(id=_frame_id(body), code=code, message=why)
        self.sockets.post(caller.connection_id, refused.model_dump_json(by_alias=True))


def _frame_id(body: str) -> str:
    """Of a frame that we cannot take, so that the bridge knows which one to drop."""
    try:
        return _Named.model_validate_json(body).id
    except ValidationError:
        return ""


class _Named(Tolerant):
    id: Identifier


def _bridge(caller: Caller) -> Bridge:
    context = caller.context
    return Bridge(SessionId(context["session"]), int(context["attempt"]), caller.connection_id)
