"""What the E2B adapter does in a real sandbox, and what it makes of the SDK's failures."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from uuid import uuid4

import pytest

from shared.adapters.e2b_sandboxes.provider import E2BSandboxes
from shared.app.ports.sandboxes import (
    SandboxGone,
    SandboxInfo,
    SandboxLimited,
    SandboxRefused,
    SandboxUnavailable,
)
from tests.infra.local.sandbox_host.hosting import API_KEY, Host, nap, processes_of, until

MINUTE = timedelta(minutes=1)


@contextmanager
def answering(status: int, body: bytes) -> Generator[E2BSandboxes]:
    """E2B on a bad day."""

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            self.send_response(status)
            self.send_header("Should-Retry", "false")
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = _answer  # noqa: N815 - the library's own names

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield _adapter(f"http://127.0.0.1:{server.server_port}")
        finally:
            server.shutdown()
            thread.join()


def _adapter(url: str, api_key: str = API_KEY) -> E2BSandboxes:
    return E2BSandboxes(api_key=api_key, template="outboard", api_url=url, sandbox_url=url)


def _create(sandboxes: E2BSandboxes) -> SandboxInfo:
    return sandboxes.create(key=str(uuid4()), metadata={}, environment={}, timeout=MINUTE)


@pytest.mark.parametrize(
    ("status", "failure"),
    [
        (400, SandboxRefused),
        (401, SandboxRefused),
        (403, SandboxRefused),
        (404, SandboxRefused),  # a create's 404 is its template's
        (409, SandboxUnavailable),  # the first request under this key may be under way
        (422, SandboxRefused),
        (429, SandboxLimited),
        (500, SandboxUnavailable),
        (502, SandboxUnavailable),
        (503, SandboxUnavailable),
        (504, SandboxUnavailable),
    ],
)
def test_a_create_fails_for_good_or_for_now(status: int, failure: type[Exception]):
    with (
        answering(status, b'{"code": 1, "message": "no"}') as sandboxes,
        pytest.raises(failure) as raised,
    ):
        _create(sandboxes)

    assert type(raised.value) is failure


@pytest.mark.parametrize("page", [b"<html>later</html>", b'{"error": "later"}'])
@pytest.mark.parametrize("status", [201, 500, 503])
def test_a_gateways_page_is_no_answer(status: int, page: bytes):
    with (
        answering(status, page) as sandboxes,
        pytest.raises(SandboxUnavailable),
    ):
        _create(sandboxes)


def test_of_a_sandbox_404_means_gone():
    with (
        answering(404, b'{"code": 404, "message": "no"}') as sandboxes,
        pytest.raises(SandboxGone),
    ):
        sandboxes.info("i1")


def test_nobody_listening_is_unavailable():
    with answering(200, b"") as sandboxes:
        pass

    with pytest.raises(SandboxUnavailable):
        sandboxes.info("i1")


@pytest.mark.sandbox
def test_a_wrong_key_is_refused(sandbox_host: Host):
    with pytest.raises(SandboxRefused):
        _create(_adapter(sandbox_host.url, api_key="wrong"))


@pytest.mark.sandbox
def test_a_secret_is_a_file_for_its_user_alone(sandbox_host: Host):
    sandboxes = _adapter(sandbox_host.url)
    info = _create(sandboxes)

    sandboxes.write_secret(info.provider_id, "/dev/shm/out board/id", b"\x00 secret $(x) '\n")

    sandbox = sandbox_host.client.Sandbox.connect(info.provider_id)
    path = "/dev/shm/out board/id"
    assert sandbox.files.read(path, format="bytes") == b"\x00 secret $(x) '\n"
    assert sandbox.files.get_info(path).permissions == "-rw-------"
    assert sandbox.files.get_info("/dev/shm/out board").permissions == "drwx------"
    sandboxes.kill(info.provider_id)


@pytest.mark.sandbox
def test_a_started_command_goes_on_by_itself(sandbox_host: Host):
    sandboxes = _adapter(sandbox_host.url)
    info = _create(sandboxes)

    sandboxes.start(info.provider_id, f"echo $$ > /workspace/pid; exec {nap(21)}")

    assert until(lambda: processes_of(nap(21)))
    sandbox = sandbox_host.client.Sandbox.connect(info.provider_id)
    assert int(sandbox.files.read("/workspace/pid")) in [one.pid for one in sandbox.commands.list()]
    sandboxes.kill(info.provider_id)
    assert not processes_of(nap(21))
