"""What an operator may ask, and what is refused with the field that is wrong."""

from collections.abc import Mapping

import pytest

from shared.app.lives import Life
from shared.domain.errors import Invalid
from shared.edge.operator import answer_operator
from shared.protocol.api import NewRepository, NewSession
from tests import build
from tests.events import sample
from tests.world import World

TOOL = build.repository()


def ask(world: World, event: Mapping[str, object]) -> dict[str, object]:
    return answer_operator(event, world.app.accounts, world.app.images)


def test_the_operator_gets_the_first_owner_once():
    world = World()
    event = sample("workspace_admin/ensure_owner")

    first, second = (ask(world, event) for _ in range(2))

    assert first["name"] == "ada"
    assert str(first["token"]).startswith("obu_")
    assert second == {"name": "ada", "exists": True}


def test_the_operator_renews_a_lost_token():
    world = World()
    _, lost = world.owner()

    renewed = ask(world, {"action": "renew_token", "name": "ada"})

    assert renewed["token"] != lost
    assert world.app.accounts.authenticate(f"Bearer {renewed['token']}").name == "ada"


def test_a_session_on_the_same_repositories_begins_with_the_registered_image():
    world = World()
    told = ask(world, sample("workspace_admin/register_image"))
    life = Life(world.open_session(), 1)
    world.submit(life.session_id)

    world.lives.prepare(life)

    attempt = world.app.sessions.load(life.session_id).attempt
    assert told == {"image": "team/tool:1"}
    assert attempt is not None
    assert (attempt.boot, attempt.image) == ("image", "team/tool:1")


def test_an_image_of_a_branch_is_of_that_branch():
    world = World()
    repository = {"url": TOOL.url, "branch": "next"}

    ask(world, {"action": "register_image", "repositories": [repository], "image": "team/next:1"})

    asked = NewSession(request_id="r", repositories=[NewRepository(url=TOOL.url, branch="next")])
    session = world.app.desk.open_session(world.owner()[0].id, asked)
    assert world.app.images.of(session.target) == "team/next:1"
    assert world.app.images.of((TOOL,)) is None


def test_a_forgotten_image_is_used_no_more():
    world = World()
    ask(world, sample("workspace_admin/register_image"))

    told = [ask(world, sample("workspace_admin/forget_image")) for _ in range(2)]

    assert told == [{"image": None}] * 2
    assert world.app.images.of((TOOL,)) is None


@pytest.mark.parametrize(
    ("event", "field"),
    [
        ({"action": "dance"}, "message"),
        ({}, "message"),
        ({"action": "ensure_owner"}, "ensure_owner.name"),
        (
            {"action": "register_image", "repositories": [], "image": "i"},
            "register_image.repositories",
        ),
        (
            {"action": "register_image", "repositories": [{"url": TOOL.url}]},
            "register_image.image",
        ),
        (
            {"action": "register_image", "repositories": [{"url": TOOL.url}], "image": ""},
            "register_image.image",
        ),
        (
            {"action": "forget_image", "repositories": [{"url": "file:///x"}]},
            "forget_image.repositories.0.url",
        ),
        (
            {"action": "forget_image", "repositories": [{"url": TOOL.url, "brunch": "x"}]},
            "forget_image.repositories.0.brunch",
        ),
    ],
)
def test_what_is_wrong_is_named(event: Mapping[str, object], field: str):
    with pytest.raises(Invalid) as refused:
        ask(World(), event)

    assert refused.value.field == field


@pytest.mark.parametrize(
    ("url", "problem"),
    [("https://ada:secret@git.example.com/acme/tool", "password"), ("https://host/", "name")],
)
def test_what_no_session_could_have_as_its_target_has_no_image(url: str, problem: str):
    repositories = [{"url": url}]
    event = {"action": "register_image", "repositories": repositories, "image": "i"}

    with pytest.raises(Invalid, match=problem):
        ask(World(), event)
