"""`/forge`: lists of code hosts, new, kept, and old when the host does not answer."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from shared.app.ports.forges import ForgeLimited
from shared.domain.errors import Unavailable
from tests import build
from tests.fakes.forges import FakeForge
from tests.functions.test_http_api import Api

REPOSITORIES = "/forge/repositories"
BRANCHES = "/forge/branches"
SHOP = {"requestId": "e1", "name": "Shop"}


def wire_time(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


AS_OF = wire_time(build.NOW)


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


def two_hosts() -> tuple[Api, FakeForge, FakeForge]:
    api = Api()
    one, other = FakeForge("https://github.com"), FakeForge("https://gitlab.example")
    one.has("team/tool")
    other.has("team/other")
    api.world.forges.forges = [one, other]
    return api, one, other


def test_a_host_that_fails_is_named_beside_what_the_others_have():
    api, one, other = two_hosts()
    other.fail(Unavailable("GitLab does not answer now"))

    found = api.ask("GET", REPOSITORIES)
    mended = api.ask("GET", REPOSITORIES)

    assert (found.status, found.body["asOf"]) == (200, AS_OF)
    assert [each["fullName"] for each in found.body["repositories"]] == ["team/tool"]
    assert found.body["problems"] == [
        {
            "host": "gitlab.example",
            "message": "GitLab does not answer now",
            "listedAt": None,
            "retryAt": None,
        }
    ]
    assert len(mended.body["repositories"]) == 2
    assert mended.body["problems"] == []
    assert one.calls == ["repositories"]


def test_when_no_host_answers_there_is_no_list():
    api, one, other = two_hosts()
    one.fail(ForgeLimited("GitHub wants fewer requests", 60))
    other.fail(Unavailable("GitLab does not answer now"))

    failed = api.ask("GET", REPOSITORIES)

    assert failed.status == 503
    assert failed.body["message"] == "GitHub wants fewer requests; GitLab does not answer now"


def test_an_old_list_says_whose_it_is_and_when_that_host_may_be_asked_again():
    api, _, other = two_hosts()
    api.ask("GET", REPOSITORIES)
    api.world.pass_time(timedelta(minutes=6))
    other.fail(ForgeLimited("GitLab wants fewer requests", 90))

    found = api.ask("GET", REPOSITORIES)

    assert len(found.body["repositories"]) == 2
    (problem,) = found.body["problems"]
    assert (problem["host"], problem["listedAt"]) == ("gitlab.example", AS_OF)
    assert problem["retryAt"] == wire_time(build.NOW + timedelta(minutes=7, seconds=30))


def test_many_who_ask_at_once_are_one_question_to_the_host():
    api, one, _ = two_hosts()
    one.hold()
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(api.world.app.forge_lists.repositories, "") for _ in range(8)]
        one.let_go()

    assert {len(each.result().found) for each in asked} == {2}
    assert one.calls == ["repositories"]


def test_a_host_that_takes_too_long_does_not_keep_what_the_others_have():
    api, one, other = two_hosts()
    api.world.forges.forges = [one]
    api.ask("GET", REPOSITORIES)
    api.world.forges.forges = [one, other]
    other.hold()

    listed = replace(api.world.app.forge_lists, patience=timedelta(seconds=1)).repositories("")
    other.let_go()

    assert [each.full_name for each in listed.found] == ["team/tool"]
    assert [problem.message for problem in listed.problems] == [
        "gitlab.example takes too long to answer"
    ]
