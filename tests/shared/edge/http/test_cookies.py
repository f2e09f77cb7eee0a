"""What a request's cookies say, whatever else is in them and however they came."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.app import tokens
from shared.edge.http import cookies

NAME = cookies.name("outboard.example.com", loopback=False)
SECRET = tokens.new_login()

others = st.lists(
    st.text(st.characters(exclude_characters=";", exclude_categories=["Cs"])).filter(
        lambda pair: pair.partition("=")[0].strip() != NAME
    )
)


def _event(pairs: list[str], *, as_header: bool) -> dict[str, Any]:
    if as_header:
        return {"headers": {"Cookie": "; ".join(pairs)}}
    return {"headers": {}, "cookies": pairs}


@given(others, others, st.booleans())
def test_ours_is_found_among_any_others(before: list[str], after: list[str], as_header: bool):
    event = _event([*before, f"{NAME}={SECRET}", *after], as_header=as_header)

    assert cookies.secret(cookies.sent(event), NAME) == SECRET


@given(others, st.booleans())
def test_without_ours_nobody_is_signed_in(pairs: list[str], as_header: bool):
    assert cookies.secret(cookies.sent(_event(pairs, as_header=as_header)), NAME) is None


@given(others, st.booleans())
def test_of_two_nobody_can_say_which_is_ours(pairs: list[str], as_header: bool):
    two = [f"{NAME}={SECRET}", *pairs, f"{NAME}={tokens.new_login()}"]

    assert cookies.secret(cookies.sent(_event(two, as_header=as_header)), NAME) is None


@given(st.text())
def test_what_we_never_gave_out_is_not_even_looked_up(value: str):
    assert cookies.secret([f"{NAME}={value}"], NAME) is None


def test_the_same_one_in_both_places_is_one():
    event = {"headers": {"cookie": f"{NAME}={SECRET}"}, "cookies": [f"{NAME}={SECRET}"]}

    assert cookies.secret(cookies.sent(event), NAME) == SECRET


@pytest.mark.parametrize("event", [{}, {"headers": None, "cookies": None}])
def test_a_request_may_have_no_cookies_at_all(event: dict[str, Any]):
    assert cookies.sent(event) == []


@pytest.mark.parametrize(
    ("host", "loopback", "name"),
    [
        ("a.example.com", False, "__Host-outboard"),
        ("127.0.0.1:4700", True, "outboard-4700"),
        ("127.0.0.1", True, "outboard"),
        ("127.0.0.1:4700; x=", True, "outboard"),
    ],
)
def test_the_name_says_where_it_holds(host: str, loopback: bool, name: str):
    assert cookies.name(host, loopback=loopback) == name
