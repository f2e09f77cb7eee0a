"""`/environments` and the sessions that are opened from them, from an event to the answer."""

import re
from dataclasses import replace
from threading import Barrier
from typing import Any

import pytest

from shared.domain.errors import NotFound
from shared.domain.session.state import MAX_REPOSITORIES
from shared.protocol.api import NewRepository
from shared.protocol.environments import NewEnvironment
from tests import build
from tests.fakes.vendors import FakeRepositories
from tests.functions.test_http_api import SESSION, Answer, Api

SHOP_URL, PAY_URL = (build.repository(name).url for name in ("shop", "payments"))
ENVIRONMENT = {
    "requestId": "e1",
    "name": "Shop",
    "description": "all of it",
    "repositories": [{"url": SHOP_URL, "branch": "dev", "label": "the shop"}],
}
SEVERAL = ENVIRONMENT | {"repositories": [{"url": SHOP_URL}, {"url": PAY_URL}]}


def create(api: Api, **changes: Any) -> Answer:
    return api.ask("POST", "/environments", ENVIRONMENT | changes)


def edit(api: Api, found: dict[str, Any], **changes: Any) -> Answer:
    asked = {name: found[name] for name in ("version", "name", "description")}
    asked["repositories"] = [
        {name: each[name] for name in ("url", "branch")} for each in found["repositories"]
    ]
    return api.ask("PUT", f"/environments/{found['id']}", asked | changes)


def open_from(api: Api, environment: str, request_id: str = "r1") -> Answer:
    asked = {"requestId": request_id, "environment": environment}
    return api.ask("POST", "/sessions", asked)


def names(api: Api) -> list[str]:
    return [each["name"] for each in api.ask("GET", "/environments").body["environments"]]


def test_an_environment_is_kept_and_listed():
    api = Api()

    created = create(api, name="  The  Shop ")

    assert (created.status, created.body) == (
        201,
        {
            "id": created.body["id"],
            "name": "The Shop",
            "description": "all of it",
            "repositories": [
                {
                    "url": SHOP_URL,
                    "name": "shop",
                    "branch": "dev",
                    "label": "the shop",
                    "pushedBranch": None,
                    "pushedCommit": None,
                }
            ],
            "version": created.body["version"],
            "createdAt": "2026-01-02T03:04:05Z",
            "createdBy": "ada",
            "updatedAt": "2026-01-02T03:04:05Z",
            "updatedBy": "ada",
        },
    )
    assert created.body["id"].startswith("env_")
    assert api.ask("GET", f"/environments/{created.body['id']}").body == created.body
    assert api.ask("GET", "/environments").body == {"environments": [created.body]}


def test_asking_twice_is_asking_once():
    api = Api()

    first, again = create(api), create(api)
    other = create(api, name="Another")

    assert again == first
    assert (other.status, other.body["code"]) == (409, "conflict")
    assert names(api) == ["Shop"]


def test_a_name_is_taken_in_whatever_letters():
    api = Api()
    create(api)

    refused = create(api, requestId="e2", name="SHOP")

    assert (refused.status, refused.body["code"]) == (409, "conflict")
    assert "'SHOP' already" in refused.body["message"]


def test_a_repository_that_nothing_answers_for_is_refused():
    api = Api()
    api.world.repositories.missing.add(PAY_URL)

    refused = api.ask("POST", "/environments", SEVERAL)
    kept = create(api).body
    added = edit(api, kept, repositories=[{"url": SHOP_URL}, {"url": PAY_URL}])

    assert [answer.status for answer in (refused, added)] == [404, 404]
    assert names(api) == ["Shop"]


def test_repositories_are_asked_at_once_and_the_first_refusal_counts():
    api = Api()
    everybody = Barrier(MAX_REPOSITORIES, timeout=30)
    urls = [build.repository(f"r{number}").url for number in range(MAX_REPOSITORIES)]

    class Patient(FakeRepositories):
        def check(self, url: str) -> None:
            everybody.wait()
            super().check(url)

    patient = replace(api.world.app.environments, repositories=Patient(set(urls[3:5])))
    asked = NewEnvironment(
        request_id="e1", name="Shop", repositories=[NewRepository(url=url) for url in urls]
    )

    with pytest.raises(NotFound, match=re.escape(repr(urls[3]))):
        patient.create(build.ADA.user, asked)

    assert names(api) == []


def test_one_that_stopped_answering_does_not_stand_in_the_way_of_an_edit():
    api = Api()
    kept = create(api).body
    api.world.repositories.missing.add(SHOP_URL)

    assert edit(api, kept, name="Market").status == 200


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": " "}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name": "a\u202eb"}, "name"),
        ({"description": "x" * 1_001}, "description"),
        ({"repositories": []}, "repositories"),
        ({"repositories": [{"url": f"{SHOP_URL}{n}"} for n in range(11)]}, "repositories"),
        ({"repositories": [{"url": SHOP_URL}, {"url": SHOP_URL[:-4]}]}, "repositories"),
        (
            {"repositories": [{"url": SHOP_URL}, {"url": "https://example.com/b/shop"}]},
            "repositories",
        ),
        ({"repositories": [{"url": "https://example.com"}]}, "url"),
        ({"surprise": 1}, "surprise"),
    ],
    ids=str,
)
def test_a_bad_environment_names_its_field(changes: dict[str, Any], field: str):
    api = Api()
    kept = create(api, requestId="e0", name="Kept").body

    for refused in (create(api, **changes), edit(api, kept, **changes)):
        assert (refused.status, refused.body["code"]) == (422, "invalid")
        assert refused.body["field"] == field

    assert names(api) == ["Kept"]


def test_two_editors_do_not_overwrite_each_other():
    api = Api()
    read = create(api).body

    first = edit(api, read, name="Market")
    late = edit(api, read, name="Bazaar")
    same = edit(api, read, name="Market", description=read["description"])

    assert (first.status, first.body["name"]) == (200, "Market")
    assert first.body["version"] != read["version"]
    assert (late.status, late.body["code"]) == (409, "conflict")
    assert same == first
    assert names(api) == ["Market"]


def test_everybody_of_the_workspace_makes_and_changes_them():
    api = Api()
    kept = create(api).body
    api.token = api.ask("POST", "/users", {"name": "grace"}).body["token"]

    changed = edit(api, kept, name="Market")
    own = create(api)

    assert (changed.body["createdBy"], changed.body["updatedBy"]) == ("ada", "grace")
    assert own.body["id"] != kept["id"]
    assert api.ask("DELETE", f"/environments/{kept['id']}").body == {"id": kept["id"]}
    assert names(api) == ["Shop"]


def test_a_deletion_may_be_repeated_and_what_is_gone_is_not_found():
    api = Api()
    kept = create(api).body
    address = f"/environments/{kept['id']}"

    assert [api.ask("DELETE", address).status for _ in range(2)] == [200, 200]
    assert api.ask("GET", address).status == 404
    assert edit(api, kept).status == 404
    assert open_from(api, kept["id"]).status == 404


def test_nobody_sees_environments_without_a_token():
    api = Api()
    kept = create(api).body
    api.token = ""

    answers = [
        api.ask("GET", "/environments"),
        create(api),
        api.ask("GET", f"/environments/{kept['id']}"),
        edit(api, kept),
        api.ask("DELETE", f"/environments/{kept['id']}"),
        api.ask("POST", "/sessions/s1/environment", {"requestId": "e2", "name": "x"}),
    ]

    assert {answer.status for answer in answers} == {401}


def test_a_session_keeps_what_its_environment_was_when_it_was_opened():
    api = Api()
    kept = create(api).body
    opened = open_from(api, kept["id"])
    session = f"/sessions/{opened.body['id']}"

    edited = edit(api, kept, name="Market", repositories=[{"url": PAY_URL}]).body
    after_edit = api.ask("GET", session).body
    api.ask("DELETE", f"/environments/{edited['id']}")
    after_deletion = api.ask("GET", session).body

    assert opened.body["repositories"] == kept["repositories"]
    assert opened.body["environment"] == {"id": kept["id"], "name": "Shop", "deleted": None}
    assert after_edit["repositories"] == after_deletion["repositories"] == kept["repositories"]
    assert after_edit["environment"] == {"id": kept["id"], "name": "Market", "deleted": False}
    assert after_deletion["environment"] == {"id": kept["id"], "name": "Shop", "deleted": True}
    assert api.submit(opened.body["id"]).status == 202


def test_opening_twice_with_one_request_id_is_one_session_whatever_was_edited_between():
    api = Api()
    kept = create(api).body

    first = open_from(api, kept["id"])
    edit(api, kept, repositories=[{"url": PAY_URL}])
    again = open_from(api, kept["id"])

    assert again == first


@pytest.mark.parametrize("given", [{}, {"both": True}], ids=["neither", "both"])
def test_a_session_is_opened_on_repositories_or_from_an_environment(given: dict[str, bool]):
    api = Api()
    kept = create(api).body
    asked = SESSION | {"environment": kept["id"]} if given else {"requestId": "r1"}

    refused = api.ask("POST", "/sessions", asked)

    assert (refused.status, refused.body["field"]) == (422, "repositories")


def test_a_session_without_an_environment_says_so():
    api = Api()

    assert api.ask("GET", f"/sessions/{api.session()}").body["environment"] is None


def test_an_environment_of_several_repositories_opens_a_session_on_all_of_them():
    api = Api()
    kept = api.ask("POST", "/environments", SEVERAL).body

    opened = open_from(api, kept["id"])

    assert opened.status == 201
    assert opened.body["repositories"] == kept["repositories"]


def test_a_draft_takes_an_environment_and_lets_go_of_it():
    api = Api()
    kept = create(api).body
    choice = f"/sessions/{api.session()}/choice"

    chosen = api.ask("PUT", choice, {"environment": kept["id"]}).body
    modelled = api.ask("PUT", choice, {"model": chosen["model"]}).body
    left = api.ask("PUT", choice, {"repositories": SESSION["repositories"]}).body
    both = {"environment": kept["id"], "repositories": SESSION["repositories"]}

    assert chosen["environment"]["name"] == "Shop"
    assert chosen["repositories"] == modelled["repositories"] == kept["repositories"]
    assert modelled["environment"] == chosen["environment"]
    assert (left["environment"], left["repositories"][0]["name"]) == (None, "tool")
    assert api.ask("PUT", choice, both).status == 422


def test_what_a_session_works_on_is_saved_under_a_name():
    api = Api()
    session = api.session()
    asked = {"requestId": "e1", "name": "Tool"}

    saved = api.ask("POST", f"/sessions/{session}/environment", asked)
    again = api.ask("POST", f"/sessions/{session}/environment", asked)

    view = api.ask("GET", f"/sessions/{session}").body
    assert (saved.status, saved.body["name"], saved.body["description"]) == (201, "Tool", "")
    assert saved.body["repositories"] == view["repositories"]
    assert again == saved
    assert view["environment"] is None
    assert api.ask("POST", "/sessions/nobody/environment", asked).status == 404


def test_what_is_repeated_after_a_deletion_makes_nothing_anew():
    api = Api()
    kept = create(api).body
    opened = open_from(api, kept["id"])
    api.ask("DELETE", f"/environments/{kept['id']}")

    again, reopened = create(api), open_from(api, kept["id"])

    assert (again.status, again.body["code"]) == (404, "not_found")
    assert names(api) == []
    assert (reopened.status, reopened.body["id"]) == (opened.status, opened.body["id"])
    assert open_from(api, kept["id"], "r2").status == 404
    assert create(api, requestId="e2").status == 201
