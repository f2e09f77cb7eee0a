"""`/sessions/{id}/prompts`: the queue, and what came of each prompt."""

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app import views
from shared.domain.session.commands import CancelPrompt
from shared.domain.session.state import SessionId
from shared.edge.http.resolver import app_of, user_of
from shared.edge.http.sessions import Id
from shared.protocol import api
from shared.protocol.base import MAX_PROMPT

router = APIGatewayHttpRouter()

type Number = Annotated[int, Path(ge=1, le=MAX_PROMPT)]


@router.post("/sessions/<session_id>/prompts", tags=["prompts"], status_code=HTTPStatus.ACCEPTED)
def submit(session_id: Id, asked: Annotated[api.NewPrompt, Body()]) -> api.PromptAccepted:
    user = user_of(router)
    submitted = app_of(router).desk.submit(SessionId(session_id), user.id, asked)
    return api.PromptAccepted(number=submitted.prompt, position=submitted.position)


@router.get("/sessions/<session_id>/prompts", tags=["prompts"])
def prompts(
    session_id: Id,
    after: Annotated[int, Query(ge=0, le=MAX_PROMPT)] = 0,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> api.PromptList:
    user_of(router)
    app = app_of(router)
    app.sessions.load(SessionId(session_id))
    records = app.store.prompts(SessionId(session_id), after=after, limit=limit)
    more = records[-1].prompt.number if len(records) == limit else None
    return api.PromptList(prompts=[views.of_prompt(record) for record in records], next=more)


@router.get("/sessions/<session_id>/prompts/<number>", tags=["prompts"])
def prompt(session_id: Id, number: Number) -> api.PromptView:
    user_of(router)
    return views.of_prompt(app_of(router).store.prompt(SessionId(session_id), number))


@router.delete("/sessions/<session_id>/prompts/<number>", tags=["prompts"])
def unqueue(session_id: Id, number: Number) -> api.SessionView:
    user_of(router)
    session = app_of(router).sessions.handle(SessionId(session_id), CancelPrompt(number))
    return views.of_session(session)
