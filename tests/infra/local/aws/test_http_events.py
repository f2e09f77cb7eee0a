"""What a page's requests are to a function behind an HTTP API, and its answers to the page."""

import json
import os
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.local.aws.http_events import with_cookies
from tests.infra.local.aws import stacks
from tests.local_aws import LocalAws

pytestmark = pytest.mark.local_aws

_API = """
    import base64, json

    def handler(event, context):
        body = event.get("body")
        sent = base64.b64decode(body) if event["isBase64Encoded"] else (body or "").encode()
        seen = {
            "route": event["routeKey"],
            "method": event["requestContext"]["http"]["method"],
            "path": event["rawPath"],
            "cookies": event.get("cookies"),
            "cookie": event["headers"].get("cookie"),
            "encoded": event["isBase64Encoded"],
        }
        return {
            "statusCode": 200,
            "headers": {"content-type": "application/octet-stream", "x-seen": json.dumps(seen)},
            "cookies": ["a=1; Path=/; HttpOnly", "b=2; Path=/"],
            "body": base64.b64encode(sent).decode(),
            "isBase64Encoded": True,
        }
"""
_PAGES = """
    def handler(event, context):
        method = event["requestContext"]["http"]["method"]
        seen = '{"route": "%s"}' % event["routeKey"]
        return {
            "statusCode": 200,
            "headers": {"content-type": "text/html", "x-seen": seen},
            "body": "" if method == "HEAD" else "<!doctype html>",
        }
"""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: list[tuple[str, str]]
    content: bytes

    @property
    def seen(self) -> dict[str, Any]:
        return json.loads(self.header("x-seen")[0])

    def header(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key.lower() == name]


@pytest.fixture(scope="module")
def api(aws: LocalAws) -> str:
    template = stacks.template(
        stacks.function("Pages", _PAGES),
        stacks.function("Api", _API),
        stacks.http_api("Http", "Pages"),
        stacks.http_route("Http", "ANY /api/{proxy+}", "Api"),
        outputs={"Http": stacks.ref("Http")},
    )
    return aws.deploy(template, "HttpEvents")["Http"]


def _ask(
    aws: LocalAws, api: str, path: str, method: str = "GET", body: Any = None, **headers: str
) -> Answer:
    connection = HTTPConnection("127.0.0.1", aws.port, timeout=20)
    address = f"/_aws/execute-api/{api}/$default{path}"
    connection.request(method, address, body, {k.replace("_", "-"): v for k, v in headers.items()})
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return Answer(answer.status, answer.getheaders(), content)


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/", "$default"),
        ("/session/abc", "$default"),
        ("/api", "$default"),
        ("/apiary/x", "$default"),
        ("/api/me", "ANY /api/{proxy+}"),
        ("/api/sessions/abc/prompts", "ANY /api/{proxy+}"),
    ],
)
def test_the_narrower_route_is_taken_whatever_was_made_first(
    aws: LocalAws, api: str, path: str, route: str
) -> None:
    assert _ask(aws, api, path).seen["route"] == route


def test_cookies_come_as_a_list_and_in_no_header(aws: LocalAws, api: str) -> None:
    seen = _ask(aws, api, "/api/x", Cookie="outboard-4700=obl_x; other=a=b").seen

    assert seen["cookies"] == ["outboard-4700=obl_x", "other=a=b"]
    assert seen["cookie"] is None


def test_without_cookies_there_is_no_list(aws: LocalAws, api: str) -> None:
    assert _ask(aws, api, "/api/x").seen["cookies"] is None


def test_each_cookie_of_an_answer_is_a_header_of_its_own(aws: LocalAws, api: str) -> None:
    answer = _ask(aws, api, "/api/x")

    assert answer.header("set-cookie") == ["a=1; Path=/; HttpOnly", "b=2; Path=/"]


def test_bytes_go_in_and_out_as_they_are(aws: LocalAws, api: str) -> None:
    sent = os.urandom(3 * 2**20) + bytes(range(256))

    answer = _ask(aws, api, "/api/x", "PUT", sent, Content_Type="application/octet-stream")

    assert answer.seen["encoded"] is True
    assert answer.content == sent
    assert answer.header("content-length") == [str(len(sent))]


def test_json_goes_in_as_text(aws: LocalAws, api: str) -> None:
    answer = _ask(
        aws, api, "/api/x", "POST", '{"a": "ü"}'.encode(), Content_Type="application/json"
    )

    assert answer.seen["encoded"] is False
    assert json.loads(answer.content) == {"a": "ü"}


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_every_method_reaches_its_function(aws: LocalAws, api: str, method: str) -> None:
    assert _ask(aws, api, "/api/x", method).seen["method"] == method


def test_head_is_answered_without_a_body(aws: LocalAws, api: str) -> None:
    answer = _ask(aws, api, "/", "HEAD")

    assert (answer.status, answer.content) == (200, b"")
    assert answer.header("content-type") == ["text/html"]


def test_no_answer_lets_another_origin_read_it(aws: LocalAws, api: str) -> None:
    host = f"127.0.0.1:{aws.port}"

    answer = _ask(aws, api, "/api/x", Host=host, Origin=f"http://{host}")

    assert [name for name, _ in answer.headers if "access-control" in name.lower()] == []


@given(st.lists(st.from_regex(r"[a-z]{1,8}=[A-Za-z0-9_=-]{0,12}", fullmatch=True)))
def test_the_list_has_what_the_header_had(pairs: list[str]) -> None:
    event = {"version": "2.0", "headers": {"cookie": "; ".join(pairs), "host": "h"}}

    said = with_cookies(event)

    assert said == {"version": "2.0", "headers": {"host": "h"}, "cookies": pairs}


def test_what_is_no_event_of_an_http_api_stays_as_it_is() -> None:
    event = {"requestContext": {"connectionId": "c"}, "headers": {"cookie": "a=1"}}

    assert with_cookies(event) is event
