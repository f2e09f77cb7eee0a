"""What a request for a page gets: a file of the build or the one page, and nothing else ever."""

import gzip
import os
import re
import subprocess
import sys
from base64 import b64decode
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.edge.web import files
from shared.edge.web.site import Site
from tests.events import ROOT, sample
from tests.web import BUILT

SCRIPT, FONT = "/assets/index-Bq3kX9aZ.js", "/assets/mono-C0ffee12.woff2"
SOCKETS = "wss://clients.example.com/live"
FILES = files.read(BUILT)
SITE = Site(FILES, SOCKETS, loopback=False)
LOCAL = Site(FILES, "ws://127.0.0.1:4700/_aws/execute-api/abc/live", loopback=True)


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    content: bytes


def ask(path: str, method: str = "GET", *, of: Site = SITE, query: str = "", **headers: str):
    event = sample("web/page")
    event |= {"rawPath": path, "rawQueryString": query}
    event["requestContext"]["http"]["method"] = method
    event["headers"] = {name.replace("_", "-"): value for name, value in headers.items()}
    return _read(of.answer(event))


def _read(answer: dict[str, Any]) -> Answer:
    body = answer["body"]
    content = b64decode(body) if answer["isBase64Encoded"] else body.encode()
    return Answer(answer["statusCode"], answer["headers"], content)


def _file(address: str) -> bytes:
    return (BUILT / address.lstrip("/")).read_bytes()


def test_the_sample_page_is_the_one_there_is():
    answer = _read(SITE.answer(sample("web/page")))

    assert (answer.status, answer.content) == (200, _file("index.html"))
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("address", "kind", "cache"),
    [
        (SCRIPT, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"),
        (FONT, "font/woff2", "public, max-age=31536000, immutable"),
        ("/icon.svg", "image/svg+xml", "no-cache"),
        ("/index.html", "text/html; charset=utf-8", "no-cache"),
    ],
)
def test_a_file_of_the_build_is_served_as_what_it_is(address: str, kind: str, cache: str):
    answer = ask(address)

    assert (answer.status, answer.content) == (200, _file(address))
    assert (answer.headers["content-type"], answer.headers["cache-control"]) == (kind, cache)


@pytest.mark.parametrize("path", ["/", "/sign-in", "/session/abc", "/settings/data", "/a b/ü", ""])
def test_every_address_of_the_client_is_its_page(path: str):
    assert ask(path).content == _file("index.html")


@pytest.mark.parametrize(
    "path",
    ["/api", "/api/nothing", "/assets/index-0ld.js", "/robots.txt", "/.env", "/a/b.c", "/../x.py"],
)
def test_what_is_neither_is_not_there(path: str):
    answer = ask(path)

    assert (answer.status, answer.content) == (404, b"not found\n")
    assert answer.headers["cache-control"] == "no-store"


@given(st.text(max_size=40).map(lambda text: f"/{text}"))
def test_no_address_leads_out_of_the_build(path: str):
    answer = ask(path)

    assert answer.content in {file.content for file in FILES.values()} | {b"not found\n"}


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_pages_are_only_read(method: str):
    answer = ask("/", method)

    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")


def test_head_is_get_without_the_content():
    assert ask(SCRIPT, "HEAD") == Answer(200, ask(SCRIPT).headers, b"")


@pytest.mark.parametrize("offer", ["gzip", "br, gzip;q=0.5", "GZIP", "deflate, gzip; q=1.0"])
def test_text_is_compressed_for_whoever_takes_it(offer: str):
    answer = ask(SCRIPT, accept_encoding=offer)

    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["vary"] == "accept-encoding"
    assert gzip.decompress(answer.content) == _file(SCRIPT)
    assert len(answer.content) < len(_file(SCRIPT)) / 4


@pytest.mark.parametrize(
    ("address", "offer"),
    [(SCRIPT, ""), (SCRIPT, "br"), (SCRIPT, "gzip;q=0"), (SCRIPT, "gzip; q=0.0"), (FONT, "gzip")],
)
def test_nothing_is_compressed_in_vain(address: str, offer: str):
    answer = ask(address, accept_encoding=offer)

    assert "content-encoding" not in answer.headers
    assert answer.content == _file(address)


@pytest.mark.parametrize("offer", ["gzip", ""])
@pytest.mark.parametrize("form", ["{}", "W/{}", '"other", {}'])
def test_what_the_browser_has_is_not_sent_again(offer: str, form: str):
    mark = ask(SCRIPT, accept_encoding=offer).headers["etag"]

    answer = ask(SCRIPT, accept_encoding=offer, if_none_match=form.format(mark))

    assert (answer.status, answer.content, answer.headers["etag"]) == (304, b"", mark)


def test_the_two_forms_of_a_file_have_two_marks():
    plain = ask(SCRIPT).headers["etag"]

    assert ask(SCRIPT, accept_encoding="gzip", if_none_match=plain).status == 200


def test_nothing_runs_or_loads_but_what_is_built():
    policy = ask("/").headers["content-security-policy"]

    assert policy.split("; ") == [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "font-src 'self'",
        "connect-src 'self' wss://clients.example.com",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]


@pytest.mark.parametrize("path", ["/", SCRIPT, "/nothing.txt"])
def test_every_answer_carries_what_protects_it(path: str):
    headers = ask(path).headers

    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    assert headers["strict-transport-security"] == "max-age=31536000"


def test_loopback_promises_no_tls_and_lets_its_own_sockets_be_opened():
    headers = ask("/", of=LOCAL, host="127.0.0.1:4700").headers

    assert "strict-transport-security" not in headers
    assert "connect-src 'self' ws://127.0.0.1:4700;" in headers["content-security-policy"]


@pytest.mark.parametrize("host", ["localhost:4700", "evil.example"])
def test_a_machine_has_one_name_for_its_cookie(host: str):
    answer = ask("/session/a b", of=LOCAL, host=host, query="to=%2Fx")

    assert answer.status == 307
    assert answer.headers["location"] == "http://127.0.0.1:4700/session/a%20b?to=%2Fx"


def test_whoever_opens_a_page_waits_for_hardly_any_import():
    code = "import sys, functions.web.handler; print(*sys.modules)"
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT.parent)}

    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )

    assert not re.findall(r"\b(?:boto\w+|pydantic|aws_lambda\w+|httpx)\b", done.stdout)
