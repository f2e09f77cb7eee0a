"""Who asks, as git knows them."""

from pathlib import Path

import pytest

from shared.client.author import ask_git, author
from shared.client.errors import Refused
from shared.protocol.api import AuthorView

KNOWN = {"user.name": "Ada Example", "user.email": "ada@example.com"}


def test_the_author_is_whom_git_names():
    assert author(KNOWN.__getitem__) == AuthorView(name="Ada Example", email="ada@example.com")


def test_what_git_does_not_know_is_said_with_the_command_that_sets_it():
    with pytest.raises(Refused) as refused:
        author(lambda _: "")

    assert str(refused.value).splitlines() == [
        "git does not know your user.name and user.email; run:",
        '  git config --global user.name "Your Name"',
        "  git config --global user.email you@example.com",
    ]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"user.email": "not an address"}, "git config user.email: 'not an address'"),
        ({"user.name": "<>"}, "git config user.name: '<>'"),
    ],
)
def test_a_name_that_git_could_not_use_is_refused(wrong: dict[str, str], sentence: str):
    with pytest.raises(Refused, match=sentence):
        author((KNOWN | wrong).__getitem__)


def test_git_is_asked_where_the_caller_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / ".gitconfig").write_text("[user]\n\tname = Global\n\temail = g@example.com\n")
    (tmp_path / "work" / ".git").mkdir(parents=True)
    (tmp_path / "work" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / "work" / ".git" / "objects").mkdir()
    (tmp_path / "work" / ".git" / "refs").mkdir()
    (tmp_path / "work" / ".git" / "config").write_text("[user]\n\tname = Local\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.chdir(tmp_path / "work")

    assert [ask_git(key) for key in KNOWN] == ["Local", "g@example.com"]
    assert ask_git("user.nothing") == ""


def test_without_git_it_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(Refused, match="git is missing"):
        ask_git("user.name")
