"""What is GitLab's own: groups in groups, drafts by their title, its limit, its tokens."""

from datetime import UTC, datetime

import pytest

from shared.adapters.gitlab import GitLabForge
from shared.app.ports.forges import Access, ForgeLimited, NewPullRequest, PullRequestChange
from shared.domain.errors import Invalid, NotFound, Unavailable
from tests.fakes.vendors import FakeSecrets
from tests.forge.gitlab import DEVELOPER, OURS
from tests.forge.troubles import TOO_MANY
from tests.shared.adapters.forges.worlds import GitLabWorld


def test_groups_may_be_in_groups(gitlab: GitLabWorld):
    url = gitlab.has("team/backend/tools/tool", ["main", "work"])

    assert gitlab.forge.repository(url).full_name == "team/backend/tools/tool"
    assert len(gitlab.forge.branches(url)) == 2


def test_a_draft_stays_one_when_it_gets_another_title(gitlab: GitLabWorld):
    url = gitlab.has("team/tool", ["main", "work"])
    new = NewPullRequest("Add a test", "", "work", "main", draft=True)
    made = gitlab.forge.create_pull_request(url, new, token=None)

    better = PullRequestChange(title="Better")
    changed = gitlab.forge.update_pull_request(url, made.number, better, token=None)

    assert (made.draft, made.title) == (True, "Add a test")
    assert (changed.draft, changed.title) == (True, "Better")


def test_long_lists_are_read_to_their_end(gitlab: GitLabWorld):
    gitlab.gitlab.page = 2
    urls = [gitlab.has(f"team/tool-{number}") for number in range(5)]

    assert [found.url for found in gitlab.forge.repositories()] == urls


def test_a_limit_says_when_to_come_again(gitlab: GitLabWorld):
    url = gitlab.has("team/tool")
    gitlab.gitlab.troubles.order(TOO_MANY)

    with pytest.raises(ForgeLimited) as limited:
        gitlab.forge.branches(url)

    assert limited.value.retry_after == 7


@pytest.mark.parametrize("secrets", [{}, {"GITLAB_TOKEN": "glpat-gone"}], ids=["none", "gone"])
def test_without_a_token_that_is_taken_nothing_can_be_said(
    gitlab: GitLabWorld, secrets: dict[str, str]
):
    url = gitlab.has("team/tool")
    forge = GitLabForge.at(gitlab.gitlab.url, FakeSecrets(secrets), lambda: gitlab.gitlab.now)

    for asked in (forge.repositories, lambda: forge.credential([url], Access.READ)):
        with pytest.raises(Unavailable) as failed:
            asked()
        assert "glpat" not in str(failed.value)


@pytest.mark.parametrize("path", ["/team", "/team/tool/-/merge_requests"])
def test_an_address_that_is_no_project_is_said(gitlab: GitLabWorld, path: str):
    with pytest.raises(Invalid):
        gitlab.forge.repository(f"{gitlab.gitlab.url}{path}")


@pytest.mark.parametrize(
    ("access", "scope", "level"),
    [
        (Access.READ, "read_repository", 20),
        (Access.WRITE, "write_repository", 30),
    ],
)
def test_git_gets_a_token_of_that_one_project_for_git_alone(
    gitlab: GitLabWorld, access: Access, scope: str, level: int
):
    url = gitlab.has("team/tool")

    given = gitlab.forge.credential([url], access)
    again = gitlab.forge.credential([url], access)

    assert given
    assert given == again
    assert given.expires_at == datetime(2026, 1, 3, tzinfo=UTC)
    asked = {"scopes": [scope], "access_level": level, "expires_at": "2026-01-03"}
    assert gitlab.gitlab.issued == {given.password: ("team/tool", {"name": "outboard", **asked})}


def test_each_project_has_a_token_of_its_own(gitlab: GitLabWorld):
    urls = [gitlab.has("team/tool"), gitlab.has("team/other")]

    given = [gitlab.forge.credential([url], Access.WRITE) for url in urls]

    projects = [gitlab.gitlab.issued[each.password][0] for each in given if each]
    assert projects == ["team/tool", "team/other"]
    with pytest.raises(Invalid):
        gitlab.forge.credential(urls, Access.WRITE)


def test_a_token_that_ends_at_midnight_is_asked_for_early_enough(gitlab: GitLabWorld):
    url = gitlab.has("team/tool")
    gitlab.gitlab.now = datetime(2026, 1, 2, 23, 30, tzinfo=UTC)

    given = gitlab.forge.credential([url], Access.WRITE)
    gitlab.gitlab.now = datetime(2026, 1, 3, 23, 56, tzinfo=UTC)
    after = gitlab.forge.credential([url], Access.WRITE)

    assert given
    assert after
    assert given.expires_at == datetime(2026, 1, 4, tzinfo=UTC)
    assert after.password != given.password


@pytest.mark.parametrize("access", list(Access))
def test_the_deployments_own_token_is_never_handed_out(gitlab: GitLabWorld, access: Access):
    url = gitlab.has("team/tool")
    gitlab.gitlab.our_level = DEVELOPER

    with pytest.raises(NotFound, match="no access token for team/tool alone") as refused:
        gitlab.forge.credential([url], access)

    assert OURS not in str(refused.value)
