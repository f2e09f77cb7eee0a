"""`/forge`: lists of code hosts, new, kept, and old when the host does not answer."""

from datetime import timedelta

import pytest

from shared.app.ports.forges import ForgeLimited
from shared.domain.errors import Unavailable
from tests import build
from tests.functions.test_http_api import Api

REPOSITORIES = "/forge/repositories"
BRANCHES = "/forge/branches"
SHOP = {"requestId": "e1", "name": "Shop"}
AS_OF = build.NOW.isoformat().replace("+00:00", "Z")


def test_repositories_are_found_by_all_of_the_words():
    api = Api()
    forge = api.world.forges.forges[0]
    url = forge.has("team/tool", description="A hammer")
    forge.has("team/other")

    everything = api.ask("GET", REPOSITORIES)
    found = api.ask("GET", REPOSITORIES, query="HAMMER team")

    assert (everything.status, len(everything.body["repositories"])) == (200, 2)
    assert [one["url"] for one in found.body["repositories"]] == [url]
    assert found.body["asOf"] == AS_OF
    assert forge.calls == ["repositories"]


def test_branches_are_those_of_a_repository():
    api = Api()
    url = api.world.forges.forges[0].has("team/tool", ["main", "work"])

    found = api.ask("GET", BRANCHES, url=url)

    assert [one["name"] for one in found.body["branches"]] == ["main", "work"]
    assert api.ask("GET", BRANCHES, url=url.replace("tool", "none")).status == 404


def test_after_five_minutes_the_host_is_asked_again():
    api = Api()
    forge = api.world.forges.forges[0]
    api.ask("GET", REPOSITORIES)
    forge.has("team/new")
    api.world.pass_time(timedelta(minutes=5))

    assert len(api.ask("GET", REPOSITORIES).body["repositories"]) == 1


@pytest.mark.parametrize("error", [Unavailable("down"), ForgeLimited("too many", 60)], ids=str)
def test_while_the_host_does_not_answer_an_old_list_says_how_old_it_is(error: Unavailable):
    api = Api()
    forge = api.world.forges.forges[0]
    forge.has("team/tool")
    api.ask("GET", REPOSITORIES)

    api.world.pass_time(timedelta(minutes=59))
    forge.fail(error)
    old = api.ask("GET", REPOSITORIES)
    api.world.pass_time(timedelta(minutes=1))
    forge.fail(error)
    gone = api.ask("GET", REPOSITORIES)

    assert (len(old.body["repositories"]), old.body["asOf"]) == (1, AS_OF)
    assert gone.status == 503


def test_an_address_we_do_not_go_to_is_refused():
    assert Api().ask("GET", BRANCHES, url="https://10.0.0.7/x.git").status == 422


def test_what_is_said_about_a_repository_is_found_however_its_url_is_spelt():
    api = Api()
    url = build.repository().url
    nothing = api.ask("GET", "/repositories/about", url=url)
    said: dict[str, object] = {
        "description": "A hammer",
        "aliases": ["tool"],
        "keywords": ["nails"],
    }
    environment = api.ask("POST", "/environments", {**SHOP, "repositories": [{"url": url}]})
    said["environment"] = environment.body["id"]

    put = api.ask("PUT", "/repositories/about", said, url=url)
    again = api.ask("GET", "/repositories/about", url=url.removesuffix(".git"))

    assert (nothing.status, nothing.body["description"]) == (200, "")
    assert put.body == again.body
    assert again.body == {
        "repository": url.removesuffix(".git"),
        **said,
    }


def test_a_default_environment_that_is_not_there_is_refused_and_changes_nothing():
    api = Api()
    url = build.repository().url

    refused = api.ask("PUT", "/repositories/about", {"environment": "e1"}, url=url)

    assert (refused.status, refused.body["field"]) == (422, "environment")
    assert api.ask("GET", "/repositories/about", url=url).body["environment"] is None


def test_too_many_words_are_refused():
    about = {"aliases": ["x"] * 21}

    assert Api().ask("PUT", "/repositories/about", about, url=build.repository().url).status == 422
