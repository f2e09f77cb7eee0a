"""Whether a repository is there, asked of a server on loopback that answers as git servers do."""

from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from shared.adapters.smart_http import SmartHttpRepositories
from shared.domain.errors import DomainError, Invalid, NotFound, Unavailable


class GitServer(BaseHTTPRequestHandler):
    """`/there.git` is a repository, `/busy.git` cannot answer now, all else is a page."""

    def do_GET(self) -> None:
        asked = self.path.endswith("/info/refs?service=git-upload-pack")
        there = asked and self.path.startswith("/there.git/")
        self.send_response(503 if self.path.startswith("/busy") else 200)
        kind = "application/x-git-upload-pack-advertisement" if there else "text/html"
        self.send_header("content-type", kind)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  its name there
        pass


@pytest.fixture(scope="module")
def url() -> Generator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), GitServer)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_repository_that_is_there_passes(url: str):
    SmartHttpRepositories(loopback=True).check(f"{url}/there.git")


@pytest.mark.parametrize(
    ("path", "error"), [("/page", NotFound), ("/busy.git", Unavailable)], ids=["page", "busy"]
)
def test_anything_else_is_said(url: str, path: str, error: type[DomainError]):
    with pytest.raises(error):
        SmartHttpRepositories(loopback=True).check(f"{url}{path}")


def test_nobody_there_may_pass(url: str):
    with pytest.raises(Unavailable):
        SmartHttpRepositories(loopback=True).check("http://127.0.0.1:9/x.git")


@pytest.mark.parametrize(
    ("address", "loopback"),
    [
        ("http://127.0.0.1:4702/x.git", False),
        ("http://git.example.com/x.git", True),
        ("http://169.254.169.254/latest", True),
    ],
    ids=["loopback of the cloud", "in clear", "metadata"],
)
def test_plain_http_is_for_one_machine_to_itself(address: str, *, loopback: bool):
    with pytest.raises(Invalid):
        SmartHttpRepositories(loopback=loopback).check(address)
