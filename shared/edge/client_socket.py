"""The client WebSocket API: admission, and each message to its use case."""

from dataclasses import dataclass
from typing import Any, assert_never

from pydantic import ValidationError

from shared.app.desk import Desk
from shared.app.ports.connections import Sockets
from shared.app.problems import first_problem
from shared.app.sessions import Sessions
from shared.app.viewers import Viewers, Watcher
from shared.domain import access
from shared.domain.access import Scope
from shared.domain.errors import DomainError
from shared.domain.session import commands
from shared.domain.session.state import SessionId, UserId
from shared.edge.log import logger
from shared.edge.websocket import Answer, Caller, Event, allow, deny, query
from shared.protocol import client as wire
from shared.protocol.api import NewPrompt
from shared.protocol.base import Identifier, Tolerant

type _Asked = wire.Prompt | wire.CancelPrompt | wire.Stop | wire.ResumeQueue


def authorize(event: Event, viewers: Viewers) -> Answer:
    """`$connect` with a ticket: whose socket it will be, and of which session."""
    try:
        ticket = viewers.admit(query(event, "ticket") or "")
    except DomainError as error:
        logger.info("ticket_refused", code=error.code)
        return deny(event)
    context = {
        "session": ticket.session_id,
        "user": ticket.user,
        "name": ticket.user_name,
        "scope": ticket.scope,
        **({"login": ticket.login} if ticket.login else {}),
    }
    return allow(event, ticket.user, context)


class _Named(Tolerant):
    request_id: Identifier


@dataclass(frozen=True, slots=True)
class ClientSocket:
    viewers: Viewers
    sessions: Sessions
    desk: Desk
    sockets: Sockets

    def connect(self, caller: Caller, event: Event) -> None:
        self.viewers.connect(_watcher(caller), query(event, "ticket") or "")

    def disconnect(self, caller: Caller) -> None:
        self.viewers.disconnect(_watcher(caller))

    def message(self, caller: Caller, body: str) -> None:
        message = None
        try:
            message = wire.FROM_CLIENT.validate_json(body)
            self._handle(_watcher(caller), message)
        except DomainError as error:
            logger.info("refused", code=error.code)
            self._say(caller, wire.Error(code=error.code, message=str(error), **_ref(message)))
        except ValidationError as error:
            problem = first_problem(error)
            logger.info("malformed", field=problem.field)
            text = str(problem)
            ref = _ref(message) or _named(body)
            self._say(caller, wire.Error(code="malformed", message=text, **ref))

    def _handle(self, watcher: Watcher, message: wire.FromClient) -> None:
        match message:
            case wire.Subscribe():
                self.viewers.subscribe(watcher, message)
            case wire.Fetch():
                self.viewers.fetch(watcher, message)
            case wire.Ping():
                self.viewers.ping(watcher)
            case wire.Presence(visible=visible):
                self.viewers.presence(watcher, visible=visible)
            case wire.Typing():
                access.check(watcher.scope, "write")
                self.desk.warm(watcher.session_id)
            case wire.Prompt() | wire.CancelPrompt() | wire.Stop() | wire.ResumeQueue():
                self._ask(watcher, message)
            case _:
                assert_never(message)

    def _ask(self, watcher: Watcher, message: _Asked) -> None:
        access.check(watcher.scope, "write")
        match message:
            case wire.Prompt():
                asked = NewPrompt.model_validate(message.model_dump(exclude={"type"}))
                submitted = self.desk.submit(watcher.session_id, watcher.user, asked)
                accepted = wire.PromptAccepted(
                    request_id=message.request_id, prompt=submitted.prompt
                )
                self._say(watcher, accepted)
                return
            case wire.CancelPrompt(prompt=number):
                self.sessions.handle(watcher.session_id, commands.CancelPrompt(number))
            case wire.Stop(prompt=number):
                self.sessions.handle(watcher.session_id, commands.Stop(watcher.user, number))
            case wire.ResumeQueue():
                self.sessions.handle(watcher.session_id, commands.ResumeQueue(watcher.user))
        self._say(watcher, wire.Done(request_id=message.request_id))

    def _say(self, to: Caller | Watcher, message: wire.ToClient) -> None:
        self.sockets.post(to.connection_id, message.model_dump_json(by_alias=True))


def _ref(message: wire.FromClient | None) -> dict[str, Any]:
    request_id = getattr(message, "request_id", None)
    return {} if request_id is None else {"request_id": request_id}


def _named(body: str) -> dict[str, Any]:
    """The request that a message would have been: who waits for its answer is to get one."""
    try:
        return {"request_id": _Named.model_validate_json(body).request_id}
    except ValidationError:
        return {}


def _watcher(caller: Caller) -> Watcher:
    context = caller.context
    return Watcher(
        SessionId(context["session"]),
        UserId(context["user"]),
        context["name"],
        caller.connection_id,
        scope=_scope(context.get("scope")),
        login=context.get("login"),
    )


def _scope(said: str | None) -> Scope:
    """Sockets that were open before there were scopes say none."""
    match said:
        case "read" | "write" | "admin":
            return said
        case _:
            return "write"
