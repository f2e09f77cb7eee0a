"""A target's repositories are cloned side by side: none is there twice, nor in another's place."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.errors import Invalid
from shared.domain.repository_url import directory, key
from shared.domain.session.state import MAX_REPOSITORIES, Repository
from shared.domain.session.target import check_target

URLS = st.from_regex(
    r"https://(git|GIT)\.example\.com(:443)?/(acme|other)/[a-d](\.git)?/?", fullmatch=True
)


def repository(url: str) -> Repository:
    return Repository(url=url, name=directory(url))


def refused(target: list[Repository]) -> Invalid | None:
    try:
        check_target(target)
    except Invalid as problem:
        return problem
    return None


@given(st.lists(URLS, max_size=MAX_REPOSITORIES))
def test_a_target_is_taken_exactly_when_nothing_is_in_anothers_place(urls: list[str]):
    apart = len(set(map(key, urls))) == len(set(map(directory, urls))) == len(urls)

    problem = refused([repository(url) for url in urls])

    assert (problem is None) == apart
    assert problem is None or problem.field == "repositories"


@given(st.lists(URLS, max_size=4, unique_by=directory), st.data())
def test_the_order_changes_nothing_about_it(urls: list[str], data: st.DataObject):
    shuffled = data.draw(st.permutations(urls))

    assert refused([repository(url) for url in shuffled]) is None


@given(st.sampled_from(["", "/", ".git", ".git/"]), st.sampled_from(["git", "GIT", "ada@git"]))
def test_one_repository_is_one_whatever_its_directory_is_called(ending: str, host: str):
    tool = repository("https://git.example.com/acme/tool")
    same = Repository(url=f"https://{host}.example.com/acme/tool{ending}", name="elsewhere")

    problem = refused([tool, same])

    assert problem is not None
    assert "twice" in problem.problem


def test_both_branches_of_one_repository_cannot_be_had_at_once():
    tool = repository("https://git.example.com/acme/tool")

    with pytest.raises(Invalid, match="twice"):
        check_target([tool, replace(tool, branch="next")])


def test_two_repositories_that_are_called_the_same_are_refused_by_that_name():
    pair = ["https://git.example.com/acme/tool", "https://git.example.com/other/tool.git"]

    with pytest.raises(Invalid, match="the directory tool"):
        check_target([repository(url) for url in pair])


def test_up_to_10_are_taken_and_none():
    many = [repository(f"https://git.example.com/acme/r{n}") for n in range(MAX_REPOSITORIES + 1)]

    check_target(())
    check_target(many[:-1])
    with pytest.raises(Invalid, match="more than 10"):
        check_target(many)
