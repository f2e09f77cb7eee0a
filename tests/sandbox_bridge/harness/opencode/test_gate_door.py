"""The door at which writes wait: who may ask, and what is answered."""

import asyncio

import httpx
import pytest

from sandbox_bridge.harness.opencode.gate import GateDoor
from sandbox_bridge.harness.seam import NotHandedIn, OpenGate, WritesRefused
from shared.protocol.pull_requests import NewPullRequest


class Shut:
    async def wait(self) -> None:
        raise WritesRefused("not today — later")


class Opening:
    async def wait(self) -> None:
        await asyncio.sleep(0)


class Waiting:
    async def wait(self) -> None:
        await asyncio.Event().wait()


def test_a_gate_that_never_waits_needs_no_door():
    assert asyncio.run(GateDoor(OpenGate()).open()) == {}


@pytest.mark.parametrize(
    ("gate", "answer"), [(Opening(), (200, "")), (Shut(), (423, "not today — later"))]
)
def test_the_harness_is_answered_as_the_gate_decides(gate: Opening | Shut, answer: tuple[int, str]):
    async def scenario() -> tuple[int, str]:
        door = GateDoor(gate)
        asked = await door.open()
        assert await door.open() == asked
        response = await _ask(asked["OUTBOARD_GATE_URL"], asked["OUTBOARD_GATE_TOKEN"])
        await door.close()
        return response.status_code, response.text

    assert asyncio.run(scenario()) == answer


def test_a_door_that_was_closed_opens_again():
    async def scenario() -> int:
        door = GateDoor(Opening())
        await door.open()
        await door.close()
        asked = await door.open()
        response = await _ask(asked["OUTBOARD_GATE_URL"], asked["OUTBOARD_GATE_TOKEN"])
        await door.close()
        return response.status_code

    assert asyncio.run(scenario()) == 200


def test_others_are_turned_away():
    async def scenario() -> int:
        door = GateDoor(Opening())
        asked = await door.open()
        response = await _ask(asked["OUTBOARD_GATE_URL"], "guessed")
        await door.close()
        return response.status_code

    assert asyncio.run(scenario()) == 403


def test_a_closed_door_lets_go_of_those_who_wait():
    async def scenario() -> None:
        door = GateDoor(Waiting())
        asked = await door.open()
        waiting = asyncio.create_task(
            _ask(asked["OUTBOARD_GATE_URL"], asked["OUTBOARD_GATE_TOKEN"])
        )
        while not door._waiting:  # noqa: ASYNC110 - the door tells nobody
            await asyncio.sleep(0.01)
        await door.close()
        with pytest.raises(httpx.TransportError):
            await waiting

    asyncio.run(scenario())


async def _taken(path: str, title: str) -> str:
    if title == "no":
        raise NotHandedIn("not this one")
    return f"{path} is {title}"


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ('{"path": "a.png", "title": "A é"}', (200, "a.png is A é")),
        ('{"path": "a.png", "title": "no"}', (423, "not this one")),
        ('{"path": "a.png"}', (423, "a screenshot has a path and a title")),
        ("[]", (423, "a screenshot has a path and a title")),
        ("{", (423, "a screenshot has a path and a title")),
        ('{"path": "' + "x" * 20_000, (423, "a screenshot has a path and a title")),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_screenshot_is_handed_in_at_the_same_door(body: str, answer: tuple[int, str]):
    async def scenario() -> tuple[int, str, int]:
        door = GateDoor(OpenGate(), _taken)
        asked = await door.open()
        url, token = asked["OUTBOARD_SCREENSHOT_URL"], asked["OUTBOARD_GATE_TOKEN"]
        assert "OUTBOARD_GATE_URL" not in asked
        async with httpx.AsyncClient(trust_env=False, timeout=30) as client:
            headers = {"authorization": f"Bearer {token}"}
            response = await client.post(url, content=body.encode(), headers=headers)
            guessed = {"authorization": "Bearer guessed"}
            turned_away = await client.post(url, content=body.encode(), headers=guessed)
        await door.close()
        return response.status_code, response.text, turned_away.status_code

    assert asyncio.run(scenario()) == (*answer, 403)


async def _ask(url: str, token: str) -> httpx.Response:
    async with httpx.AsyncClient(trust_env=False, timeout=30) as client:
        return await client.get(url, headers={"authorization": f"Bearer {token}"})


async def _opened(asked: NewPullRequest) -> str:
    if asked.title == "no":
        raise NotHandedIn("not this one")
    return repr((asked.title, asked.body, asked.repository, asked.base, asked.draft))


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        (
            '{"title": "A é", "body": "b", "repository": "", "base": "", "draft": false}',
            (200, "('A é', 'b', None, None, None)"),
        ),
        (
            '{"title": "A", "body": "", "repository": "tool", "base": "dev", "draft": true}',
            (200, "('A', '', 'tool', 'dev', True)"),
        ),
        ('{"title": "no"}', (423, "not this one")),
        ('{"title": 3}', (423, "title: Input should be a valid string")),
        ('{"base": "-x"}', (423, "base: String should match pattern")),
        ('{"unknown": "x"}', (423, "unknown: Extra inputs are not permitted")),
        ("[]", (200, "('', '', None, None, None)")),
        ("3", (423, "a pull request has a title and a body")),
        ("{", (423, "a pull request has a title and a body")),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_pull_request_is_asked_for_at_the_same_door(body: str, answer: tuple[int, str]):
    async def scenario() -> tuple[int, str]:
        door = GateDoor(OpenGate(), open_pull_request=_opened)
        asked = await door.open()
        async with httpx.AsyncClient(trust_env=False, timeout=30) as client:
            response = await client.post(
                asked["OUTBOARD_PULL_REQUEST_URL"],
                content=body.encode(),
                headers={"authorization": f"Bearer {asked['OUTBOARD_GATE_TOKEN']}"},
            )
        await door.close()
        return response.status_code, response.text

    status, sentence = asyncio.run(scenario())

    assert (status, sentence.startswith(answer[1])) == (answer[0], True), sentence
