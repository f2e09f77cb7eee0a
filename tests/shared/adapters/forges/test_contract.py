"""What every `Forge` with pull requests keeps: the fake, and the adapters against a stand-in."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.app.ports.forges import Access, ForgeRefused, NewPullRequest, PullRequestChange
from shared.domain.errors import Conflict, NotFound, Unauthenticated, Unavailable
from tests.shared.adapters.forges.worlds import PERSONS_TOKEN, ForgeWorld

NEW = NewPullRequest(title="Add a test", body="Because.", head="work", base="main")
BETTER = PullRequestChange(title="Better", body="So.")


def test_all_that_we_may_use_is_listed_and_nothing_else(world: ForgeWorld):
    ours = world.has("team/tool", description="A tool")
    world.has("team/secret", installed=False)

    (found,) = world.forge.repositories()

    assert (found.url, found.full_name, found.description) == (ours, "team/tool", "A tool")
    assert (found.default_branch, found.private, found.archived) == ("main", True, False)


def test_one_repository_is_found_by_its_url(world: ForgeWorld):
    url = world.has("team/tool", ["trunk"])

    assert world.forge.repository(url.removesuffix(".git")).default_branch == "trunk"


def test_what_is_not_there_and_what_is_not_for_us_look_alike(world: ForgeWorld):
    url = world.has("team/tool")
    hidden = world.has("team/secret", installed=False)

    for missing in (url.replace("tool", "none"), hidden):
        with pytest.raises(NotFound):
            world.forge.repository(missing)
        with pytest.raises(NotFound):
            world.forge.branches(missing)
        with pytest.raises(NotFound):
            world.forge.credential([missing], Access.READ)


def test_branches_are_named_with_their_commits(world: ForgeWorld):
    url = world.has("team/tool", ["main", "feature/a"])

    found = world.forge.branches(url)

    assert [branch.name for branch in found] == ["feature/a", "main"]
    assert all(len(branch.commit) == 40 for branch in found)


def test_a_private_repository_needs_a_credential(world: ForgeWorld):
    credential = world.forge.credential([world.has("team/tool")], Access.WRITE)

    assert credential
    assert credential.username
    assert credential.password


def test_what_everybody_may_read_needs_no_credential_and_cannot_be_written(world: ForgeWorld):
    url = world.has("world/lib", private=False, installed=False)

    assert world.forge.credential([url], Access.READ) is None
    with pytest.raises(NotFound):
        world.forge.credential([url], Access.WRITE)


@pytest.mark.parametrize("token", [None, PERSONS_TOKEN], ids=["as us", "as a person"])
def test_a_pull_request_is_made_found_and_read(world: ForgeWorld, token: str | None):
    url = world.has("team/tool", ["main", "work"])

    made = world.forge.create_pull_request(url, NEW, token=token)

    assert (made.state, made.draft, made.title) == ("open", False, "Add a test")
    assert (made.head, made.base) == ("work", "main")
    assert made.head_commit in {branch.commit for branch in world.forge.branches(url)}
    assert made.url.endswith(str(made.number))
    assert world.forge.open_pull_request(url, "work", "main") == made
    assert world.forge.open_pull_request(url, "work", None) == made
    assert world.forge.open_pull_request(url, "work", "other") is None
    assert world.forge.open_pull_request(url, "main", None) is None
    assert world.forge.pull_request(url, made.number) == made


def test_the_same_pull_request_is_not_made_twice(world: ForgeWorld):
    url = world.has("team/tool", ["main", "work"])
    world.forge.create_pull_request(url, NEW, token=None)

    with pytest.raises(Conflict):
        world.forge.create_pull_request(url, NEW, token=None)


def test_one_whose_answer_was_lost_is_there(world: ForgeWorld):
    url = world.has("team/tool", ["main", "work"])
    world.lose_answer()

    with pytest.raises(Unavailable):
        world.forge.create_pull_request(url, NEW, token=None)

    found = world.forge.open_pull_request(url, "work", "main")
    assert found
    assert found.title == "Add a test"


def test_a_branch_that_is_not_there_is_refused(world: ForgeWorld):
    url = world.has("team/tool")

    with pytest.raises(ForgeRefused):
        world.forge.create_pull_request(url, NEW, token=None)


def test_a_token_that_is_not_taken_is_its_persons_affair(world: ForgeWorld):
    url = world.has("team/tool", ["main", "work"])

    with pytest.raises(Unauthenticated):
        world.forge.create_pull_request(url, NEW, token="gone")


def test_where_we_are_not_installed_a_person_can_do_it(world: ForgeWorld):
    url = world.has("team/lib", ["main", "work"], private=False, installed=False)

    with pytest.raises(ForgeRefused):
        world.forge.create_pull_request(url, NEW, token=None)

    assert world.forge.create_pull_request(url, NEW, token=PERSONS_TOKEN).state == "open"


def test_a_pull_request_can_be_renamed_and_labelled_again_and_again(world: ForgeWorld):
    url = world.has("team/tool", ["main", "work"])
    number = world.forge.create_pull_request(url, NEW, token=None).number

    for _ in range(2):
        world.forge.update_pull_request(url, number, BETTER, token=None)
        world.forge.label(url, number, "outboard")

    assert world.forge.pull_request(url, number).title == "Better"


@pytest.mark.parametrize(
    ("change", "after"),
    [
        (PullRequestChange(), ("Add a test", "Because.")),
        (PullRequestChange(title="Better"), ("Better", "Because.")),
        (PullRequestChange(body="So."), ("Add a test", "So.")),
        (BETTER, ("Better", "So.")),
    ],
    ids=["neither", "title", "body", "both"],
)
def test_what_a_change_does_not_give_stays(
    world: ForgeWorld, change: PullRequestChange, after: tuple[str, str]
):
    url = world.has("team/tool", ["main", "work"])
    number = world.forge.create_pull_request(url, NEW, token=None).number

    told = world.forge.update_pull_request(url, number, change, token=None)

    assert (told.title, world.body_of(url, number)) == after


def test_what_became_of_it_is_told(world: ForgeWorld):
    url = world.has("team/tool", ["main", "work", "other"])
    merged = world.forge.create_pull_request(url, NEW, token=None).number
    world.merge(url, merged)
    closed = world.forge.create_pull_request(url, NEW, token=None).number
    world.close(url, closed)

    assert world.forge.pull_request(url, merged).state == "merged"
    assert world.forge.pull_request(url, closed).state == "closed"
    assert world.forge.open_pull_request(url, "work", None) is None
    with pytest.raises(NotFound):
        world.forge.pull_request(url, 77)


def test_all_that_changed_since_is_told_whatever_its_state(world: ForgeWorld):
    url = world.has("team/tool", ["main", "work", "other"])
    merged = world.forge.create_pull_request(url, NEW, token=None)
    world.merge(url, merged.number)
    world.forge.create_pull_request(url, replace(NEW, head="other"), token=None)

    found = world.forge.pull_requests(url, merged.updated_at - timedelta(minutes=1))
    later = world.forge.pull_requests(url, merged.updated_at + timedelta(days=1))

    assert {pull.head: pull.state for pull in found} == {"work": "merged", "other": "open"}
    assert later == []
    with pytest.raises(NotFound):
        world.forge.pull_requests(url.replace("tool", "none"), merged.updated_at)


def test_a_person_is_told_where_to_open_one_by_hand(world: ForgeWorld):
    url = world.has("team/tool")

    link = world.forge.manual_link(url, head="work", base="main")

    assert link
    assert link.startswith(url.removesuffix("/team/tool.git"))
    assert "team/tool" in link
    assert "work" in link
