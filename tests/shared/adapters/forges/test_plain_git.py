"""A git server without an API: real git behind HTTP, and servers that are none."""

from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import ClassVar

import pytest

from shared.adapters.plain_git import PlainGit
from shared.app.ports.forges import Access, ForgeRefused, NewPullRequest
from shared.domain.errors import DomainError, Invalid, NotFound, Unavailable
from tests.forge.hosting import Hosted

GIT = PlainGit(loopback=True)
HEAD = "001e# service=git-upload-pack\n0000"


class Odd(BaseHTTPRequestHandler):
    """`/busy.git` cannot answer now; others answer in ways that git would not."""

    answers: ClassVar = {
        "/page": (200, "text/html", ""),
        "/busy.git": (503, "text/html", ""),
        "/limited.git": (429, "text/html", ""),
        "/cut.git": (200, "git", f"{HEAD}00ff0123"),
        "/nonsense.git": (200, "git", f"{HEAD}zzzz"),
        "/empty.git": (200, "git", f"{HEAD}0000"),
        "/inside.git": (302, "http://169.254.169.254/x.git/info/refs?service=git-upload-pack", ""),
        "/round.git": (302, "/round.git/info/refs?service=git-upload-pack", ""),
        "/moved.git": (301, "/empty.git/info/refs?service=git-upload-pack", ""),
    }

    def do_GET(self) -> None:
        path = self.path.removesuffix("/info/refs?service=git-upload-pack")
        status, said, content = self.answers.get(path, (404, "text/html", ""))
        self.send_response(status)
        if status in {301, 302}:
            self.send_header("location", said)
        kind = "application/x-git-upload-pack-advertisement" if said == "git" else "text/html"
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  its name there
        pass


@pytest.fixture(scope="module")
def odd() -> Generator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Odd)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_branches_and_the_default_one_are_read_as_git_does(hosted: Hosted):
    there = hosted.github.has("team/tool", ["trunk", "feature/a"], private=False)
    url = f"{hosted.url}/team/tool.git"

    found = GIT.repository(url)

    assert (found.url, found.full_name, found.default_branch) == (url, "team/tool", "trunk")
    assert {one.name: one.commit for one in GIT.branches(url)} == there.branches()


def test_one_that_wants_a_password_is_not_for_us(hosted: Hosted):
    hosted.github.has("team/tool")

    with pytest.raises(NotFound):
        GIT.repository(f"{hosted.url}/team/tool.git")


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("/page", NotFound),
        ("/busy.git", Unavailable),
        ("/limited.git", Unavailable),
        ("/cut.git", Unavailable),
        ("/nonsense.git", Unavailable),
        ("/inside.git", Invalid),
        ("/round.git", NotFound),
    ],
)
def test_anything_else_is_said(odd: str, path: str, error: type[DomainError]):
    with pytest.raises(error):
        GIT.repository(f"{odd}{path}")


@pytest.mark.parametrize("path", ["/empty.git", "/moved.git"])
def test_one_without_a_commit_is_there(odd: str, path: str):
    assert GIT.repository(f"{odd}{path}").default_branch == "main"
    assert GIT.branches(f"{odd}{path}") == []


def test_nobody_there_may_pass():
    with pytest.raises(Unavailable):
        GIT.repository("http://127.0.0.1:9/x.git")


def test_it_has_no_credentials_and_no_pull_requests(odd: str):
    url = f"{odd}/empty.git"

    assert GIT.credential([url], Access.WRITE) is None
    assert GIT.manual_link(url, head="work", base="main") is None
    assert GIT.open_pull_request(url, "work", None) is None
    assert GIT.repositories() == []
    with pytest.raises(ForgeRefused):
        GIT.create_pull_request(url, NewPullRequest("a", "b", "work", "main"), token=None)
    with pytest.raises(NotFound):
        GIT.pull_request(url, 1)
