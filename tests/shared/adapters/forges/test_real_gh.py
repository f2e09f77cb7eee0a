"""The real gh with the tokens that a sandbox gets, where it is installed.

gh speaks plain HTTP with `github.localhost` alone; a proxy leads from there to the stand-in.
"""

import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
import urllib3

from shared.app.ports.forges import Access
from tests.forge.hosting import needs_openapi
from tests.forge.server import VERSION
from tests.shared.adapters.forges.worlds import GitHubWorld

pytestmark = [
    needs_openapi,
    pytest.mark.skipif(shutil.which("gh") is None, reason="there is no gh here"),
]


class _Proxy(ThreadingHTTPServer):
    daemon_threads = True
    api_url: str


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  its name there
        pass

    def _go(self) -> None:
        assert isinstance(self.server, _Proxy)
        parts = urlsplit(self.path)
        url = f"{self.server.api_url}{parts.path}?{parts.query}".rstrip("?")
        passed = ("authorization", "content-type", "user-agent")
        headers = {name: self.headers[name] for name in passed if name in self.headers}
        body = self.rfile.read(int(self.headers.get("content-length") or 0)) or None
        # an older gh names no version of the API
        headers["x-github-api-version"] = VERSION
        answer = urllib3.request(self.command, url, headers=headers, body=body)
        self.send_response(answer.status)
        self.send_header("content-type", answer.headers["content-type"])
        self.send_header("content-length", str(len(answer.data)))
        self.end_headers()
        self.wfile.write(answer.data)

    def do_GET(self) -> None:
        self._go()

    def do_POST(self) -> None:
        self._go()


@contextmanager
def leading_to(api_url: str) -> Generator[str]:
    server = _Proxy(("127.0.0.1", 0), _Handler)
    server.api_url = api_url
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def gh(
    github: GitHubWorld, home: Path, url: str, access: Access, *arguments: str
) -> subprocess.CompletedProcess[str]:
    given = github.forge.credential([url], access)
    assert given
    with leading_to(github.hosted.api_url) as proxy:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "GH_HOST": "github.localhost",
            "GH_TOKEN": given.password,
            "HTTP_PROXY": proxy,
        }
        return subprocess.run(
            ["gh", *arguments], env=environment, capture_output=True, text=True, check=False
        )


def test_it_reads_the_pull_requests_of_a_private_repository(github: GitHubWorld, tmp_path: Path):
    url = github.has("team/tool", ["main", "work"])
    asked = ("api", "repos/team/tool/pulls")

    reading = gh(github, tmp_path, url, Access.WORK, *asked)
    with_gits = gh(github, tmp_path, url, Access.WRITE, *asked)

    assert (reading.returncode, reading.stdout.strip()) == (0, "[]")
    assert with_gits.returncode == 1
    assert "Resource not accessible by integration" in with_gits.stderr


def test_it_opens_no_pull_request_whatever_it_is_called_with(github: GitHubWorld, tmp_path: Path):
    url = github.has("team/tool", ["main", "work"])
    fields = ("-f", "title=Mine", "-f", "head=work", "-f", "base=main")

    refused = gh(github, tmp_path, url, Access.WORK, "api", "repos/team/tool/pulls", *fields)

    assert refused.returncode == 1
    assert "Resource not accessible by integration" in refused.stderr


def test_it_sees_no_other_repository(github: GitHubWorld, tmp_path: Path):
    url = github.has("team/tool")
    github.has("team/other")

    refused = gh(github, tmp_path, url, Access.WORK, "api", "repos/team/other")

    assert (refused.returncode, "404" in refused.stderr) == (1, True)
