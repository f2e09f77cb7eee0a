"""Deployed APIs are open to this machine's own pages; everything else wants this host's key."""

import json
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from typing import Any

import pytest
from botocore.exceptions import ClientError
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from infra.local.aws.access import AccessKey
from infra.local.deploy import DeployFailed, Target, publish
from tests.infra.local.aws import stacks
from tests.local_aws import LocalAws

pytestmark = pytest.mark.local_aws

_CODE = """
    import json

    def handler(event, context):
        if "rawPath" not in event:
            return {"statusCode": 200}
        seen = {name: event[name] for name in ("rawPath", "rawQueryString")}
        return {"statusCode": 200, "body": json.dumps(seen)}
"""


@pytest.fixture(scope="module")
def apis(aws: LocalAws) -> dict[str, str]:
    template = stacks.template(
        stacks.function("Function", _CODE),
        stacks.http_api("Http", "Function"),
        stacks.socket_api("Sockets", "Function"),
        outputs={name: stacks.ref(name) for name in ("Http", "Sockets")},
    )
    return aws.deploy(template, "FrontDoor")


def _get(
    host: LocalAws, path: str, method: str = "GET", body: str | None = None, **headers: str
) -> tuple[int, Any]:
    connection = HTTPConnection("127.0.0.1", host.port, timeout=10)
    connection.request(method, path, body, {k.replace("_", "-"): v for k, v in headers.items()})
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, json.loads(content or b"null")


def _data_plane(apis: dict[str, str]) -> str:
    return f"/_aws/execute-api/{apis['Http']}/$default/things"


def test_a_deployed_api_is_open_on_loopback(aws: LocalAws, apis: dict[str, str]) -> None:
    for host in (f"127.0.0.1:{aws.port}", f"localhost:{aws.port}"):
        status, seen = _get(aws, _data_plane(apis) + "?a=1", Host=host, Origin=f"http://{host}")

        assert (status, seen) == (200, {"rawPath": "/things", "rawQueryString": "a=1"})


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:{port}", "Origin": "https://evil.example"},
        {"Host": "127.0.0.1:{port}", "Origin": "http://localhost:{port}"},
        {"Host": "127.0.0.1:{port}", "Origin": "null"},
    ],
)
def test_other_pages_and_other_names_are_refused(
    aws: LocalAws, apis: dict[str, str], headers: dict[str, str]
) -> None:
    sent = {name: value.format(port=aws.port) for name, value in headers.items()}

    status, _ = _get(aws, _data_plane(apis), **sent)

    assert status == 403
    if "Origin" in sent:
        url = aws.socket_url(apis["Sockets"], "live")
        with (
            pytest.raises(InvalidStatus) as refusal,
            connect(url, additional_headers={"Origin": sent["Origin"]}),
        ):
            pass
        assert refusal.value.response.status_code == 403


@pytest.mark.parametrize(
    "path",
    [
        "/_aws/execute-api/{Sockets}/live/@connections/abc",
        "/_aws/execute-api/{Sockets}/live/%40connections/abc",
        "/restapis/{Http}/$default/_user_request_/things",
        "/_ministack/health",
        "/_ministack/config",
        "/_outboard/aliases",
        "/2015-03-31/functions",
        "/schedules",
    ],
)
def test_aws_and_the_emulator_want_the_key(aws: LocalAws, apis: dict[str, str], path: str) -> None:
    status, _ = _get(aws, path.format(**apis))

    assert status == 403


@pytest.mark.parametrize("path", ["/_aws/execute-api/abc", "/_aws/execute-api//x", "/"])
def test_no_address_smuggles_a_call_to_aws(aws: LocalAws, apis: dict[str, str], path: str) -> None:
    status, _ = _get(aws, path, "POST", "{}", X_Amz_Target="DynamoDB_20120810.ListTables")

    assert status == 403


@pytest.mark.parametrize("key", ["test", "000000000000", "OUTBOARD"])
def test_another_key_is_no_key(aws: LocalAws, key: str) -> None:
    target = Target(aws.endpoint, AccessKey(key, "any"))

    with closing(target.client("dynamodb")) as client, pytest.raises(ClientError) as refusal:
        client.list_tables()

    assert refusal.value.response["ResponseMetadata"]["HTTPStatusCode"] == 403


def test_the_right_key_opens_it(aws: LocalAws) -> None:
    assert "TableNames" in aws.client("dynamodb").list_tables()


def test_nobody_can_empty_its_memory(aws: LocalAws) -> None:
    signed = f"AWS4-HMAC-SHA256 Credential={aws.key.id}/x"

    status, _ = _get(aws, "/_ministack/reset", "POST", Authorization=signed)

    assert status == 403


@pytest.fixture
def pages(aws: LocalAws, apis: dict[str, str]) -> Iterator[None]:
    """The API has every address that has no other meaning, as the deployment gives it them."""
    publish(aws.target, {"/": f"/_aws/execute-api/{apis['Http']}/$default"})
    yield
    publish(aws.target, {})


@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize(
    "path", ["/", "/session/abc", "/_ministack/health", "/_outboard/aliases", "/schedules", "/v2/"]
)
def test_what_is_no_call_to_aws_is_one_to_the_pages(aws: LocalAws, path: str) -> None:
    assert _get(aws, path)[1] == {"rawPath": path, "rawQueryString": ""}


@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/", {"X_Amz_Target": "DynamoDB_20120810.ListTables"}),
        ("/?Action=ListUsers&Version=2010-05-08", {}),
        ("/?X-Amz-Credential=AKIA/20260101/us-east-1/dynamodb/aws4_request", {}),
        ("/2015-03-31/functions", {"X_Amz_Security_Token": "x"}),
        ("/WriteGetObjectResponse", {"X_Amz_Request_Route": "x"}),
        ("/_ministack/reset", {}),
        ("/restapis/abc/$default/_user_request_/x", {}),
        ("//_aws/execute-api/abc/live", {}),
    ],
)
def test_no_dress_makes_it_a_call_to_aws(aws: LocalAws, path: str, headers: dict[str, str]) -> None:
    status, seen = _get(aws, path, "POST", "{}", **headers)

    assert (status, seen["rawPath"]) == (200, path.partition("?")[0])


@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/", {"Host": "evil.example"}),
        ("/", {"Origin": "https://evil.example"}),
        ("/", {"Authorization": "AWS4-HMAC-SHA256 Credential=AKIA/20260101/us-east-1/s3/x"}),
        ("/x/@connections/abc", {}),
        ("/_aws/execute-api/", {}),
        ("/_aws/execute-api/abc", {}),
    ],
)
def test_the_pages_are_as_well_guarded_as_any_api(
    aws: LocalAws, path: str, headers: dict[str, str]
) -> None:
    assert _get(aws, path, **headers)[0] == 403


@pytest.mark.usefixtures("pages")
def test_the_key_opens_aws_beside_the_pages(aws: LocalAws) -> None:
    assert "TableNames" in aws.client("dynamodb").list_tables()


def test_the_root_says_what_this_is(aws: LocalAws) -> None:
    assert _get(aws, "/") == (200, {"service": "outboard local"})


def test_deployed_apis_have_short_names(aws: LocalAws, apis: dict[str, str]) -> None:
    publish(
        aws.target,
        {
            "/api": f"/_aws/execute-api/{apis['Http']}/$default",
            "/ws/clients": f"/_aws/execute-api/{apis['Sockets']}/live",
        },
    )

    assert _get(aws, "/api/a%2Fb?c=1")[1] == {"rawPath": "/a/b", "rawQueryString": "c=1"}
    assert _get(aws, "/apiary")[0] == 403
    with connect(f"ws://127.0.0.1:{aws.port}/ws/clients?ticket=t") as socket:
        socket.send("{}")
    assert _get(aws, "/ws/clients/@connections/abc", "POST")[0] == 403


@pytest.mark.parametrize("target", ["/_ministack/config", "http://evil.example"])
def test_an_alias_leads_to_a_deployed_api_only(aws: LocalAws, target: str) -> None:
    with pytest.raises(DeployFailed):
        publish(aws.target, {"/api": target})
