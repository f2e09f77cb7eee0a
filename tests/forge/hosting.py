"""Starts the stand-in, and says how a deployment is told of it."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Thread

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.forge.accounts import Accounts
from tests.forge.published import CUT
from tests.forge.server import API, Server
from tests.forge.state import GitHub

APP_ID = "4711"

needs_openapi = pytest.mark.skipif(
    not CUT.exists(), reason="GitHub's OpenAPI is not here: make github-openapi"
)


@dataclass(frozen=True, slots=True)
class Hosted:
    github: GitHub
    accounts: Accounts
    url: str

    @property
    def api_url(self) -> str:
        return f"{self.url}{API}"

    def settings(self) -> Mapping[str, str]:
        return {
            "GITHUB_URL": self.url,
            "GITHUB_API_URL": self.api_url,
            "GITHUB_APP_ID": APP_ID,
        }

    @staticmethod
    def secrets() -> Mapping[str, str]:
        return {"GITHUB_APP_PRIVATE_KEY": keys()[0]}


@cache
def keys() -> tuple[str, str]:
    """The App's private key, and the public one that GitHub has; once in a run."""
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return (
        private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ).decode(),
        private.public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        .decode(),
    )


@contextmanager
def hosting(root: Path) -> Generator[Hosted]:
    """Raises `AssertionError` at its end when a request or an answer was not GitHub's."""
    github = GitHub(root, APP_ID, keys()[1])
    server = Server(github)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield Hosted(github, server.accounts, server.url)
    finally:
        github.troubles.over.set()
        server.shutdown()
        thread.join()
        server.server_close()
    assert not github.violations, "\n".join(github.violations)
