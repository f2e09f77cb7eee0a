"""Whichever way a repository's URL is written, it is the same repository."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.errors import Invalid
from shared.domain.repository_url import directory, key

TOOL = "https://git.example.com/acme/tool"


@pytest.mark.parametrize(
    "url",
    [
        TOOL,
        f"{TOOL}.git",
        f"{TOOL}/",
        f"{TOOL}.git/",
        f"{TOOL}//",
        "https://Git.EXAMPLE.com/acme/tool",
        "HTTPS://git.example.com:443/acme/tool",
        "https://ada@git.example.com/acme/tool.git#readme",
    ],
)
def test_one_repository_has_one_key(url: str):
    assert key(url) == TOOL


@pytest.mark.parametrize(
    "url",
    [
        "http://git.example.com/acme/tool",
        "https://git.example.com/Acme/tool",
        "https://git.example.com:8443/acme/tool",
        "https://git.example.com/acme/tool?project=1",
        "https://git.example.com/acme/tool.github",
        "https://example.com/acme/tool",
    ],
)
def test_another_repository_has_another_key(url: str):
    assert key(url) != TOOL


@given(st.from_regex(r"https?://[A-Za-z]{1,3}(:80|:443)?(/|\.git|[a-z])+(\?x,y)?", fullmatch=True))
def test_the_key_of_a_key_is_itself(url: str):
    try:
        once = key(url)
    except Invalid:
        return

    assert key(once) == once


@pytest.mark.parametrize(
    "url",
    [
        "https://git.example.com",
        "https://git.example.com/.git/",
        "https:///acme/tool",
        "https://[::1/tool",
        "https://ada:secret@git.example.com/acme/tool",
        "git@git.example.com:acme/tool.git",
        "",
    ],
)
def test_what_names_no_repository_has_no_key(url: str):
    with pytest.raises(Invalid) as refused:
        key(url)

    assert refused.value.field == "url"
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "name"),
    [(f"{TOOL}.git/", "tool"), (f"{TOOL} x", "tool-x"), (f"https://x/{'n' * 200}", "n" * 100)],
)
def test_the_last_part_names_the_directory(url: str, name: str):
    assert directory(url) == name
