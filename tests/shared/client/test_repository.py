"""What `--repo` may be."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from shared.client.deployment import Deployment, RepositoryHost
from shared.client.errors import ClientError, Refused, Unreachable
from shared.client.repository import fetch_command, target
from shared.protocol.api import NewRepository
from tests.fakes.api_server import ApiServer
from tests.fakes.api_server.routes import KEY
from tests.shared.client import told


def asked(
    given: str, host: str | None, *, branch: str | None = None, key: str = KEY
) -> tuple[NewRepository, list[str]]:
    said: list[str] = []
    repositories = RepositoryHost(host, key) if host else None
    deployment = Deployment(http="http://127.0.0.1:1", token="t", repositories=repositories)
    found = asyncio.run(target(given, branch, deployment, said.append))
    return found, said


def served(path: Path, **fields: Any) -> dict[str, Any]:
    plain = {"url": "http://127.0.0.1:9/tool.git", "path": str(path), "head": told.HEX}
    return plain | {"branch": "main", "dirty": False} | fields


def test_an_https_url_is_taken_as_it_is():
    found, said = asked("https://git.example.com/acme/tool.git", None, branch="next")

    assert found == NewRepository(url="https://git.example.com/acme/tool.git", branch="next")
    assert said == []


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("ssh://git@git.example.com/acme/tool.git", "give the https URL instead"),
        ("git@git.example.com:acme/tool.git", "give the https URL instead"),
        ("file:///srv/tool.git", "give the https URL instead"),
        ("https://ada:secret@git.example.com/tool.git", "the password in the URL"),
        ("https://[git.example.com/tool.git", "is no URL"),
        ("acme/tool", "neither a directory here nor an https URL"),
        ("https://git.example.com/with space", "url: "),
    ],
)
def test_what_sandboxes_cannot_clone_is_refused(given: str, sentence: str):
    with pytest.raises(Refused, match=sentence):
        asked(given, None)


def test_a_path_is_served_by_this_machine(server: ApiServer, tmp_path: Path):
    server.repositories[str(tmp_path)] = served(tmp_path)

    found, said = asked(str(tmp_path), server.http)

    assert found == NewRepository(
        url="http://127.0.0.1:9/tool.git", branch="main", label=str(tmp_path)
    )
    assert said == [f"{tmp_path}: cloned from its last commit 0123456789ab"]
    assert server.asked[0].body == {"path": str(tmp_path), "key": KEY}


def test_a_folder_stands_for_the_repository_it_is_in(server: ApiServer, tmp_path: Path):
    folder = tmp_path / "docs"
    folder.mkdir()
    server.repositories[str(folder)] = served(tmp_path)

    found, _ = asked(str(folder), server.http)

    assert found.label == str(tmp_path)


def test_a_detached_head_leaves_the_branch_open(server: ApiServer, tmp_path: Path):
    server.repositories[str(tmp_path)] = served(tmp_path, branch=None)

    found, _ = asked(str(tmp_path), server.http)

    assert found.branch is None


def test_another_branch_is_not_said_to_be_the_last_commit(server: ApiServer, tmp_path: Path):
    server.repositories[str(tmp_path)] = served(tmp_path, dirty=True)

    found, said = asked(str(tmp_path), server.http, branch="next")

    assert found.branch == "next"
    assert said == [
        f"{tmp_path}: cloned from the last commit of next; uncommitted changes are not included"
    ]


def test_what_the_repository_host_refuses_is_said(server: ApiServer, tmp_path: Path):
    with pytest.raises(Refused, match="is no git repository"):
        asked(str(tmp_path), server.http)
    with pytest.raises(Refused, match="not for you"):
        asked(str(tmp_path), server.http, key="wrong")


def test_a_path_needs_a_repository_host(tmp_path: Path, free_port: int):
    with pytest.raises(Refused, match="needs an https URL"):
        asked(str(tmp_path), None)
    with pytest.raises(Unreachable, match="make run"):
        asked(str(tmp_path), f"http://127.0.0.1:{free_port}")


def test_a_host_that_answers_with_nonsense_is_not_believed(server: ApiServer, tmp_path: Path):
    server.repositories[str(tmp_path)] = {"url": 1}

    with pytest.raises(ClientError, match="nonsense"):
        asked(str(tmp_path), server.http)


def test_a_path_with_control_characters_is_refused(tmp_path: Path):
    odd = tmp_path / "a\x1b[2Jb"
    odd.mkdir()

    with pytest.raises(Refused, match="cannot be passed on"):
        asked(str(odd), "http://127.0.0.1:1")


def test_the_branch_is_fetched_from_what_people_call_the_repository():
    view = told.session().repositories[0].model_copy(update={"label": "/srv/my tool"})

    assert fetch_command(view, "outboard/s1") == "git fetch '/srv/my tool' outboard/s1"


def test_a_name_that_looks_like_an_option_is_none_to_git():
    view = told.session().repositories[0].model_copy(update={"label": "/srv/tool"})

    command = fetch_command(view, "--upload-pack=touch x")

    assert command == "git fetch -- /srv/tool '--upload-pack=touch x'"
