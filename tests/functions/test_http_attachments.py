"""Attachments over HTTP: uploaded in parts, named by prompts, fetched and handed in again."""

import base64
import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from functions.http_api.handler import routes
from shared.app import tokens
from shared.domain.attachment import MAX_ATTACHMENT_BYTES, PART_BYTES
from shared.domain.errors import Unavailable
from shared.domain.session.commands import Cancel, Launching, Retire
from shared.domain.session.state import SessionId, UserId
from shared.edge.http.resolver import http
from tests import images
from tests.events import request
from tests.functions.test_http_api import CONTEXT, PROMPT, SESSION
from tests.world import World

PNG = images.png()
TWO_PARTS = images.png_of(PART_BYTES + 1_000)


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.content)


class Asking:
    """One who asks, by a token; several may share a world."""

    def __init__(self, world: World, token: str, prefix: str = "") -> None:
        self.world = world
        self.token = token
        self.prefix = prefix

    def ask(self, method: str, path: str, body: object = None) -> Answer:
        event = request(method, f"{self.prefix}{path}", self.token)
        event |= {"rawPath": f"{self.prefix}{path}"}
        if isinstance(body, bytes):
            event |= {"body": base64.b64encode(body).decode(), "isBase64Encoded": True}
            event["headers"]["content-type"] = "application/octet-stream"
        elif body is not None:
            event = request(method, f"{self.prefix}{path}", self.token, body)
        answer = http(routes, lambda: self.world.app)(event, CONTEXT)
        text = answer.get("body") or ""
        content = base64.b64decode(text) if answer["isBase64Encoded"] else text.encode()
        return Answer(answer["statusCode"], answer.get("headers", {}), content)

    def begin(self, content: bytes, kind: str = "image/png", name: str = "page.png") -> str:
        asked = {"name": name, "type": kind, "size": len(content)}
        begun = self.ask("POST", "/attachments", asked)
        assert begun.status == 201, begun.content
        return begun.body["id"]

    def put_all(self, file: str, content: bytes) -> None:
        for number, start in enumerate(range(0, len(content), PART_BYTES)):
            part = content[start : start + PART_BYTES]
            put = self.ask("PUT", f"/attachments/{file}/parts/{number}", part)
            assert put.status == 204, put.content

    def upload(self, content: bytes = PNG) -> str:
        file = self.begin(content)
        self.put_all(file, content)
        completed = self.ask("POST", f"/attachments/{file}/complete")
        assert completed.status == 200, completed.content
        return file

    def session(self) -> str:
        return self.ask("POST", "/sessions", SESSION).body["id"]

    def prompt(self, session: str, *files: str, **changes: Any) -> Answer:
        body = {**PROMPT, "attachments": list(files), **changes}
        return self.ask("POST", f"/sessions/{session}/prompts", body)


def ada(world: World) -> Asking:
    return Asking(world, world.owner()[1])


def bob(world: World) -> Asking:
    owner = world.app.accounts.all()[0]
    return Asking(world, world.app.accounts.add(owner, "bob")[1])


def sandbox(world: World, session: str) -> Asking:
    """Of the session's living attempt."""
    token = tokens.new_sandbox_token(SessionId(session), 1)
    launching = Launching(1, tokens.digest(token), "key")
    world.app.sessions.handle(SessionId(session), launching)
    return Asking(world, token, prefix="/sandbox")


def test_an_upload_in_parts_comes_back_byte_for_byte():
    asking = ada(World())

    file = asking.upload(TWO_PARTS)

    parts = [asking.ask("GET", f"/attachments/{file}/parts/{part}") for part in (0, 1)]
    assert [len(part.content) for part in parts] == [PART_BYTES, 1_000]
    assert b"".join(part.content for part in parts) == TWO_PARTS
    assert parts[0].headers["content-type"] == "image/png"
    assert parts[0].headers["x-content-type-options"] == "nosniff"
    assert parts[0].headers["cache-control"].startswith("private")


def test_what_is_complete_says_what_it_is():
    asking = ada(World())
    file = asking.begin(TWO_PARTS)
    asking.put_all(file, TWO_PARTS)

    done = asking.ask("POST", f"/attachments/{file}/complete")

    assert done.body == {
        "id": file,
        "name": "page.png",
        "type": "image/png",
        "size": len(TWO_PARTS),
        "ready": True,
        "partBytes": PART_BYTES,
        "width": 3,
        "height": 2,
    }
    assert asking.ask("POST", f"/attachments/{file}/complete").body == done.body


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"type": "image/svg+xml"}, "type"),
        ({"type": "text/html"}, "type"),
        ({"size": MAX_ATTACHMENT_BYTES + 1}, "size"),
        ({"size": 0}, "size"),
        ({"name": "a/b.png"}, "name"),
        ({"name": "a\r\nb.png"}, "name"),
        ({"name": ""}, "name"),
        ({"name": "x" * 101}, "name"),
    ],
)
def test_what_cannot_be_an_attachment_is_refused_before_any_byte(asked: dict[str, Any], field: str):
    body = {"name": "a.png", "type": "image/png", "size": 10, **asked}

    answer = ada(World()).ask("POST", "/attachments", body)

    assert (answer.status, answer.body["field"]) == (422, field)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (images.jpeg(), "is image/jpeg, not image/png"),
        (b"<svg onload='alert(1)'/>", "is no image that we can read"),
        (b"<!doctype html><script></script>", "is no image that we can read"),
    ],
)
def test_bytes_that_are_something_else_are_no_attachment(content: bytes, said: str):
    asking = ada(World())
    file = asking.begin(content)
    asking.put_all(file, content)

    answer = asking.ask("POST", f"/attachments/{file}/complete")

    assert (answer.status, answer.body["field"]) == (422, "type")
    assert said in answer.body["message"]
    assert asking.ask("GET", f"/attachments/{file}/parts/0").status == 409


def test_a_part_is_as_long_as_it_has_to_be():
    asking = ada(World())
    file = asking.begin(TWO_PARTS)

    short = asking.ask("PUT", f"/attachments/{file}/parts/0", TWO_PARTS[:100])
    surplus = asking.ask("PUT", f"/attachments/{file}/parts/2", b"x")
    early = asking.ask("POST", f"/attachments/{file}/complete")

    assert (short.status, surplus.status, early.status) == (422, 404, 409)
    assert early.body["message"] == "part 0 is missing"


def test_text_is_no_part():
    asking = ada(World())
    file = asking.begin(PNG)
    event = request("PUT", f"/attachments/{file}/parts/0", asking.token)
    event |= {"body": "hello", "isBase64Encoded": False}

    answer = http(routes, lambda: asking.world.app)(event, CONTEXT)

    assert answer["statusCode"] == 422


def test_what_is_complete_takes_no_other_bytes():
    asking = ada(World())
    file = asking.upload()

    again = asking.ask("PUT", f"/attachments/{file}/parts/0", PNG)

    assert again.status == 409


def test_a_prompt_keeps_what_it_names_and_everybody_sees_it():
    world = World()
    asking = ada(world)
    file, session = asking.upload(), asking.session()

    accepted = asking.prompt(session, file)
    world.pass_time(timedelta(days=30))

    shown = {"id": file, "name": "page.png", "type": "image/png", "size": len(PNG)}
    shown |= {"width": 3, "height": 2}
    assert accepted.status == 202
    prompt = asking.ask("GET", f"/sessions/{session}/prompts/1").body
    assert prompt["attachments"] == [shown]
    entries = asking.ask("GET", f"/sessions/{session}/timeline").body["entries"]
    queued = [e for entry in entries for e in entry["events"] if e["type"] == "prompt_queued"]
    assert queued[0]["attachments"] == [shown]
    assert bob(world).ask("GET", f"/attachments/{file}/parts/0").content == PNG


def test_an_image_may_stand_for_itself_and_gives_the_session_its_name():
    asking = ada(World())
    file, session = asking.upload(), asking.session()

    accepted = asking.prompt(session, file, text="")

    assert accepted.status == 202
    assert asking.ask("GET", f"/sessions/{session}").body["title"] == "page.png"


def test_the_same_request_is_the_same_prompt_and_other_images_are_a_conflict():
    asking = ada(World())
    one, other, session = asking.upload(), asking.upload(), asking.session()
    asking.prompt(session, one)

    again, changed = asking.prompt(session, one), asking.prompt(session, other)

    assert (again.status, again.body["number"], changed.status) == (202, 1, 409)


def test_only_complete_uploads_of_ones_own_can_be_named():
    world = World()
    asking = ada(world)
    session, unfinished, mine = asking.session(), asking.begin(PNG), asking.upload()
    others = bob(world).upload()

    answers = [
        asking.prompt(session, unfinished),
        asking.prompt(session, others),
        asking.prompt(session, "nowhere"),
        asking.prompt(session, mine, mine),
        asking.prompt(session, *(["a"] * 7)),
    ]

    assert [answer.status for answer in answers] == [422] * 5
    assert all(answer.body["field"].startswith("attachments") for answer in answers)
    assert asking.ask("GET", f"/sessions/{session}").body["prompts"] == 0


def test_an_upload_that_nobody_names_is_gone_after_a_day():
    world = World()
    asking = ada(world)
    file, session = asking.upload(), asking.session()

    world.pass_time(timedelta(days=1))

    assert asking.ask("GET", f"/attachments/{file}/parts/0").status == 404
    assert asking.prompt(session, file).status == 422


def test_somebody_elses_upload_does_not_exist():
    world = World()
    file = ada(world).upload()
    other = bob(world)

    asked = [
        other.ask("GET", f"/attachments/{file}/parts/0"),
        other.ask("PUT", f"/attachments/{file}/parts/0", PNG),
        other.ask("POST", f"/attachments/{file}/complete"),
    ]

    assert [answer.status for answer in asked] == [404] * 3


def test_a_prompt_is_not_acknowledged_while_its_images_are_not_safe():
    world = World()
    asking = ada(world)
    file, session = asking.upload(), asking.session()
    world.objects.failure = Unavailable("the file store does not answer; try again")

    refused = asking.prompt(session, file)
    world.objects.failure = None
    again = asking.prompt(session, file)

    assert (refused.status, again.status, again.body["number"]) == (503, 202, 1)


def test_a_session_that_takes_no_prompt_keeps_no_image():
    world = World()
    asking = ada(world)
    file, session = asking.upload(), asking.session()
    world.app.sessions.handle(SessionId(session), Cancel(UserId("ada")))

    answer = asking.prompt(session, file)

    assert answer.status == 409
    assert not [key for key in world.objects.contents if key.startswith("kept/")]


def test_a_sandbox_fetches_what_its_own_session_was_given():
    world = World()
    asking = ada(world)
    file, session = asking.upload(), asking.session()
    private = asking.upload()
    asking.prompt(session, file)
    inside = sandbox(world, session)

    assert inside.ask("GET", f"/attachments/{file}/parts/0").content == PNG
    assert inside.ask("GET", f"/attachments/{private}/parts/0").status == 404
    assert Asking(world, inside.token).ask("GET", f"/attachments/{file}/parts/0").status == 401


def test_a_sandbox_of_another_session_finds_nothing():
    world = World()
    asking = ada(world)
    file, session = asking.upload(), asking.session()
    asking.prompt(session, file)
    other = asking.ask("POST", "/sessions", {**SESSION, "requestId": "r2"}).body["id"]
    asking.prompt(other)

    answer = sandbox(world, other).ask("GET", f"/attachments/{file}/parts/0")

    assert answer.status == 404


def test_the_token_of_a_dead_attempt_opens_nothing():
    world = World()
    asking = ada(world)
    file, session = asking.upload(), asking.session()
    asking.prompt(session, file)
    inside = sandbox(world, session)
    handed = inside.upload()

    world.app.sessions.handle(SessionId(session), Retire(1, None))

    assert inside.ask("GET", f"/attachments/{file}/parts/0").status == 401
    assert inside.ask("POST", "/artifacts", {"attachment": handed}).status == 401
    assert Asking(world, asking.token, "/sandbox").ask("POST", "/attachments", {}).status in {
        401,
        422,
    }


def test_a_screenshot_is_an_artifact_of_its_session_however_often_it_is_handed_in():
    world = World()
    asking = ada(world)
    session = asking.session()
    asking.prompt(session)
    inside = sandbox(world, session)

    taken = [
        inside.ask("POST", "/artifacts", {"attachment": inside.upload(), "title": " The  page "})
        for _ in range(2)
    ]

    (artifact,) = asking.ask("GET", f"/sessions/{session}/artifacts").body["artifacts"]
    assert [answer.status for answer in taken] == [201, 201]
    assert taken[0].body["id"] == taken[1].body["id"] == artifact["id"]
    assert (artifact["kind"], artifact["title"]) == ("screenshot", "The page")
    assert (artifact["file"]["width"], artifact["file"]["ready"]) == (3, True)
    entries = asking.ask("GET", f"/sessions/{session}/timeline").body["entries"]
    told = [e for entry in entries for e in entry["events"] if e["type"] == "artifact_created"]
    assert [event["file"]["id"] for event in told] == [artifact["file"]["id"]]
    shown = bob(world).ask("GET", f"/attachments/{artifact['file']['id']}/parts/0")
    assert shown.content == PNG


def test_a_sandbox_hands_in_nothing_but_its_own_complete_uploads():
    world = World()
    asking = ada(world)
    mine, session = asking.upload(), asking.session()
    asking.prompt(session, mine)
    inside = sandbox(world, session)

    users = inside.ask("POST", "/artifacts", {"attachment": mine})
    unfinished = inside.ask("POST", "/artifacts", {"attachment": inside.begin(PNG)})

    assert (users.status, unfinished.status) == (422, 422)


def test_a_sandbox_that_begins_upload_after_upload_is_slowed_down():
    world = World()
    asking = ada(world)
    session = asking.session()
    asking.prompt(session)
    inside = sandbox(world, session)
    asked = {"name": "a.png", "type": "image/png", "size": 10}

    answers = [inside.ask("POST", "/attachments", asked).status for _ in range(21)]
    world.pass_time(timedelta(seconds=30))

    assert answers == [201] * 20 + [409]
    assert inside.ask("POST", "/attachments", asked).status == 201
