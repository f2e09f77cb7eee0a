"""Every way that GitHub, or the way to it, can fail: which exception, and that nothing leaks."""

import pytest

from shared.app.ports.forges import Access, ForgeLimited, ForgeRefused, NewPullRequest
from shared.domain.errors import DomainError, Invalid, NotFound, Unavailable
from tests.forge import troubles
from tests.forge.hosting import needs_openapi
from tests.forge.troubles import Refusal, Trouble, Wire
from tests.shared.adapters.forges.worlds import PERSONS_TOKEN, GitHubWorld

pytestmark = needs_openapi

NEW = NewPullRequest(title="Add a test", body="Because.", head="work", base="main")


@pytest.fixture
def url(github: GitHubWorld) -> str:
    return github.has("team/tool", ["main", "work"])


@pytest.mark.parametrize(
    ("trouble", "error"),
    [
        (troubles.BROKEN, Unavailable),
        (troubles.TOO_MANY, ForgeLimited),
        (troubles.SECONDARY_LIMIT, ForgeLimited),
        (troubles.SPENT, ForgeLimited),
        (troubles.FORBIDDEN, ForgeRefused),
        (troubles.NOT_FOUND, NotFound),
        (troubles.INVALID, ForgeRefused),
        (Wire.SLOW, Unavailable),
        (Wire.LOST, Unavailable),
        (Wire.TRUNCATED, Unavailable),
        (Wire.NONSENSE, Unavailable),
    ],
    ids=str,
)
def test_a_failed_change_says_what_it_was(
    github: GitHubWorld, url: str, trouble: Trouble, error: type[DomainError]
):
    github.hosted.github.troubles.order(trouble, at="/pulls")

    with pytest.raises(error) as failed:
        github.forge.create_pull_request(url, NEW, token=PERSONS_TOKEN)

    assert type(failed.value) is error
    assert PERSONS_TOKEN not in str(failed.value)
    assert failed.value.__cause__ is None


@pytest.mark.parametrize("trouble", [Wire.LOST, Wire.TRUNCATED], ids=str)
def test_a_change_is_sent_once_and_a_question_again(
    github: GitHubWorld, url: str, trouble: Trouble
):
    github.hosted.github.troubles.order(trouble, at="/pulls")
    with pytest.raises(Unavailable):
        github.forge.create_pull_request(url, NEW, token=None)
    github.hosted.github.troubles.order(trouble, trouble, at="/pulls")

    assert github.forge.open_pull_request(url, "work", "main")
    asked = [line for line in github.hosted.github.seen if "/pulls" in line]
    assert [line.split()[0] for line in asked] == ["POST", "GET", "GET", "GET"]


@pytest.mark.parametrize(
    ("trouble", "after"),
    [
        (troubles.TOO_MANY, 7.0),
        (troubles.SECONDARY_LIMIT, None),
        (Refusal(403, {"message": "slow down"}, {"retry-after": "60"}), 60.0),
    ],
    ids=["429", "secondary", "403 with a time"],
)
def test_a_limit_says_when_to_come_again(
    github: GitHubWorld, url: str, trouble: Trouble, after: float | None
):
    github.hosted.github.troubles.order(trouble, at="/branches")

    with pytest.raises(ForgeLimited) as limited:
        github.forge.branches(url)

    assert limited.value.retry_after == after


def test_a_spent_limit_ends_when_github_says(github: GitHubWorld, url: str):
    now = github.hosted.github.clock()
    reset = str(int(now.timestamp()) + 30)
    github.hosted.github.clock = lambda: now
    spent = Refusal(403, {}, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": reset})
    github.hosted.github.troubles.order(spent, at="/branches")

    with pytest.raises(ForgeLimited) as limited:
        github.forge.branches(url)

    assert 29 <= (limited.value.retry_after or 0) <= 30


def test_a_reason_of_github_is_in_the_sentence(github: GitHubWorld, url: str):
    said = {
        "message": "Validation Failed",
        "errors": [{"code": "custom", "message": "No commits between main and work"}],
    }
    github.hosted.github.troubles.order(Refusal(422, said), at="/pulls")

    with pytest.raises(ForgeRefused, match="No commits between main and work"):
        github.forge.create_pull_request(url, NEW, token=None)


def test_a_token_that_is_never_taken_is_asked_for_twice_and_no_more(github: GitHubWorld, url: str):
    refused = troubles.BAD_CREDENTIALS
    github.hosted.github.troubles.order(refused, refused, at="/branches")

    with pytest.raises(Unavailable):
        github.forge.branches(url)


def test_long_lists_are_read_to_their_end(github: GitHubWorld):
    github.hosted.github.page = 2
    urls = [github.has(f"team/tool-{number}", ["main", "b", "c"]) for number in range(5)]

    assert [found.url for found in github.forge.repositories()] == urls
    assert len(github.forge.branches(urls[0])) == 3


def test_what_has_moved_is_found_there(github: GitHubWorld, url: str):
    there = {"location": f"{github.hosted.api_url}/repos/team/tool/branches?per_page=100"}
    github.hosted.github.troubles.order(Refusal(301, {}, there), at="/branches")

    assert len(github.forge.branches(url)) == 2


@pytest.mark.parametrize("status", [301, 307])
def test_no_token_goes_to_another_host(github: GitHubWorld, url: str, status: int):
    elsewhere = {"location": "http://127.0.0.2:9/api/v3/repos/team/tool/branches"}
    github.hosted.github.troubles.order(Refusal(status, {}, elsewhere), at="/branches")

    with pytest.raises(Unavailable, match="another host"):
        github.forge.branches(url)


def test_a_page_elsewhere_is_not_followed(github: GitHubWorld, url: str):
    link = {"link": '<https://example.com/?page=2>; rel="next"'}
    github.hosted.github.troubles.order(Refusal(200, [], link), at="/branches")

    with pytest.raises(Unavailable, match="another host"):
        github.forge.branches(url)


@pytest.mark.parametrize("path", ["/team", "/team/tool/tree/main", "/"])
def test_an_address_that_is_no_repository_is_said(github: GitHubWorld, path: str):
    with pytest.raises(Invalid):
        github.forge.credential([f"{github.hosted.url}{path}"], Access.READ)
