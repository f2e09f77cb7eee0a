"""What the host does not do, and how it says so."""

import os
from collections.abc import Iterator

import httpx
import pytest
from e2b import (
    AuthenticationException,
    RateLimitException,
    Sandbox,
    SandboxException,
    SandboxNotFoundException,
    ServiceBusyException,
)

from tests.infra.local.sandbox_host.hosting import API_KEY, FILES_ONLY, Host, hosting, prepared

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module")
def sandbox(host: Host) -> Iterator[Sandbox]:
    sandbox = host.sandbox()
    yield sandbox
    sandbox.kill()


def test_without_its_key_the_host_does_nothing(host: Host, sandbox: Sandbox):
    stranger = host.client_with("not-the-key").Sandbox

    for attempt in (
        lambda: stranger.create("outboard", **FILES_ONLY),
        lambda: stranger.list().next_items(),
        lambda: stranger.get_info(sandbox.sandbox_id),
        lambda: stranger.connect(sandbox.sandbox_id),
        lambda: stranger.kill(sandbox.sandbox_id),
        lambda: stranger.delete_snapshot("any"),
    ):
        with pytest.raises(AuthenticationException):
            attempt()

    assert sandbox.is_running()


@pytest.mark.parametrize("path", ["/health", "/files?path=/home/user/.profile"])
@pytest.mark.parametrize("token", [None, "", "another", API_KEY])
def test_without_its_token_a_sandbox_does_nothing(
    host: Host, sandbox: Sandbox, path: str, token: str | None
):
    headers = {"E2b-Sandbox-Id": sandbox.sandbox_id}
    if token is not None:
        headers["X-Access-Token"] = token

    assert httpx.get(f"{host.url}{path}", headers=headers).status_code == 401


def test_the_token_of_another_sandbox_is_no_token(host: Host, sandbox: Sandbox):
    other = host.sandbox()
    headers = other.connection_config.sandbox_headers | {"E2b-Sandbox-Id": sandbox.sandbox_id}

    answer = httpx.post(
        f"{host.url}/process.Process/Start",
        headers=headers | {"Content-Type": "application/connect+json"},
        content=b"\0\0\0\0\2{}",
    )

    assert answer.status_code == 401
    other.kill()


def test_an_unknown_template_is_not_found(host: Host):
    with pytest.raises(SandboxException, match="'nonsense' not found") as refused:
        host.sandbox(template="nonsense")

    assert refused.value.status_code == 404


def test_an_unknown_sandbox_is_not_found(host: Host):
    with pytest.raises(SandboxNotFoundException):
        host.client.Sandbox.get_info("i-nothing")
    with pytest.raises(SandboxNotFoundException):
        host.client.Sandbox.pause("i-nothing", mode="filesystem")
    with pytest.raises(SandboxNotFoundException):
        host.client.Sandbox.set_timeout("i-nothing", 1)


@pytest.mark.parametrize(
    "asked",
    [
        {"allow_internet_access": False},
        {"network": {"deny_out": ["0.0.0.0/0"]}},
        {"network": {"rules": {"api.github.com": [{"transform": {"headers": {"A": "b"}}}]}}},
        {"iam": {"tokens": {"aws": {"audience": "a", "token_type": "JWT-SVID"}}}},
        {"volume_mounts": {"/mnt": "volume"}},
        {"mcp": {"exa": {"apiKey": "k"}}},
        {"lifecycle": {"on_timeout": "pause", "auto_resume": True}},
    ],
)
def test_what_it_can_not_keep_is_refused_and_not_ignored(host: Host, asked: dict[str, object]):
    with pytest.raises(SandboxException) as refused:
        host.sandbox(**asked)

    assert refused.value.status_code in (400, 501)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/sandboxes/i1/metrics"),
        ("POST", "/sandboxes/i1/fork"),
        ("PUT", "/sandboxes/i1/network"),
        ("POST", "/v3/templates"),
        ("GET", "/secrets"),
        ("POST", "/filesystem.Filesystem/CreateWatcher"),
        ("POST", "/process.Process/Update"),
    ],
)
def test_everything_else_is_clearly_not_offered(host: Host, method: str, path: str):
    answer = httpx.request(method, f"{host.url}{path}", headers={"X-API-KEY": API_KEY})

    assert answer.status_code == 501
    assert answer.json()["message"] == f"this host does not offer {method} {path}"


def test_a_request_that_is_no_json_or_too_large_is_refused(host: Host):
    headers = {"X-API-KEY": API_KEY}

    broken = httpx.post(f"{host.url}/v2/sandboxes", headers=headers, content=b"{")
    large = httpx.post(f"{host.url}/v2/sandboxes", headers=headers, content=b" " * (2 << 20))

    assert (broken.status_code, large.status_code) == (400, 413)


def test_no_more_sandboxes_run_than_the_host_allows():
    with hosting(limit=1) as host:
        first = host.sandbox()

        with pytest.raises(RateLimitException, match="1 sandboxes run already"):
            host.sandbox()

        first.pause(mode="filesystem")
        second = host.sandbox()
        with pytest.raises(RateLimitException):
            first.connect()
        second.kill()


def test_a_sandbox_that_does_not_boot_is_not_there_and_may_be_asked_for_again():
    with hosting() as host:
        hidden = host.root / "template.hidden"
        (host.root / "template").rename(hidden)

        with pytest.raises(ServiceBusyException):
            host.sandbox(idempotency_key="once")

        assert host.client.Sandbox.list().next_items() == []
        hidden.rename(host.root / "template")
        assert host.sandbox(idempotency_key="once").kill()


def test_a_template_that_sandboxes_can_not_read_is_no_reason_for_a_weaker_fence():
    if os.geteuid() != 0:
        pytest.skip("an ordinary user's sandboxes are that user")
    with prepared() as host:
        (host.root / "template").chmod(0o700)

        with pytest.raises(AssertionError, match="make it readable for everybody"):
            host.start()
