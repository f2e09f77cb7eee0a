"""A running repository host and real repositories for it, made with real git."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

ROOT = Path(__file__).parents[4]
KEY = "the key of this test"


def git(place: Path, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    return subprocess.run(
        ["git", "-C", str(place), *identity, *arguments],
        check=check,
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], "HOME": str(place), "GIT_CONFIG_NOSYSTEM": "1"},
    )


def out(place: Path, *arguments: str) -> str:
    return git(place, *arguments).stdout.strip()


@dataclass(frozen=True, slots=True)
class Host:
    url: str

    def register(self, path: object, key: str = KEY) -> tuple[int, dict[str, Any]]:
        body = json.dumps({"path": str(path), "key": key}).encode()
        return self.ask("/repositories", body)

    def ask(
        self, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, Any]]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            with urlopen(Request(self.url + path, body, named), timeout=10) as answer:
                return answer.status, _json(answer.read())
        except HTTPError as refused:
            with refused:
                return refused.code, _json(refused.read())

    def serve(self, path: object) -> str:
        status, answer = self.register(path)
        assert status == 200, answer
        return answer["url"]


def _json(body: bytes) -> dict[str, Any]:
    try:
        return json.loads(body)
    except ValueError:
        return {"text": body.decode()}


def start(directory: Path) -> tuple[subprocess.Popen[str], Host]:
    key = directory / "key"
    key.write_text(KEY)
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "infra.local.repository_host", "--port", "0"),
            *("--registry", str(directory / "repositories.json"), "--key-file", str(key)),
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    return process, Host(process.stdout.readline().split()[-1])


def stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    process.wait(10)
    assert process.stdout is not None
    process.stdout.close()


@pytest.fixture(scope="session")
def host(tmp_path_factory) -> Iterator[Host]:
    process, host = start(tmp_path_factory.mktemp("host"))
    yield host
    stop(process)


@pytest.fixture
def repository(tmp_path) -> Path:
    return make(tmp_path / "project")


def make(place: Path) -> Path:
    place.mkdir(parents=True)
    git(place, "init", "--quiet", "--initial-branch=main")
    (place / "README").write_text("one\n")
    git(place, "add", "README")
    git(place, "commit", "--quiet", "--message=one")
    return place


def clone(url: str, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    git(target.parent, "clone", "--quiet", url, str(target))
    return target


def push(place: Path, refspec: str) -> subprocess.CompletedProcess[str]:
    return git(place, "push", "origin", refspec, check=False)
