"""A browser's way in on the real machine: page, link, cookie, and out again."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from tests.e2e.machine import Machine

MARK = {"x-outboard": "web"}


@contextmanager
def browser(machine: Machine) -> Generator[httpx.Client]:
    """It keeps cookies and follows redirects, as browsers do."""
    with httpx.Client(
        base_url=_endpoint(machine)["web"], timeout=30, trust_env=False, follow_redirects=True
    ) as client:
        yield client


def _endpoint(machine: Machine) -> dict[str, Any]:
    return json.loads((machine.state / "endpoint.json").read_text())


def _code(machine: Machine) -> str:
    return machine.json("open", "--print")[0]["url"].partition("#")[2]


def _sign_in(client: httpx.Client, code: str) -> httpx.Response:
    """What the page keeps of its login goes with all that it asks from then on."""
    answer = client.post("/api/sign-in", json={"code": code}, headers=MARK)
    if answer.is_success:
        client.headers["x-outboard"] = f"web {answer.json()['pageKey']}"
    return answer


def _of_another_port(client: httpx.Client) -> httpx.Response:
    """Who was sent the cookie, and nothing else."""
    return client.get("/api/me", headers=MARK)


def test_the_pages_are_there_with_what_they_are_made_of(hasty: Machine):
    with browser(hasty) as client:
        page = client.get("/session/any")
        script = "/assets/" + page.text.partition('src="/assets/')[2].partition('"')[0]
        file = client.get(script, headers={"accept-encoding": "gzip"})
        again = client.get(script, headers={"if-none-match": file.headers["etag"]})

    sockets = _endpoint(hasty)["web"].replace("http://", "ws://")
    assert "<!doctype html>" in page.text
    assert f"connect-src 'self' {sockets};" in page.headers["content-security-policy"]
    assert "immutable" in file.headers["cache-control"]
    assert file.headers["content-type"].startswith("text/javascript")
    assert (again.status_code, again.content) == (304, b"")


def test_a_browser_signs_in_works_and_signs_out(hasty: Machine):
    code = _code(hasty)
    with browser(hasty) as client:
        nobody = client.get("/api/me")
        signed_in = _sign_in(client, code)
        described = client.patch("/api/me", json={"displayName": "Ada L."})
        stolen = _of_another_port(client)
        out = client.delete("/api/sign-in")
        afterwards = client.get("/api/me")

    assert (nobody.status_code, signed_in.status_code) == (401, 200)
    assert signed_in.json()["via"] == "cookie"
    assert (described.status_code, stolen.status_code) == (200, 401)
    assert (out.status_code, afterwards.status_code) == (204, 401)
    assert described.json()["displayName"] == "Ada L."


def test_a_code_lets_one_browser_in(hasty: Machine):
    code = _code(hasty)

    with browser(hasty) as first, browser(hasty) as second:
        answers = [_sign_in(client, code).status_code for client in (first, second)]

    assert answers == [200, 401]


def test_a_signed_in_browser_is_known_after_a_crash(hasty: Machine):
    with browser(hasty) as client:
        _sign_in(client, _code(hasty))
        hasty.kill()
        hasty.start()

        assert client.get("/api/me").status_code == 200


def test_the_machine_has_one_name_in_the_address_bar(hasty: Machine):
    web = _endpoint(hasty)["web"]

    with httpx.Client(trust_env=False, timeout=30) as client:
        sent = client.get(f"{web.replace('127.0.0.1', 'localhost')}/session/x?a=1")

    assert (sent.status_code, sent.headers["location"]) == (307, f"{web}/session/x?a=1")


@pytest.mark.parametrize(
    "headers",
    [{"origin": "https://evil.example"}, {"host": "evil.example"}],
    ids=["origin", "host"],
)
def test_no_other_site_gets_to_the_pages_or_the_api(hasty: Machine, headers: dict[str, str]):
    with browser(hasty) as client:
        assert client.get("/", headers=headers).status_code == 403
        assert _sign_in_from_elsewhere(client, headers).status_code == 403


def _sign_in_from_elsewhere(client: httpx.Client, headers: dict[str, str]) -> httpx.Response:
    return client.post("/api/sign-in", json={"code": "obk_x"}, headers=MARK | headers)
