"""Which Outboard is meant, and with which token."""

import json
from pathlib import Path

import pytest

from shared.client.deployment import Deployment, RepositoryHost, discover, is_loopback
from shared.client.errors import Refused, Unreachable

ENDPOINT = {
    "http": "http://127.0.0.1:4700/",
    "user": "ada",
    "repositories": "http://127.0.0.1:4702",
    "repositoriesKey": "key",
    "demo": True,
}


@pytest.fixture
def state(tmp_path: Path) -> Path:
    (tmp_path / "users").mkdir()
    (tmp_path / "endpoint.json").write_text(json.dumps(ENDPOINT))
    for user in ("ada", "bob"):
        token = tmp_path / "users" / f"{user}.token"
        token.write_text(f"token-of-{user}\n")
        token.chmod(0o600)
    return tmp_path


def test_this_machines_outboard_is_found_by_its_state(state: Path):
    found = discover({"OUTBOARD_STATE": str(state)})

    assert found == Deployment(
        http="http://127.0.0.1:4700",
        token="token-of-ada",
        state=state,
        repositories=RepositoryHost("http://127.0.0.1:4702", "key"),
    )


@pytest.mark.parametrize(
    ("environment", "as_user", "token"),
    [
        ({}, "bob", "token-of-bob"),
        ({"OUTBOARD_USER": "bob"}, None, "token-of-bob"),
        ({"OUTBOARD_USER": "ada"}, "bob", "token-of-bob"),
        ({"OUTBOARD_TOKEN": " given\n"}, None, "given"),
        ({"OUTBOARD_TOKEN": "given"}, "bob", "token-of-bob"),
    ],
)
def test_the_closest_word_on_who_asks_counts(
    state: Path, environment: dict[str, str], as_user: str | None, token: str
):
    found = discover({"OUTBOARD_STATE": str(state)} | environment, as_user)

    assert found.token == token


@pytest.mark.parametrize(
    "url",
    [f"https://outboard.example.com{end}" for end in ("", "/", "/api", "/api/")],
)
def test_a_deployment_elsewhere_is_named_by_url_and_token(url: str):
    environment = {"OUTBOARD_URL": url, "OUTBOARD_TOKEN": "t"}

    found = discover(environment)

    assert found == Deployment(http="https://outboard.example.com/api", token="t")
    assert found.web == "https://outboard.example.com"


@pytest.mark.parametrize(
    ("environment", "as_user", "sentence"),
    [
        ({"OUTBOARD_URL": "https://o.example.com"}, None, "put your token into OUTBOARD_TOKEN"),
        ({"OUTBOARD_URL": "ftp://o.example.com", "OUTBOARD_TOKEN": "t"}, None, "no http"),
        ({"OUTBOARD_URL": "https://[o", "OUTBOARD_TOKEN": "t"}, None, "no http"),
        ({"OUTBOARD_URL": "https://o:99999", "OUTBOARD_TOKEN": "t"}, None, "no http"),
        ({"OUTBOARD_URL": "http://o.example.com", "OUTBOARD_TOKEN": "t"}, None, "must be https"),
        ({"OUTBOARD_URL": "https://o.example.com", "OUTBOARD_TOKEN": "a b\nc"}, None, "no token"),
        ({"OUTBOARD_URL": "https://o.example.com", "OUTBOARD_TOKEN": "t"}, "bob", "--as names"),
    ],
)
def test_half_a_deployment_is_refused(
    environment: dict[str, str], as_user: str | None, sentence: str
):
    with pytest.raises(Refused, match=sentence):
        discover(environment, as_user)


def test_without_state_it_is_not_running(tmp_path: Path):
    with pytest.raises(Unreachable, match="make run") as missing:
        discover({"OUTBOARD_STATE": str(tmp_path / "nothing")})

    assert missing.value.code == "not_running"


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"http": 1, "user": "ada"}', "\x00"])
def test_a_broken_endpoint_file_is_said_to_be_one(state: Path, content: str):
    (state / "endpoint.json").write_text(content)

    with pytest.raises(Unreachable, match="does not say where"):
        discover({"OUTBOARD_STATE": str(state)})


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_a_token_that_others_can_read_is_refused(state: Path, mode: int):
    path = state / "users" / "ada.token"
    path.chmod(mode)

    with pytest.raises(Refused, match=f"chmod 600 {path}"):
        discover({"OUTBOARD_STATE": str(state)})


@pytest.mark.parametrize("content", [b"", b"\xff", b"two\nlines", b"x" * 2_000])
def test_a_file_that_holds_no_token_is_refused(state: Path, content: bytes):
    (state / "users" / "ada.token").write_bytes(content)

    with pytest.raises(Refused, match="holds no token"):
        discover({"OUTBOARD_STATE": str(state)})


def test_a_user_without_a_token_is_told_who_can_help(state: Path):
    with pytest.raises(Refused, match="outboard user add cy"):
        discover({"OUTBOARD_STATE": str(state)}, "cy")


@pytest.mark.parametrize("name", ["../ada", "Ada", "-x", "a" * 40])
def test_a_name_that_is_no_users_reads_no_file(state: Path, name: str):
    with pytest.raises(Refused, match="no user's name"):
        discover({"OUTBOARD_STATE": str(state)}, name)


def test_tokens_do_not_show_when_a_deployment_is_printed(state: Path):
    shown = repr(discover({"OUTBOARD_STATE": str(state)}))

    assert "token-of-ada" not in shown
    assert "'key'" not in shown


@pytest.mark.parametrize(
    ("url", "loopback"),
    [
        ("http://127.0.0.1:1", True),
        ("ws://127.8.9.1/x", True),
        ("http://[::1]:4", True),
        ("http://localhost:4", True),
        ("http://api.localhost:4", True),
        ("http://localhost.example.com", False),
        ("https://10.0.0.1", False),
        ("nothing", False),
    ],
)
def test_loopback_is_this_machine(url: str, loopback: bool):
    assert is_loopback(url) is loopback
