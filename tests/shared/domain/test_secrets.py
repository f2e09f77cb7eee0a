"""What may be a secret, and which of them a session gets."""

import string
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain import secrets
from shared.domain.errors import Invalid
from shared.domain.repository_url import RepositoryKey
from shared.domain.secrets import EVERYWHERE, Scope, ScopeKind

FIRST, SECOND, THIRD = (
    RepositoryKey(f"https://git.example.com/acme/{name}") for name in ("first", "second", "third")
)
NAME_CHARS = string.ascii_letters + string.digits + "_"
NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,40}", fullmatch=True)
CANARY = "canary-5d2f"


def is_taken(name: str) -> bool:
    return name.upper() in secrets.RESERVED or name.upper().startswith(secrets.RESERVED_BEGINNINGS)


@given(NAMES)
def test_a_name_is_kept_in_capitals_and_is_its_own_name(given: str):
    if is_taken(given):
        with pytest.raises(Invalid, match="reserved"):
            secrets.name(given)
        return

    kept = secrets.name(given)

    assert kept == given.upper()
    assert secrets.name(kept) == kept


@given(st.text(max_size=300))
def test_any_other_text_is_no_name_and_is_not_repeated(given: str):
    if given and given[0] not in string.digits and set(given) <= set(NAME_CHARS):
        return

    with pytest.raises(Invalid) as refused:
        secrets.name(given)

    assert refused.value.field == "name"
    assert len(given) < 8 or given not in str(refused.value)


@pytest.mark.parametrize("name", ["A\n", "", "Ä", "1A", "A-B", "\u017f", "A" * 257])
def test_what_only_looks_like_a_name_is_none(name: str):
    with pytest.raises(Invalid):
        secrets.name(name)


@pytest.mark.parametrize(
    "name", ["path", "Outboard_Token", "LD_PRELOAD", "GIT_SSH_COMMAND", "git_config_count"]
)
def test_names_of_ours_are_reserved_however_they_are_written(name: str):
    with pytest.raises(Invalid, match=f"{name.upper()}: this name is reserved"):
        secrets.name(name)


@pytest.mark.parametrize("name", ["GIT_TOKEN", "GIT_AUTHOR_NAME", "PATHS", "ANTHROPIC_API_KEY"])
def test_names_beside_the_reserved_ones_are_free(name: str):
    assert secrets.name(name) == name


def test_the_longest_name_and_value_are_taken():
    assert secrets.name("A" * 256) == "A" * 256
    assert secrets.size("A", "é" * 8 * 1024) == 16 * 1024


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("", "empty"),
        (f"{CANARY}\0", "NUL"),
        (f"{CANARY}\ud800", "UTF-8"),
        (CANARY + "é" * 8 * 1024, "bytes"),
    ],
)
def test_a_value_that_cannot_be_kept_is_refused_without_being_said(value: str, why: str):
    with pytest.raises(Invalid, match=why) as refused:
        secrets.checked({"token": value})

    assert refused.value.field == "TOKEN"
    assert CANARY not in str(refused.value)
    assert refused.value.__context__ is None or refused.value.__suppress_context__


def test_one_name_written_in_two_ways_is_not_two_secrets():
    with pytest.raises(Invalid, match="twice"):
        secrets.checked({"Token": "a", "TOKEN": "b"})


@given(st.dictionaries(NAMES.map(str.upper), st.integers(1, 16 * 1024), max_size=60))
def test_a_scope_has_room_for_so_many_and_so_much(sizes: dict[str, int]):
    fits = len(sizes) <= 50 and sum(sizes.values()) <= 64 * 1024

    if fits:
        secrets.check_room(sizes)
    else:
        with pytest.raises(Invalid, match="are allowed"):
            secrets.check_room(sizes)


REPOSITORIES = st.lists(st.sampled_from([FIRST, SECOND, THIRD]), max_size=5)


@given(REPOSITORIES)
def test_what_is_everybodys_is_weakest_and_each_repository_comes_once(given: list[RepositoryKey]):
    found = secrets.scopes(given)

    assert found[0] == EVERYWHERE
    assert len(found) == len(set(found)) == 1 + len(set(given))


@given(REPOSITORIES, st.data())
def test_the_earlier_repository_wins_a_collision(given: list[RepositoryKey], data: st.DataObject):
    found = secrets.scopes(given)
    values = st.dictionaries(st.sampled_from("ABC"), st.just(""), max_size=3)
    layers = [(scope, {name: str(scope) for name in data.draw(values)}) for scope in found]

    whole = secrets.merged(layers)

    for name, winner in whole.items():
        having = [scope for scope, layer in layers if name in layer]
        first = next((one for one in given if secrets.of_repository(one) in having), None)
        assert winner == str(EVERYWHERE if first is None else secrets.of_repository(first))
    assert set(whole) == {name for _, layer in layers for name in layer}


@given(REPOSITORIES)
def test_an_environment_keeps_the_secrets_of_its_repositories_out(given: list[RepositoryKey]):
    found = secrets.scopes(given, "env-1")

    assert found == [EVERYWHERE, Scope(ScopeKind.ENVIRONMENT, "env-1")]


def test_what_is_too_much_for_a_session_says_how_much_is_of_which_scope():
    layers = [
        (scope, {f"{name}{number}": CANARY[0] * 16 * 1024 for number in range(4)})
        for name, scope in zip("ABC", secrets.scopes([FIRST, SECOND]), strict=True)
    ]

    with pytest.raises(secrets.TooMuch) as refused:
        secrets.merged(layers)

    assert str(refused.value) == (
        "196608 bytes of secrets are more than the 131072 a session may have: 65536 of global,"
        f" 65536 of repository:{SECOND}, 65536 of repository:{FIRST}"
    )
    secrets.merged(layers[:2])


def test_what_is_overridden_does_not_count():
    layers = [
        (scope, {f"A{number}": "x" * 16 * 1024 for number in range(4)})
        for scope in secrets.scopes([FIRST, SECOND, THIRD])
    ]

    assert len(secrets.merged(layers)) == 4


@pytest.mark.parametrize(
    ("kind", "target", "field"),
    [
        ("global", "https://git.example.com/a/b", "target"),
        ("repository", None, "target"),
        ("repository", "no url", "url"),
        ("environment", "../other", "target"),
        ("environment", None, "target"),
        ("team", "red", "scope"),
        ("planet", None, "scope"),
    ],
)
def test_a_scope_that_is_none_is_refused(kind: str, target: str | None, field: str):
    with pytest.raises(Invalid) as refused:
        secrets.scope(kind, target)

    assert refused.value.field == field


def test_the_scopes_there_are_have_different_names():
    named = [
        secrets.scope("global", None),
        secrets.scope("repository", f"{FIRST}.git"),
        secrets.scope("environment", "env-1"),
    ]

    assert [str(scope) for scope in named] == ["global", f"repository:{FIRST}", "environment:env-1"]
    assert all(one != other for one, other in pairwise(named))
