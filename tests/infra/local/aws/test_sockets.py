"""API Gateway's WebSocket limits and manners, each enforced by the host."""

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event
from time import monotonic
from typing import Any

import pytest
from botocore.exceptions import ClientError
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.eventually import eventually
from tests.infra.local.aws import stacks
from tests.local_aws import LocalAws

pytestmark = pytest.mark.local_aws

_IDLE = timedelta(seconds=2)
_ECHO = """
    import json, os, time
    import boto3

    def handler(event, context):
        asked = event["requestContext"]
        kind, connection = asked["eventType"], asked["connectionId"]
        if kind == "CONNECT":
            query = event.get("queryStringParameters") or {}
            print(json.dumps({"connection": connection, "kind": kind, "query": query}))
            if "post" in query:
                print(json.dumps({"posted": post(asked, "too early"), "connection": connection}))
            time.sleep(float(query.get("sleep", 0)))
            return {"statusCode": int(query.get("status", 200))}
        if kind == "DISCONNECT":
            print(json.dumps({"connection": connection, "kind": kind,
                              "code": asked["disconnectStatusCode"]}))
            return {"statusCode": 200}
        said = json.loads(event["body"])
        if said.get("raise"):
            raise RuntimeError("the text of an exception")
        time.sleep(said.get("sleep", 0))
        answer = {"said": said.get("text", "")[:20], "connection": connection,
                  "authorizer": asked.get("authorizer")}
        post(asked, json.dumps(answer))
        return {"statusCode": 200}

    def post(asked, text):
        path = f"/_aws/execute-api/{asked['apiId']}/{asked['stage']}"
        url = os.environ["AWS_ENDPOINT_URL"] + path
        client = boto3.client("apigatewaymanagementapi", endpoint_url=url)
        try:
            client.post_to_connection(ConnectionId=asked["connectionId"], Data=text.encode())
        except client.exceptions.GoneException:
            return "gone"
        return "sent"
"""
_AUTHORIZER = """
    def handler(event, context):
        asked = event["queryStringParameters"] or {}
        ticket = asked.get("ticket") or event["headers"].get("authorization")
        effect = "Allow" if ticket == "good" else "Deny"
        arn = event["methodArn"]
        statement = {"Effect": effect, "Action": "execute-api:Invoke", "Resource": arn}
        return {
            "principalId": "somebody",
            "policyDocument": {"Version": "2012-10-17", "Statement": [statement]},
            "context": {"session": "s-1", "attempt": 3},
        }
"""


def _template() -> dict[str, Any]:
    query, header = "route.request.querystring.ticket", "route.request.header.Authorization"
    return stacks.template(
        stacks.function("Echo", _ECHO),
        stacks.function("Authorizer", _AUTHORIZER),
        stacks.socket_api("Open", "Echo"),
        stacks.socket_api("Clients", "Echo", authorizer="Authorizer", identity=query),
        stacks.socket_api("Bridges", "Echo", authorizer="Authorizer", identity=header),
        outputs={name: stacks.ref(name) for name in ("Open", "Clients", "Bridges")},
    )


@pytest.fixture(scope="module")
def apis(aws: LocalAws) -> dict[str, str]:
    return aws.deploy(_template(), "Sockets")


@pytest.fixture(scope="module")
def hasty() -> Iterator[tuple[LocalAws, str]]:
    """A host whose ten minutes are two seconds and whose two hours are four."""
    with LocalAws(socket_idle=_IDLE, socket_lifetime=2 * _IDLE) as host:
        yield host, host.deploy(_template(), "Sockets")["Open"]


@contextmanager
def _connected(host: LocalAws, api: str, **query: str) -> Generator[ClientConnection]:
    url = host.socket_url(api, "live", **query)
    with connect(url, compression=None, max_size=None) as socket:
        yield socket


def _hello(socket: ClientConnection, text: str = "hello") -> dict[str, Any]:
    socket.send(json.dumps({"text": text}))
    return json.loads(socket.recv(timeout=10))


def _close_code(socket: ClientConnection) -> int | None:
    with pytest.raises(ConnectionClosed) as closed:
        socket.recv(timeout=10)
    return closed.value.rcvd.code if closed.value.rcvd else None


def _frames(size: int) -> Iterator[str]:
    """A JSON message of that many bytes, in frames that are small enough."""
    text = json.dumps({"text": "x" * (size - len(json.dumps({"text": ""})))})
    for start in range(0, size, 32 * 1024):
        yield text[start : start + 32 * 1024]


def test_a_message_of_128_kb_passes(aws: LocalAws, apis: dict[str, str]) -> None:
    with _connected(aws, apis["Open"]) as socket:
        socket.send(_frames(128 * 1024))

        assert json.loads(socket.recv(timeout=10))["said"] == "x" * 20


def test_a_message_one_byte_larger_closes_with_1009(aws: LocalAws, apis: dict[str, str]) -> None:
    with _connected(aws, apis["Open"]) as socket:
        socket.send(_frames(128 * 1024 + 1))

        assert _close_code(socket) == 1009


def test_bytes_are_counted_not_characters(aws: LocalAws, apis: dict[str, str]) -> None:
    with _connected(aws, apis["Open"]) as socket:
        socket.send("é" * 10_000 for _ in range(7))

        assert _close_code(socket) == 1009


def test_a_frame_larger_than_32_kb_closes_with_1009(aws: LocalAws, apis: dict[str, str]) -> None:
    with _connected(aws, apis["Open"]) as socket:
        socket.send(json.dumps({"text": "x" * 32 * 1024}))

        assert _close_code(socket) == 1009


@pytest.mark.parametrize(("size", "refused"), [(128 * 1024, None), (128 * 1024 + 1, 413)])
def test_a_post_is_bounded_too(
    aws: LocalAws, apis: dict[str, str], size: int, refused: int | None
) -> None:
    connections = aws.connections(apis["Open"], "live")
    with _connected(aws, apis["Open"]) as socket:
        connection = _hello(socket)["connection"]

        status = _post(connections, connection, b"x" * size)

        assert status == refused
        if refused is None:
            assert len(socket.recv(timeout=10)) == size


def _post(connections: Any, connection: str, data: bytes) -> int | None:
    """The status of the refusal, None if it was accepted."""
    try:
        connections.post_to_connection(ConnectionId=connection, Data=data)
    except connections.exceptions.PayloadTooLargeException:
        return 413
    except ClientError as error:
        return error.response["ResponseMetadata"]["HTTPStatusCode"]
    return None


def test_an_idle_socket_is_closed_with_1001(hasty: tuple[LocalAws, str]) -> None:
    host, api = hasty
    with _connected(host, api) as socket:
        connection = _hello(socket)["connection"]

        code = _close_code(socket)

        assert code == 1001
        assert _post(host.connections(api, "live"), connection, b"late") == 410
        eventually(lambda: _disconnected(host, connection) == [1001])


def test_a_slow_connect_is_not_idle(hasty: tuple[LocalAws, str]) -> None:
    host, api = hasty

    with _connected(host, api, sleep="2.5") as socket:
        assert _hello(socket)["said"] == "hello"


def test_an_active_socket_is_closed_with_1001_at_the_end_of_its_life(
    hasty: tuple[LocalAws, str],
) -> None:
    host, api = hasty
    with _connected(host, api) as socket:
        silence, code = _hello_until_closed(socket)

    assert code == 1001
    assert silence < _IDLE, "so it was not closed for being idle"


def _hello_until_closed(socket: ClientConnection) -> tuple[timedelta, int | None]:
    """How long nothing had passed when the socket was closed, and its code."""
    pause = Event()
    while True:
        passed = monotonic()
        try:
            _hello(socket)
        except ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd else None
            return timedelta(seconds=monotonic() - passed), code
        pause.wait(0.2)


def _disconnected(host: LocalAws, connection: str) -> list[int]:
    return [
        line["code"]
        for line in host.lambda_log()
        if line.get("connection") == connection and line.get("kind") == "DISCONNECT"
    ]


def test_a_post_inside_connect_is_gone(aws: LocalAws, apis: dict[str, str]) -> None:
    with _connected(aws, apis["Open"], post="yes") as socket:
        connection = _hello(socket)["connection"]

    posted = [line for line in aws.lambda_log() if line.get("posted")]
    assert [line["posted"] for line in posted if line["connection"] == connection] == ["gone"]


def test_a_post_after_the_client_left_is_gone(aws: LocalAws, apis: dict[str, str]) -> None:
    with _connected(aws, apis["Open"]) as socket:
        connection = _hello(socket)["connection"]

    eventually(lambda: _disconnected(aws, connection))
    assert _post(aws.connections(apis["Open"], "live"), connection, b"late") == 410


@pytest.mark.parametrize("status", [401, 403, 404, 500])
def test_a_refused_connect_shows_the_status_its_function_gave(
    aws: LocalAws, apis: dict[str, str], status: int
) -> None:
    with (
        pytest.raises(InvalidStatus) as refusal,
        _connected(aws, apis["Open"], status=str(status)),
    ):
        pass

    assert refusal.value.response.status_code == status


def test_the_authorizers_context_reaches_connect_and_every_later_message(
    aws: LocalAws, apis: dict[str, str]
) -> None:
    with _connected(aws, apis["Clients"], ticket="good") as socket:
        answers = [_hello(socket), _hello(socket)]

    expected = {"session": "s-1", "attempt": "3", "principalId": "somebody"}
    assert [answer["authorizer"] for answer in answers] == [expected, expected]


def test_an_authorizer_can_go_by_a_header(aws: LocalAws, apis: dict[str, str]) -> None:
    url = aws.socket_url(apis["Bridges"], "live")

    with connect(url, additional_headers={"Authorization": "good"}) as socket:
        assert _hello(socket)["authorizer"]["session"] == "s-1"


@pytest.mark.parametrize(
    ("api", "options", "status"),
    [
        ("Clients", {"ticket": "bad"}, 403),
        ("Clients", {}, 401),
        ("Bridges", {}, 401),
    ],
)
def test_who_is_not_let_in_gets_no_handshake(
    aws: LocalAws, apis: dict[str, str], api: str, options: dict[str, str], status: int
) -> None:
    with pytest.raises(InvalidStatus) as refusal, _connected(aws, apis[api], **options):
        pass

    assert refusal.value.response.status_code == status


def test_messages_of_one_connection_do_not_wait_for_each_other(
    aws: LocalAws, apis: dict[str, str]
) -> None:
    with _connected(aws, apis["Open"]) as socket:
        _hello(socket)
        socket.send(json.dumps({"text": "slow", "sleep": 1}))
        socket.send(json.dumps({"text": "quick"}))

        order = [json.loads(socket.recv(timeout=10))["said"] for _ in range(2)]

    assert order == ["quick", "slow"]


def test_a_function_that_raises_tells_the_client_nothing(
    aws: LocalAws, apis: dict[str, str]
) -> None:
    with _connected(aws, apis["Open"]) as socket:
        socket.send(json.dumps({"raise": True}))

        answer = json.loads(socket.recv(timeout=10))

        assert answer.keys() == {"message", "connectionId", "requestId"}
        assert answer["message"] == "Internal server error"
        assert _hello(socket)["said"] == "hello"
