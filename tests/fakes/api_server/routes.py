"""The routes of the HTTP API, as `shared/protocol/api.py` has them."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from shared.domain.repository_url import directory
from shared.protocol import api, forge, inbox, server_events
from shared.protocol.browser import Me, SignInCode
from tests.fakes.api_server import access_tokens
from tests.fakes.api_server.sessions import Refusal, Session

if TYPE_CHECKING:  # the server imports its routes
    from tests.fakes.api_server.server import ApiServer

type Answer = tuple[int, BaseModel | dict[str, Any]]

KEY = "repositories-key"
SINCE = datetime(2026, 1, 2, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Asked:
    method: str
    path: str
    query: dict[str, str]
    body: Any
    bearer: str | None


def answer(server: "ApiServer", asked: Asked) -> Answer:
    if asked.path == "/repositories" and "key" in (asked.body or {}):
        return _serve_repository(server, asked)
    user = _user(server, asked)
    match [asked.method, *asked.path.strip("/").split("/")]:
        case ["POST", "sessions"]:
            return 201, server.sessions.create(user, api.NewSession.model_validate(asked.body))
        case ["GET", "sessions"]:
            return 200, _list(server, asked, user)
        case [_, "repositories"] | ["GET", "forge", _]:
            at_home = asked.path == "/repositories"
            return _remembered(server, asked) if at_home else _forge(asked)
        case ["GET", "models" | "me" as what]:
            return 200, _models(server) if what == "models" else _me(user)
        case [_, "users", *rest]:
            return _users(server, asked, rest)
        case [_, "sessions", session_id, *rest]:
            return _session(server, asked, user, server.sessions.get(session_id), rest)
        case _:
            return _others(server, asked, user)


def _others(server: "ApiServer", asked: Asked, user: str) -> Answer:
    match asked.path.strip("/").split("/"):
        case ["sign-in", "codes"]:
            return 201, SignInCode(code=f"code-of-{user}", expires_at=SINCE)
        case ["tokens", *rest]:
            return access_tokens.answer(server, asked, user, rest)
        case _:
            raise Refusal(404, "not_found", f"no route {asked.method} {asked.path}")


def _user(server: "ApiServer", asked: Asked) -> str:
    for name, token in server.tokens.items():
        if asked.bearer == f"Bearer {token}":
            return name
    raise Refusal(401, "unauthenticated", "this needs the bearer token of a user")


def _serve_repository(server: "ApiServer", asked: Asked) -> Answer:
    if asked.body["key"] != KEY:
        raise Refusal(403, "forbidden", "not for you")
    served = server.repositories.get(asked.body["path"])
    if served is None:
        raise Refusal(422, "invalid", f"{asked.body['path']} is no git repository")
    return 200, served


def _remembered(server: "ApiServer", asked: Asked) -> Answer:
    if asked.method == "POST":
        new = api.NewRepository.model_validate(asked.body)
        known = inbox.RememberedRepository(
            url=new.url,
            name=directory(new.url),
            label=new.label or new.url,
            branch=new.branch,
            used_at=SINCE,
        )
        server.remembered.append(known)
        return 201, known
    return 200, inbox.RepositoryList(repositories=server.remembered)


def _forge(asked: Asked) -> Answer:
    if asked.path.endswith("/branches"):
        main = forge.BranchView(name="main", commit="0123456789abcdef")
        return 200, forge.BranchList(branches=[main], as_of=SINCE)
    tool = forge.ForgeRepositoryView(
        url="https://github.com/acme/tool.git",
        full_name="acme/tool",
        description="A hammer\x1b[31m",
        default_branch="main",
        private=True,
        archived=False,
    )
    found = [tool] if asked.query.get("query", "") in tool.description else []
    silent = forge.ForgeProblem(
        host="gitlab.example", message="it is tired\x1b[31m", listed_at=None, retry_at=None
    )
    problems = [silent] if asked.query.get("query") == "axe" else []
    return 200, forge.ForgeRepositoryList(repositories=found, as_of=SINCE, problems=problems)


def _list(server: "ApiServer", asked: Asked, user: str) -> api.SessionList:
    status = asked.query.get("status")
    views = [known.view for known in reversed(server.sessions.known.values())]
    usual = "archived" if status == "archived" else "open"
    lifecycle = asked.query.get("lifecycle", usual)
    wanted = [
        view
        for view in views
        if status in {None, view.status}
        and lifecycle in {"all", "archived" if view.status == "archived" else "open"}
        and asked.query.get("query", "").lower() in view.title.lower()
    ]
    mine = [v for v in wanted if asked.query.get("mine") != "true" or v.owner == user]
    first, limit = int(asked.query.get("start", "0")), int(asked.query["limit"])
    page = mine[first : first + limit]
    following = str(first + limit) if first + limit < len(mine) else None
    return api.SessionList(sessions=page, next=following)


def _models(server: "ApiServer") -> api.ModelList:
    models = [
        api.ModelView(
            id="acme/large", label="Large", efforts=["low", "high"], default_effort="low"
        ),
        api.ModelView(id="acme/small", label="Small", efforts=[], default_effort=None),
    ]
    return api.ModelList(models=models, default="acme/large", demo=server.sessions.demo)


def _user_view(name: str) -> api.UserView:
    return api.UserView(name=name, role="owner" if name == "ada" else "member", created_at=SINCE)


def _me(name: str) -> Me:
    known = _user_view(name)
    return Me(
        name=name,
        role=known.role,
        display_name=name,
        email=None,
        created_at=known.created_at,
        via="token",
    )


def _users(server: "ApiServer", asked: Asked, rest: list[str]) -> Answer:
    match [asked.method, *rest]:
        case ["GET"]:
            return 200, api.UserList(users=[_user_view(name) for name in server.tokens])
        case ["POST"]:
            name = api.NewUser.model_validate(asked.body).name
            if name in server.tokens:
                raise Refusal(409, "conflict", f"there is a user {name!r} already")
            return 201, _new_token(server, name, "token-of-")
        case ["POST", name, "token"] if name in server.tokens:
            return 200, _new_token(server, name, "new-token-of-")
        case _:
            raise Refusal(404, "not_found", "no such user")


def _new_token(server: "ApiServer", name: str, prefix: str) -> api.UserToken:
    server.tokens[name] = f"{prefix}{name}"
    return api.UserToken(user=_user_view(name), token=server.tokens[name])


def _session(
    server: "ApiServer", asked: Asked, user: str, session: Session, rest: list[str]
) -> Answer:
    match [asked.method, *rest]:
        case ["GET"]:
            return 200, session.view
        case ["PATCH"]:
            return 200, session.change(title=api.Rename.model_validate(asked.body).title)
        case ["POST", "prompts"]:
            new = api.NewPrompt.model_validate(asked.body)
            return 202, server.sessions.submit(session.view.id, user, new)
        case ["POST", "socket-ticket"]:
            return 201, server.sockets.ticket(session.view.id)
        case ["POST", change]:
            return 200, _change(server, session, change)
        case ["DELETE", "prompts", number]:
            return 200, _unqueue(server, session, int(number))
        case _:
            return 200, _piece(asked, session, rest)


def _change(server: "ApiServer", session: Session, change: str) -> api.SessionView:
    match change:
        case "archive" if session.view.unfinished:
            raise Refusal(409, "rejected", "1 prompts are unfinished; stop or unqueue them")
        case "archive":
            return session.change(status="archived")
        case "unarchive":
            return session.change(status="completed")
        case "cancel":
            return session.change(status="cancelled")
        case "snapshot" | "resume" | "anew":
            return session.view
        case "stop" if not session.view.unfinished:
            raise Refusal(409, "rejected", "nothing is running")
        case "stop":
            stopped = server_events.PromptFinished(prompt=len(session.prompts), status="stopped")
            server.sessions.say(session.view.id, stopped)
            return session.view
        case _:
            raise Refusal(404, "not_found", f"no change {change}")


def _unqueue(server: "ApiServer", session: Session, number: int) -> api.SessionView:
    if number > len(session.prompts) or session.prompts[number - 1].status != "queued":
        raise Refusal(404, "not_found", f"no prompt {number} is queued")
    server.sessions.say(
        session.view.id, server_events.PromptFinished(prompt=number, status="cancelled")
    )
    return session.view


def _piece(asked: Asked, session: Session, rest: list[str]) -> BaseModel:
    after, limit = int(asked.query.get("after", "0")), int(asked.query.get("limit", "100"))
    match rest:
        case ["prompts"]:
            page = session.prompts[after : after + limit]
            more = after + limit < len(session.prompts)
            return api.PromptList(prompts=page, next=after + limit if more else None)
        case ["prompts", number]:
            return session.prompts[int(number) - 1]
        case ["timeline"]:
            entries = [
                api.EntryView(
                    seq=f.seq, at=f.at, attempt=f.attempt, events=[i.event for i in f.items]
                )
                for f in session.frames[after : after + limit]
            ]
            return api.TimelinePage(entries=entries, tail=len(session.frames))
        case ["artifacts"]:
            return api.ArtifactList(artifacts=[])
        case _:
            raise Refusal(404, "not_found", f"no route {asked.path}")
