"""The typed client against a server that fails now and then."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest

from shared.client.api import Api
from shared.client.deployment import Deployment
from shared.client.errors import Refused, Unreachable
from shared.client.requests import build
from shared.protocol import api
from shared.protocol.events import Warned
from shared.protocol.server_events import PromptFinished
from tests.fakes.api_server import ApiServer

AT_ONCE = (timedelta(0),) * 3

NEW_SESSION = build(
    api.NewSession,
    request_id="r1",
    repositories=[api.NewRepository(url="https://git.example.com/acme/tool.git")],
)
NEW_PROMPT = build(
    api.NewPrompt,
    request_id="p1",
    text="add a flag",
    author=api.AuthorView(name="Ada", email="ada@example.com"),
)


def ask[T](
    server: ApiServer,
    question: Callable[[Api], Awaitable[T]],
    *,
    token: str = "token-of-ada",
    http: str | None = None,
    said: list[str] | None = None,
    state: Any = None,
) -> T:
    async def asking() -> T:
        deployment = Deployment(http=http or server.http, token=token, state=state)
        notice = (said if said is not None else []).append
        async with Api(deployment, notice=notice, ask_again=AT_ONCE) as client:
            return await question(client)

    return asyncio.run(asking())


async def open_session(client: Api) -> api.SessionView:
    return await client.create_session(NEW_SESSION)


def test_the_routes_of_a_session_answer_their_types(server: ApiServer):
    server.sessions.turns.append([Warned(message="x"), PromptFinished(prompt=1, status="failed")])

    async def routes(client: Api) -> list[object]:
        session = await client.create_session(NEW_SESSION)
        accepted = await client.submit(session.id, NEW_PROMPT)
        server.sessions.join()
        return [
            accepted,
            (await client.session(session.id)).status,
            (await client.prompts(session.id, after=0, limit=5)).prompts[0].status,
            (await client.prompt(session.id, 1)).text,
            (await client.timeline(session.id, after=1, limit=1)).tail,
            (await client.artifacts(session.id)).artifacts,
            (await client.socket_ticket(session.id)).url[:5],
        ]

    accepted = api.PromptAccepted(number=1, position=0)
    assert ask(server, routes) == [accepted, "failed", "failed", "add a flag", 3, [], "ws://"]


def test_the_changes_of_a_session_answer_how_it_is_then(server: ApiServer):
    async def routes(client: Api) -> list[object]:
        session = await client.create_session(NEW_SESSION)
        return [
            (await client.rename(session.id, api.Rename(title="new"))).title,
            (await client.archive(session.id)).status,
            (await client.unarchive(session.id)).status,
            (await client.cancel(session.id)).status,
        ]

    assert ask(server, routes) == ["new", "archived", "completed", "cancelled"]


def test_the_routes_of_a_workspace_answer_their_types(server: ApiServer):
    async def routes(client: Api) -> list[object]:
        return [
            (await client.sessions(limit=5, mine=True)).sessions,
            (await client.models()).default,
            (await client.me()).name,
            (await client.add_user(api.NewUser(name="bob"))).token,
            (await client.renew_token("bob")).token,
            len((await client.users()).users),
        ]

    answers = ["acme/large", "ada", "token-of-bob", "new-token-of-bob", 2]
    assert ask(server, routes) == [[], *answers]


def test_a_post_with_a_request_id_is_repeated_until_the_server_can(server: ApiServer):
    server.unavailable["POST /sessions"] = 2
    said: list[str] = []

    session = ask(server, open_session, said=said)

    assert session.id == "s1abcdef"
    assert server.paths() == ["POST /sessions"] * 3
    assert len({asked.body["requestId"] for asked in server.asked}) == 1
    assert said == ["no answer yet; asking again, the same request, so nothing is done twice"] * 2


def test_a_prompt_whose_answer_was_lost_is_not_asked_twice(server: ApiServer):
    session = ask(server, open_session)
    server.lost_answers[f"POST /sessions/{session.id}/prompts"] = 1

    accepted = ask(server, lambda client: client.submit(session.id, NEW_PROMPT))

    assert accepted.number == 1
    assert len(server.sessions.get(session.id).prompts) == 1


def test_it_is_given_up_after_a_while(server: ApiServer):
    server.unavailable["POST /sessions"] = 99

    with pytest.raises(Unreachable, match="come back later"):
        ask(server, open_session)

    assert len(server.asked) == len(AT_ONCE) + 1


def test_a_stop_is_sent_once_whatever_happens(server: ApiServer):
    session = ask(server, open_session)
    server.unavailable[f"POST /sessions/{session.id}/stop"] = 1

    with pytest.raises(Unreachable):
        ask(server, lambda client: client.stop(session.id))

    assert server.paths().count(f"POST /sessions/{session.id}/stop") == 1


def test_a_refusal_carries_the_servers_words_and_code(server: ApiServer):
    with pytest.raises(Refused, match="no session nope") as refused:
        ask(server, lambda client: client.session("nope"))

    assert refused.value.code == "not_found"


def test_an_invalid_request_names_the_field(server: ApiServer):
    wrong = api.NewSession.model_construct(request_id="r 1", repositories=NEW_SESSION.repositories)

    with pytest.raises(Refused, match=r"^requestId: "):
        ask(server, lambda client: client.create_session(wrong))


def test_a_wrong_token_is_refused(server: ApiServer):
    with pytest.raises(Refused, match="bearer token"):
        ask(server, lambda client: client.me(), token="wrong")


def test_nobody_there_is_said_with_what_to_do(server: ApiServer, tmp_path: Any, free_port: int):
    nowhere = f"http://127.0.0.1:{free_port}"

    with pytest.raises(Unreachable, match="make run"):
        ask(server, lambda client: client.me(), http=nowhere, state=tmp_path)
    with pytest.raises(Unreachable, match="no answer from http://"):
        ask(server, lambda client: client.me(), http=nowhere)


def test_a_server_that_is_not_ours_is_recognised(server: ApiServer):
    with pytest.raises(Unreachable, match="not as this version"):
        ask(server, lambda client: client._ask(api.ModelList, "GET", "/me"))


def test_an_error_without_words_is_told_by_its_status(server: ApiServer):
    with pytest.raises(Unreachable, match="the answer was HTTP 501"):
        ask(server, lambda client: client._ask(api.ModelList, "PUT", "/me"))


def test_an_id_is_one_segment_of_a_path(server: ApiServer):
    with pytest.raises(Refused):
        ask(server, lambda client: client.session("../models?x"))

    assert server.asked[-1].path == "/sessions/..%2Fmodels%3Fx"
