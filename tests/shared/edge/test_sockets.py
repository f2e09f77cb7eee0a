"""Both WebSocket APIs, from API Gateway's events to what is posted."""

import json
from typing import Any

import pytest

from shared.app.attachments import user_asks
from shared.app.lives import Life
from shared.domain.errors import NotFound
from shared.domain.session.commands import Cancel
from shared.domain.session.state import SessionId, UserId
from shared.edge import bridge_socket, client_socket
from shared.edge.bridge_socket import BridgeSocket
from shared.edge.client_socket import ClientSocket
from shared.edge.websocket import LambdaHandler, Routes, websocket
from shared.protocol.attachments import NewAttachment
from shared.protocol.bridge import IDENTITY_PATH, Identity
from tests import images
from tests.events import sample
from tests.world import World


def clients(world: World) -> LambdaHandler:
    app = world.app
    socket = ClientSocket(app.viewers, app.sessions, app.desk, app.client_sockets)
    return websocket(lambda: Routes(socket.connect, socket.disconnect, socket.message))


def bridges(world: World) -> LambdaHandler:
    socket = BridgeSocket(world.app.bridges, world.app.bridge_sockets)
    return websocket(lambda: Routes(socket.connect, socket.disconnect, socket.message))


def ticket(world: World, session_id: SessionId) -> str:
    user = world.app.accounts.all()[0] if world.app.accounts.all() else world.owner()[0]
    return world.app.viewers.issue_ticket(session_id, user)[0]


def connected(world: World) -> tuple[SessionId, LambdaHandler]:
    session_id = world.open_session()
    handler = clients(world)
    event = sample("client_socket/connect", SESSION=session_id, TICKET=ticket(world, session_id))
    assert handler(event, None) == {"statusCode": 200}
    return session_id, handler


def message(session_id: SessionId, body: object) -> dict[str, Any]:
    event = sample("client_socket/subscribe", SESSION=session_id)
    event["body"] = body if isinstance(body, str) else json.dumps(body)
    return event


def heard(world: World, connection: str = "c1") -> list[dict[str, Any]]:
    return [json.loads(text) for text in world.client_sockets.take(connection)]


def effect(policy: dict[str, Any]) -> str:
    return policy["policyDocument"]["Statement"][0]["Effect"]


def test_a_ticket_admits_its_session_and_its_user():
    world = World()
    session_id = world.open_session()
    event = sample("client_auth/ticket", TICKET=ticket(world, session_id))

    policy = client_socket.authorize(event, world.app.viewers)

    assert effect(policy) == "Allow"
    assert policy["context"] == {
        "session": session_id,
        "user": "ada",
        "name": "ada",
        "scope": "write",
    }


def test_a_made_up_ticket_admits_nobody():
    policy = client_socket.authorize(sample("client_auth/ticket"), World().app.viewers)

    assert effect(policy) == "Deny"


def test_a_used_ticket_does_not_connect_again():
    world = World()
    session_id = world.open_session()
    handler = clients(world)
    text = ticket(world, session_id)
    event = sample("client_socket/connect", SESSION=session_id, TICKET=text)

    first, second = handler(event, None), handler(event, None)

    assert (first["statusCode"], second["statusCode"]) == (200, 401)


def test_subscribing_is_answered_with_the_snapshot():
    world = World()
    session_id, handler = connected(world)
    world.submit(session_id)

    handler(message(session_id, {"type": "subscribe", "after": 0}), None)

    subscribed, presence = heard(world)
    assert subscribed["type"] == "subscribed"
    assert subscribed["session"]["id"] == session_id
    assert (subscribed["tail"], len(subscribed["frames"])) == (1, 1)
    assert presence["participants"] == [{"user": "ada", "name": "ada", "status": "active"}]


def test_a_connected_socket_that_has_not_subscribed_is_told_nothing():
    world = World()
    session_id, _ = connected(world)

    world.submit(session_id)

    assert heard(world) == []


def test_a_subscriber_is_told_what_happens_by_the_names_of_watchers():
    world = World()
    session_id, handler = connected(world)
    handler(message(session_id, {"type": "subscribe"}), None)
    heard(world)

    world.submit(session_id)

    (frame,) = heard(world)
    assert [item["type"] for item in frame["items"]] == [
        "prompt_queued",
        "session_status",
        "title",
        "sandbox_spawning",
        "sandbox_status",
    ]


def test_a_prompt_over_the_socket_is_accepted_once():
    world = World()
    session_id, handler = connected(world)
    author = {"name": "Ada", "email": "ada@example.com"}
    prompt = {"type": "prompt", "requestId": "p1", "text": "do it", "author": author}

    handler(message(session_id, prompt), None)
    handler(message(session_id, prompt), None)

    accepted = {"type": "prompt_accepted", "requestId": "p1", "prompt": 1}
    assert heard(world) == [accepted, accepted]
    assert world.app.sessions.load(session_id).prompts == 1


def test_a_prompt_that_names_no_author_is_by_whoever_the_socket_is_of():
    world = World()
    session_id, handler = connected(world)

    handler(message(session_id, {"type": "prompt", "requestId": "p1", "text": "do it"}), None)

    author = world.ports.store.prompt(session_id, 1).prompt.author
    assert (author.name, author.email) == ("ada", "ada@users.outboard.invalid")


@pytest.mark.parametrize(
    "asked",
    [
        {"type": "prompt", "requestId": "p1", "text": "do it"},
        {"type": "stop", "requestId": "p1"},
        {"type": "cancel_prompt", "requestId": "p1", "prompt": 1},
        {"type": "resume_queue", "requestId": "p1"},
        {"type": "typing"},
    ],
    ids=lambda asked: asked["type"],
)
def test_a_socket_that_is_for_looking_changes_nothing(asked: dict[str, Any]):
    world = World()
    session_id, handler = connected(world)
    world.submit(session_id, request_id="p0")
    before = world.app.sessions.load(session_id)

    def by_reader(body: object) -> dict[str, Any]:
        event = message(session_id, body)
        event["requestContext"]["authorizer"]["scope"] = "read"
        return event

    handler(by_reader({"type": "subscribe"}), None)
    subscribed = heard(world)[0]
    handler(by_reader(asked), None)

    (refused,) = heard(world)
    assert subscribed["type"] == "subscribed"
    assert (refused["type"], refused["code"]) == ("error", "forbidden")
    assert world.app.sessions.load(session_id) == before


def test_a_prompt_over_the_socket_may_bring_images():
    world = World()
    session_id, handler = connected(world)
    app, ada, content = world.app.attachments, user_asks(UserId("ada")), images.png()
    new = NewAttachment(name="page.png", type="image/png", size=len(content))
    file = app.begin(ada, new).id
    app.put_part(ada, file, 0, content)
    app.complete(ada, file)
    author = {"name": "Ada", "email": "ada@example.com"}
    prompt = {"type": "prompt", "requestId": "p1", "text": "", "author": author}

    handler(message(session_id, {**prompt, "attachments": [file]}), None)
    handler(message(session_id, {**prompt, "requestId": "p2", "attachments": ["none"]}), None)

    accepted, refused = heard(world)
    assert accepted == {"type": "prompt_accepted", "requestId": "p1", "prompt": 1}
    assert (refused["code"], refused["requestId"]) == ("invalid", "p2")
    assert [f.id for f in world.app.store.prompt(session_id, 1).attachments] == [file]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("no json", "malformed"),
        ({"type": "unheard of"}, "malformed"),
        ({"type": "ping", "extra": 1}, "malformed"),
        ({"type": "stop", "requestId": "r1"}, "rejected"),
        ({"type": "cancel_prompt", "requestId": "r1", "prompt": 7}, "not_found"),
        ({"type": "ping"}, "unauthenticated"),
        ({"type": "fetch", "after": 10**1_100}, "malformed"),
        ({"type": "subscribe", "after": 9_999_999_999_998}, "malformed"),
    ],
    ids=[
        *("no json", "unknown type", "unknown field", "nothing runs", "no such prompt"),
        *("too early", "longer than a key may be", "behind the last slot there can be"),
    ],
)
def test_a_refused_message_is_answered_with_an_error_frame(body: object, code: str):
    world = World()
    session_id, handler = connected(world)

    answer = handler(message(session_id, body), None)

    (error,) = heard(world)
    assert answer == {"statusCode": 200}
    assert (error["type"], error["code"]) == ("error", code)


def test_an_error_names_the_request_that_it_answers():
    world = World()
    session_id, handler = connected(world)

    handler(message(session_id, {"type": "stop", "requestId": "r7"}), None)

    assert heard(world)[0]["requestId"] == "r7"


@pytest.mark.parametrize(
    ("body", "request_id"),
    [
        ({"type": "prompt", "requestId": "r7"}, "r7"),
        ({"type": "of a newer client", "requestId": "r7"}, "r7"),
        ({"type": "prompt", "requestId": "no id " * 100}, None),
        ({"type": "prompt", "requestId": ["r7"]}, None),
        ([{"requestId": "r7"}], None),
        ("no json", None),
        ("[" * 30_000, None),
    ],
)
def test_a_malformed_request_is_answered_by_its_id_if_it_has_one(
    body: object, request_id: str | None
):
    world = World()
    session_id, handler = connected(world)

    handler(message(session_id, body), None)

    (error,) = heard(world)
    assert (error["code"], error["requestId"]) == ("malformed", request_id)


def test_the_sample_with_an_unknown_field_is_malformed():
    world = World()
    session_id, handler = connected(world)

    handler(sample("client_socket/unknown_field", SESSION=session_id), None)

    assert heard(world)[0]["code"] == "malformed"


def test_every_pong_carries_the_tail():
    world = World()
    session_id, handler = connected(world)
    handler(message(session_id, {"type": "subscribe"}), None)
    world.submit(session_id)
    heard(world)

    handler(message(session_id, {"type": "ping"}), None)

    assert heard(world) == [{"type": "pong", "tail": 1}]


def test_whoever_leaves_is_told_nothing_more():
    world = World()
    session_id, handler = connected(world)
    handler(message(session_id, {"type": "subscribe"}), None)
    heard(world)

    handler(sample("client_socket/disconnect", SESSION=session_id), None)
    world.submit(session_id)

    assert heard(world) == []


def test_a_socket_that_is_gone_is_forgotten():
    world = World()
    session_id, handler = connected(world)
    handler(message(session_id, {"type": "subscribe"}), None)
    world.client_sockets.gone.add("c1")

    world.submit(session_id)

    assert world.app.viewers.connections.audience(session_id).viewers == ()


def launched(world: World) -> tuple[SessionId, str]:
    session_id = world.open_session()
    world.submit(session_id)
    world.lives.launch(Life(session_id, 1))
    identity = Identity.model_validate_json(world.machine().files[IDENTITY_PATH])
    return session_id, identity.token


def test_the_token_of_a_living_attempt_admits_its_bridge():
    world = World()
    session_id, token = launched(world)

    policy = bridge_socket.authorize(sample("bridge_auth/token", TOKEN=token), world.app.store)

    assert effect(policy) == "Allow"
    assert policy["context"] == {"session": session_id, "attempt": "1"}


@pytest.mark.parametrize(
    "token",
    [
        *("", "TOKEN", "obs.nowhere.1.x", "obs.SESSION.2.x"),
        *("obs.SESSION." + "9" * 5_000 + ".x", "obs." + "s" * 3_000 + ".1.x", "obs..1.x"),
    ],
    ids=["none", "no claim", "no session", "no attempt", "long attempt", "long session", "empty"],
)
def test_any_other_token_admits_nobody(token: str):
    world = World()
    session_id, _ = launched(world)
    event = sample("bridge_auth/token", TOKEN=token.replace("SESSION", session_id))

    assert effect(bridge_socket.authorize(event, world.app.store)) == "Deny"


def test_the_token_dies_with_the_attempt():
    world = World()
    session_id, token = launched(world)
    world.app.sessions.handle(session_id, Cancel(UserId("ada")))

    policy = bridge_socket.authorize(sample("bridge_auth/token", TOKEN=token), world.app.store)

    assert effect(policy) == "Deny"


def test_a_bridge_of_tomorrow_says_hello_and_is_welcome():
    world = World()
    session_id, _ = launched(world)
    handler = bridges(world)

    connect = handler(sample("bridge_socket/connect", SESSION=session_id), None)
    handler(sample("bridge_socket/hello", SESSION=session_id), None)

    (welcome,) = (json.loads(text) for text in world.bridge_sockets.take("c1"))
    assert connect == {"statusCode": 200}
    assert (welcome["type"], welcome["orders"]["do"]) == ("welcome", "idle")


def test_a_frame_that_is_malformed_is_refused_by_its_id():
    world = World()
    session_id, _ = launched(world)
    handler = bridges(world)
    handler(sample("bridge_socket/connect", SESSION=session_id), None)
    event = sample("bridge_socket/hello", SESSION=session_id)
    event["body"] = json.dumps({"type": "frame", "id": "f9", "after": "x", "events": []})

    handler(event, None)

    (refused,) = (json.loads(text) for text in world.bridge_sockets.take("c1"))
    assert (refused["type"], refused["id"], refused["code"]) == ("refused", "f9", "malformed")


def test_a_frame_that_no_viewer_could_be_sent_is_refused_by_its_id_and_not_stored():
    """API Gateway takes 128 KB from a bridge, and no more to a viewer, wrapping included."""
    world = World()
    session_id, _ = launched(world)
    handler = bridges(world)
    handler(sample("bridge_socket/connect", SESSION=session_id), None)
    handler(sample("bridge_socket/hello", SESSION=session_id), None)
    (welcome,) = (json.loads(text) for text in world.bridge_sockets.take("c1"))
    tail = world.app.timeline.before(session_id, None, limit=1)[-1].seq
    event = sample("bridge_socket/hello", SESSION=session_id)
    words = {"type": "text", "prompt": 1, "part": "a", "text": "x" * 120_000}
    frame = {"type": "frame", "id": "f9", "after": welcome["cursor"], "events": [words]}
    event["body"] = json.dumps(frame)

    handler(event, None)

    (refused,) = (json.loads(text) for text in world.bridge_sockets.take("c1"))
    assert (refused["type"], refused["id"], refused["code"]) == ("refused", "f9", "too_large")
    assert world.app.timeline.before(session_id, None, limit=1)[-1].seq == tail


def test_an_answer_to_a_socket_that_has_closed_is_no_failure_of_ours():
    world = World()
    session_id, handler = connected(world)
    world.client_sockets.gone.add("c1")

    answer = handler(message(session_id, "no json"), None)

    assert answer == {"statusCode": 200}


def test_a_session_that_is_not_there_has_no_ticket():
    world = World()
    user, _ = world.owner()

    with pytest.raises(NotFound):
        world.app.viewers.issue_ticket(SessionId("nowhere"), user)
