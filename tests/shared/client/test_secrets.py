"""`outboard secret` against the real entry points."""

from pathlib import Path

import pytest

from shared.client.commands import secrets
from tests import build
from tests.shared.client.outboard import Outboard
from tests.shared.client.real_server import RealServer

URL = build.repository().url
KEY = URL.removesuffix(".git")
CANARY = "canary-5d2f"
AT = "2026-01-02T03:04:05Z"


def names(outboard: Outboard, *words: str) -> list[str]:
    (answer,) = outboard("secret", "list", "--json", *words).json
    return [secret["name"] for secret in answer["secrets"]]


@pytest.mark.parametrize(
    ("words", "shown"),
    [((), "everything"), (("--repo", URL), KEY)],
)
def test_a_secret_is_set_listed_and_removed(
    real_outboard: Outboard, words: tuple[str, ...], shown: str
):
    assert real_outboard("secret", "list", *words).out == f"no secrets for {shown}\n"

    ran = real_outboard("secret", "set", "token", *words, stdin=f"{CANARY}\n")

    assert ran.status == 0, ran.err
    assert ran.out.splitlines() == [
        f"secrets for {shown}:",
        "  TOKEN  ada  2026-01-02 03:04",
    ]
    assert CANARY not in ran.out + ran.err
    assert names(real_outboard, *words) == ["TOKEN"]
    assert real_outboard("secret", "remove", "TOKEN", *words).status == 0
    assert names(real_outboard, *words) == []


def test_an_environment_is_named_and_gets_a_repositorys_too(real_outboard: Outboard):
    (shop,) = real_outboard("env", "create", "Shop", "--repo", URL, "--json").json
    real_outboard("secret", "set", "token", "--repo", URL, stdin=CANARY)

    set_ = real_outboard("secret", "set", "other", "--env", "shop", stdin=CANARY)
    copied = real_outboard("secret", "copy", "TOKEN", "--repo", URL, "--env", "Shop")
    unknown = real_outboard("secret", "set", "other", "--env", "production", stdin=CANARY)

    assert set_.status == copied.status == 0, set_.err + copied.err
    assert CANARY not in copied.out + copied.err
    assert names(real_outboard, "--env", shop["id"]) == ["OTHER", "TOKEN"]
    assert unknown.status != 0
    assert "no environment 'production'" in unknown.err


def test_programs_get_the_scope_and_its_names(real_outboard: Outboard):
    (answer,) = real_outboard("secret", "set", "TOKEN", "--json", stdin=CANARY).json

    assert answer == {
        "scope": "global",
        "target": None,
        "secrets": [{"name": "TOKEN", "updatedAt": AT, "updatedBy": "ada"}],
    }


@pytest.mark.parametrize(
    ("given", "kept"),
    [("x\n", "x"), ("x\r\n", "x"), ("x\n\n", "x\n"), (" x ", " x "), ("a\nb\n", "a\nb")],
)
def test_only_the_newline_that_ends_the_input_is_left_out(
    real_outboard: Outboard, real: RealServer, given: str, kept: str
):
    real_outboard("secret", "set", "TOKEN", stdin=given)

    store = real.world.app.secret_store
    session = build.session()
    assert store.of_session(session) == {"TOKEN": kept}


def test_a_file_is_imported_whole_or_not_at_all(real_outboard: Outboard, tmp_path: Path):
    good, bad = tmp_path / "good.env", tmp_path / "bad.env"
    good.write_text(f"# all of it\nA={CANARY}\nexport B='two\nlines'\n")
    bad.write_text(f"C=1\n{CANARY}\n")

    ran = real_outboard("secret", "import", str(good))
    refused = real_outboard("secret", "import", str(bad))

    assert ran.status == 0, ran.err
    assert refused.status == 2
    assert "line 2" in refused.err
    assert CANARY not in refused.err + refused.out
    assert names(real_outboard) == ["A", "B"]


def test_what_cannot_be_read_is_refused_without_being_said(real_outboard: Outboard, tmp_path: Path):
    (tmp_path / "latin.env").write_bytes(f"A={CANARY}\xe9".encode("latin-1"))

    for ran in (
        real_outboard("secret", "import", str(tmp_path / "latin.env")),
        real_outboard("secret", "import", str(tmp_path / "none.env")),
        real_outboard("secret", "set", "A", stdin=f"{CANARY}\xe9".encode("latin-1")),
        real_outboard("secret", "set", "A", stdin=f"{CANARY}\0"),
        real_outboard("secret", "set", "path", stdin=CANARY),
        real_outboard("secret", "set", "A", stdin=""),
        real_outboard("secret", "set", "A", f"--value={CANARY}", stdin=CANARY),
    ):
        assert ran.status == 2
        assert CANARY not in ran.out
    assert names(real_outboard) == []


def test_a_value_is_typed_unseen(real_outboard: Outboard, monkeypatch: pytest.MonkeyPatch):
    asked: list[str] = []

    class Terminal:
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(secrets, "sys", type("Sys", (), {"stdin": Terminal()}))
    monkeypatch.setattr(secrets, "getpass", lambda prompt: (asked.append(prompt), CANARY)[1])

    ran = real_outboard("secret", "set", "TOKEN")

    assert ran.status == 0, ran.err
    assert asked == ["TOKEN: "]
    assert CANARY not in ran.out + ran.err


def test_the_owner_has_secrets_sealed_anew_and_they_stay_what_they_are(
    real_outboard: Outboard, real: RealServer
):
    assert real_outboard("secret", "rotate").out == "there are no secrets to seal anew\n"
    real_outboard("secret", "set", "A", stdin=CANARY)
    real_outboard("secret", "set", "B", "--repo", URL, stdin="2")
    before = _keys(real)

    one = real_outboard("secret", "rotate", "--repo", URL)
    kept = before & _keys(real)
    every = real_outboard("secret", "rotate", "--all")

    assert one.out.splitlines() == ["sealed anew, under fresh keys:", f"  {KEY}  1"]
    assert len(kept) == 1
    assert sorted(every.out.splitlines()[1:]) == sorted(
        [f"  {'everything':<{len(KEY)}}  1", f"  {KEY}  1"]
    )
    assert before.isdisjoint(_keys(real))
    assert real.world.app.secret_store.of_session(build.session())["A"] == CANARY
    assert CANARY not in one.out + one.err + every.out + every.err


def _keys(real: RealServer) -> set[str]:
    scopes = real.world.memory.secrets.values()
    return {sealed.wrapped_key for scope in scopes for sealed in scope.values()}


def test_programs_hear_which_scopes_were_sealed_anew(real_outboard: Outboard):
    real_outboard("secret", "set", "A", stdin=CANARY)

    (answer,) = real_outboard("secret", "rotate", "--json").json

    assert [(each["scope"], each["target"]) for each in answer["scopes"]] == [("global", None)]


def test_only_the_owner_has_anything_sealed_anew(real_outboard: Outboard):
    (bob,) = real_outboard("user", "add", "bob", "--json").json
    token = Path(bob["file"]).read_text().strip()
    as_bob = Outboard(
        real_outboard.state,
        real_outboard.cwd,
        real_outboard.environment | {"OUTBOARD_TOKEN": token},
    )

    assert as_bob("secret", "rotate", "--all").status == 2
    assert real_outboard("secret", "rotate", "--all", "--repo", URL).status == 2
