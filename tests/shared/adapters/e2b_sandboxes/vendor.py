"""E2B as far as one answer goes: the same to every request."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

from shared.adapters.e2b_sandboxes.provider import E2BSandboxes
from tests.infra.local.sandbox_host.hosting import API_KEY


@contextmanager
def answering(status: int, body: bytes) -> Generator[E2BSandboxes]:
    """E2B on a bad day."""
    with serving(status, body) as url:
        yield E2BSandboxes(api_key=API_KEY, template="outboard", api_url=url, sandbox_url=url)


@contextmanager
def serving(status: int, body: bytes) -> Generator[str]:

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
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
