"""`/sessions`: what a session is, and what can be done to it as a whole."""

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app import environment_views, views
from shared.domain.listing import Lifecycle, Wanted, words_of
from shared.domain.session import commands
from shared.domain.session.state import SessionId, SessionStatus
from shared.edge.http.resolver import app_of, as_sent, user_of
from shared.protocol import api

router = APIGatewayHttpRouter()

type Id = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


@router.post("/sessions", tags=["sessions"], status_code=HTTPStatus.CREATED)
def create(asked: Annotated[api.NewSession, Body()]) -> api.SessionView:
    user = user_of(router)
    return views.of_session(app_of(router).desk.open_session(user.id, asked))


@router.get("/sessions", tags=["sessions"])
def recent(  # noqa: PLR0917  query parameters, always named
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    start: Annotated[str | None, Query(max_length=500)] = None,
    status: Annotated[SessionStatus | None, Query()] = None,
    lifecycle: Annotated[Lifecycle | None, Query()] = None,
    query: Annotated[str, Query(max_length=200)] = "",
    mine: Annotated[bool, Query()] = False,  # noqa: FBT002
) -> api.SessionList:
    """By default what is not archived. A search may answer with an empty page and a next one."""
    user = user_of(router)
    wanted = Wanted(
        lifecycle=lifecycle or _usual(status),
        status=status,
        owner=user.id if mine else None,
        words=words_of(as_sent(router, "query", query)),
    )
    page = app_of(router).store.recent(limit=limit, start=start, wanted=wanted)
    return api.SessionList(
        sessions=[views.of_session(session) for session in page.sessions], next=page.next
    )


def _usual(status: SessionStatus | None) -> Lifecycle:
    return Lifecycle.ARCHIVED if status is SessionStatus.ARCHIVED else Lifecycle.OPEN


@router.get("/sessions/<session_id>", tags=["sessions"])
def show(session_id: Id) -> api.SessionView:
    user_of(router)
    app = app_of(router)
    session = app.sessions.load(SessionId(session_id))
    return environment_views.of_session(session, app.environments.of_session(session))


@router.patch("/sessions/<session_id>", tags=["sessions"])
def rename(session_id: Id, asked: Annotated[api.Rename, Body()]) -> api.SessionView:
    user_of(router)
    return _handle(session_id, commands.Rename(asked.title))


@router.post("/sessions/<session_id>/archive", tags=["sessions"])
def archive(session_id: Id) -> api.SessionView:
    return _handle(session_id, commands.Archive(user_of(router).id))


@router.post("/sessions/<session_id>/unarchive", tags=["sessions"])
def unarchive(session_id: Id) -> api.SessionView:
    return _handle(session_id, commands.Unarchive(user_of(router).id))


@router.post("/sessions/<session_id>/cancel", tags=["sessions"])
def cancel(session_id: Id) -> api.SessionView:
    user, app = user_of(router).id, app_of(router)
    session = app.sessions.handle(SessionId(session_id), commands.Cancel(user))
    if session.finished:  # nobody has to be told of what they have put an end to themselves
        app.inboxes.read(session.id, user, session.finished)
    return views.of_session(session)


@router.post("/sessions/<session_id>/stop", tags=["sessions"])
def stop(session_id: Id, prompt: Annotated[int | None, Query(ge=1)] = None) -> api.SessionView:
    return _handle(session_id, commands.Stop(user_of(router).id, prompt))


@router.put("/sessions/<session_id>/choice", tags=["sessions"])
def choose(session_id: Id, asked: Annotated[api.NewChoice, Body()]) -> api.SessionView:
    user_of(router)
    return views.of_session(app_of(router).desk.choose(SessionId(session_id), asked))


@router.post("/sessions/<session_id>/warm", tags=["sessions"])
def warm(session_id: Id) -> api.SessionView:
    user_of(router)
    return views.of_session(app_of(router).desk.warm(SessionId(session_id)))


@router.post("/sessions/<session_id>/snapshot", tags=["sessions"])
def save(session_id: Id) -> api.SessionView:
    return _handle(session_id, commands.SaveFiles(user_of(router).id))


@router.post("/sessions/<session_id>/resume", tags=["sessions"])
def resume(session_id: Id) -> api.SessionView:
    return _handle(session_id, commands.ResumeQueue(user_of(router).id))


@router.post("/sessions/<session_id>/anew", tags=["sessions"])
def begin_anew(session_id: Id) -> api.SessionView:
    return _handle(session_id, commands.BeginAnew(user_of(router).id))


def _handle(session_id: str, command: commands.Command) -> api.SessionView:
    return views.of_session(app_of(router).sessions.handle(SessionId(session_id), command))
