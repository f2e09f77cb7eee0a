"""What an environment may be called, and which repositories go together."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.environment import (
    checked_description,
    checked_name,
    checked_repositories,
    name_key,
)
from shared.domain.errors import Invalid
from shared.domain.session.state import MAX_REPOSITORIES, Provenance, Repository, UserId
from tests import build

TOOL = build.repository()
URLS = st.sampled_from(["tool", "tool.git", "Tool", "app", "deep/tool", "app/"])


def test_a_session_remembers_its_environment_by_the_name_it_had():
    environment = build.environment()

    assert environment.provenance == Provenance(environment.id, "Shop")


def test_who_wrote_it_and_when_is_not_what_an_environment_says():
    environment = build.environment()

    assert environment.says(replace(environment, version="v2", updated_by=UserId("bob")))
    assert not environment.says(replace(environment, name="shop"))
    assert not environment.says(replace(environment, repositories=(TOOL,)))


@pytest.mark.parametrize("name", ["SHOP", "shop", " Shop ", "\uff33hop"])
def test_a_name_is_taken_in_whatever_letters(name: str):
    assert name_key(name) == name_key("Shop")


@given(st.text(max_size=20))
def test_the_key_of_a_names_key_is_itself(name: str):
    assert name_key(name_key(name)) == name_key(name)


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=20))
def test_capitals_make_no_other_name(name: str):
    assert name_key(name.upper()) == name_key(name.lower())


def test_a_name_is_one_line():
    assert checked_name("  The\tshop,\n all of it ") == "The shop, all of it"


@pytest.mark.parametrize("name", ["", " \n ", "x" * 101, "a\x00b", "a\u202eb"])
def test_a_name_that_is_none_is_refused(name: str):
    with pytest.raises(Invalid) as refused:
        checked_name(name)

    assert refused.value.field == "name"


def test_a_description_has_a_bound():
    assert checked_description(" one\ntwo ") == "one\ntwo"
    with pytest.raises(Invalid, match="1001 characters are more than 1000"):
        checked_description("x" * 1_001)


@pytest.mark.parametrize("count", [0, MAX_REPOSITORIES + 1])
def test_an_environment_has_one_to_ten_repositories(count: int):
    with pytest.raises(Invalid) as refused:
        checked_repositories([build.repository(f"r{number}") for number in range(count)])

    assert refused.value.field == "repositories"


def test_a_repository_is_named_once_however_its_url_is_spelt():
    again = replace(TOOL, url=TOOL.url.removesuffix(".git"), name="other")

    with pytest.raises(Invalid, match="named twice"):
        checked_repositories([TOOL, again])


def test_two_repositories_are_not_put_into_one_directory():
    with pytest.raises(Invalid, match="same directory 'tool'"):
        checked_repositories([TOOL, replace(TOOL, url="https://git.example.com/other/tool")])


@given(st.lists(URLS, max_size=MAX_REPOSITORIES + 1))
def test_what_is_accepted_keeps_its_order_and_has_no_two_of_a_kind(names: list[str]):
    asked = [_repository(name) for name in names]
    try:
        kept = checked_repositories(asked)
    except Invalid:
        return

    assert list(kept) == asked
    assert len({each.name for each in kept}) == len(kept) <= MAX_REPOSITORIES


def _repository(path: str) -> Repository:
    directory = path.rstrip("/").rpartition("/")[2].removesuffix(".git")
    return Repository(url=f"https://git.example.com/acme/{path}", name=directory)
