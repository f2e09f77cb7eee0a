"""`/settings/sandbox` and what a new session keeps of it, from an event to the answer."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from shared import wiring
from shared.domain.repository_url import RepositoryKey
from tests import build
from tests.functions.test_http_api import SESSION, Answer, Api
from tests.world import SETTINGS, World

URL = build.repository().url
KEY = URL.removesuffix(".git")
EVERYWHERE = "/settings/sandbox"
REPOSITORY = "/settings/sandbox/repository"
BLANK = dict.fromkeys(
    (
        *("lifetimeSeconds", "finalBufferSeconds", "inactivitySeconds"),
        *("tunnelPorts", "cpuCores", "memoryMib"),
    )
)
HOUR = 60 * 60


def choose(api: Api, version: str | None = None, url: str | None = None, **chosen: Any) -> Answer:
    body = {"settings": chosen, "version": version}
    if url is None:
        return api.ask("PUT", EVERYWHERE, body)
    return api.ask("PUT", REPOSITORY, body, url=url)


def in_effect(api: Api, url: str = URL) -> dict[str, Any]:
    return api.ask("GET", f"{EVERYWHERE}/resolved", url=url).body["settings"]


def test_where_nothing_is_chosen_the_deployments_own_counts():
    api = Api()

    nothing = api.ask("GET", EVERYWHERE)

    assert (nothing.status, nothing.body["settings"]) == (200, BLANK)
    assert nothing.body["version"] is None
    assert api.ask("GET", REPOSITORY, url=URL).body["repository"] == KEY
    assert in_effect(api) == BLANK | {
        "lifetimeSeconds": 24 * HOUR,
        "finalBufferSeconds": 600,
        "inactivitySeconds": 600,
        "tunnelPorts": [],
    }


def test_the_deployments_final_buffer_is_the_one_that_counts():
    world = World()
    given = replace(SETTINGS, final_snapshot_buffer=timedelta(minutes=7))

    resolved = wiring.build(given, world.ports).settings.in_effect(RepositoryKey(KEY))

    assert resolved.final_buffer == timedelta(minutes=7)


def test_a_repository_has_its_own_and_inherits_the_rest():
    api = Api()
    choose(api, lifetimeSeconds=2 * HOUR, cpuCores=2)
    choose(api, url="https://GIT.example.com/acme/tool/", cpuCores=4, tunnelPorts=[3000, 8000])

    tool, other = in_effect(api), in_effect(api, "https://git.example.com/acme/other")

    assert (tool["lifetimeSeconds"], tool["cpuCores"]) == (2 * HOUR, 4)
    assert tool["tunnelPorts"] == [3000, 8000]
    assert (other["lifetimeSeconds"], other["cpuCores"]) == (2 * HOUR, 2)
    (listed,) = api.ask("GET", f"{EVERYWHERE}/repositories").body["repositories"]
    assert listed["repository"] == KEY
    assert listed["settings"] == BLANK | {"cpuCores": 4, "tunnelPorts": [3000, 8000]}
    assert (listed["changedBy"], listed["changedAt"]) == ("ada", "2026-01-02T03:04:05Z")


def test_two_editors_do_not_overwrite_each_other():
    api = Api()
    version = choose(api, cpuCores=2).body["version"]

    first = choose(api, version, cpuCores=4)
    second = choose(api, version, memoryMib=4096)
    unread = choose(api, memoryMib=4096)

    assert first.status == 200
    assert [(late.status, late.body["code"]) for late in (second, unread)] == [
        (409, "conflict")
    ] * 2
    assert api.ask("GET", EVERYWHERE).body["settings"] == BLANK | {"cpuCores": 4}


def test_what_is_chosen_already_may_be_chosen_again():
    api = Api()

    first, again = choose(api, cpuCores=2), choose(api, cpuCores=2)

    assert again == first


def test_a_repository_that_is_forgotten_inherits_everything():
    api = Api()
    choose(api, cpuCores=2)
    version = choose(api, url=URL, cpuCores=4).body["version"]

    outdated = api.ask("DELETE", REPOSITORY, url=URL, version="v0")
    forgotten = api.ask("DELETE", REPOSITORY, url=URL, version=version)

    assert (outdated.status, outdated.body["code"]) == (409, "conflict")
    assert (forgotten.status, forgotten.body["settings"]) == (200, BLANK)
    assert api.ask("DELETE", REPOSITORY, url=URL, version=version).status == 200
    assert in_effect(api)["cpuCores"] == 2


@pytest.mark.parametrize(
    ("chosen", "field"),
    [
        ({"lifetimeSeconds": 59}, "lifetimeSeconds"),
        ({"lifetimeSeconds": 10**30}, "lifetimeSeconds"),
        ({"lifetimeSeconds": 3600.5}, "lifetimeSeconds"),
        ({"lifetimeSeconds": "3600"}, "lifetimeSeconds"),
        ({"lifetimeSeconds": 600}, "lifetimeSeconds"),
        ({"finalBufferSeconds": 299}, "finalBufferSeconds"),
        ({"finalBufferSeconds": 24 * HOUR}, "finalBufferSeconds"),
        ({"lifetimeSeconds": HOUR, "finalBufferSeconds": HOUR}, "finalBufferSeconds"),
        ({"inactivitySeconds": 0}, "inactivitySeconds"),
        ({"tunnelPorts": [0]}, "tunnelPorts.0"),
        ({"tunnelPorts": [3000, 3000]}, "tunnelPorts"),
        ({"tunnelPorts": [49983]}, "tunnelPorts"),
        ({"tunnelPorts": list(range(3000, 3011))}, "tunnelPorts"),
        ({"cpuCores": True}, "cpuCores"),
        ({"cpuCores": 33}, "cpuCores"),
        ({"memoryMib": 511}, "memoryMib"),
        ({"surprise": 1}, "surprise"),
    ],
    ids=str,
)
@pytest.mark.parametrize("url", [None, URL], ids=["everywhere", "repository"])
def test_bad_settings_name_their_field(chosen: dict[str, Any], field: str, url: str | None):
    api = Api()

    refused = choose(api, url=url, **chosen)

    assert (refused.status, refused.body["code"]) == (422, "invalid")
    assert refused.body["field"] == f"settings.{field}"
    assert api.world.memory.settings == {}


@pytest.mark.parametrize(
    "url", ["", "git@example.com:a.git", "https://example.com", "https://a:b@c/d"]
)
def test_a_url_that_names_no_repository_is_refused(url: str):
    api = Api()

    answers = [
        api.ask("GET", REPOSITORY, url=url),
        api.ask("GET", f"{EVERYWHERE}/resolved", url=url),
        api.ask("DELETE", REPOSITORY, url=url, version="v1"),
        choose(api, url=url),
    ]

    assert [(answer.status, answer.body["field"]) for answer in answers] == [(422, "url")] * 4


def test_a_comma_in_a_url_belongs_to_it():
    api = Api()

    choose(api, url=f"{KEY},old", cpuCores=4)

    assert in_effect(api)["cpuCores"] is None
    assert in_effect(api, f"{KEY},old")["cpuCores"] == 4


def test_a_final_buffer_is_held_against_the_lifetime_that_is_inherited():
    api = Api()
    choose(api, lifetimeSeconds=HOUR)

    refused = choose(api, url=URL, finalBufferSeconds=2 * HOUR)

    assert (refused.status, refused.body["field"]) == (422, "settings.finalBufferSeconds")
    assert (
        "120 minutes has to be shorter than the lifetime of 60 minutes" in refused.body["message"]
    )


def test_a_lifetime_is_held_against_the_buffers_that_inherit_it():
    api = Api()
    choose(api, url=URL, finalBufferSeconds=2 * HOUR)

    refused = choose(api, lifetimeSeconds=HOUR)

    assert (refused.status, refused.body["field"]) == (422, "settings.lifetimeSeconds")
    assert refused.body["message"].endswith(f"for {KEY}")


def test_a_short_lifetime_goes_with_a_short_buffer():
    api = Api()

    assert choose(api, lifetimeSeconds=480, finalBufferSeconds=300).status == 200


def test_members_read_and_the_owner_writes():
    api = Api()
    version = choose(api, url=URL, cpuCores=2).body["version"]
    api.token = api.ask("POST", "/users", {"name": "grace"}).body["token"]

    read = api.ask("GET", REPOSITORY, url=URL)
    refused = [
        choose(api, cpuCores=4),
        choose(api, version, url=URL, cpuCores=4),
        api.ask("DELETE", REPOSITORY, url=URL, version=version),
    ]

    assert (read.status, read.body["settings"]["cpuCores"]) == (200, 2)
    assert [answer.body["code"] for answer in refused] == ["forbidden"] * 3
    assert in_effect(api)["cpuCores"] == 2


@pytest.mark.parametrize("path", ["", "/repositories", "/repository", "/resolved"])
def test_nobody_reads_settings_without_a_token(path: str):
    api = Api()
    api.token = ""

    assert api.ask("GET", f"{EVERYWHERE}{path}", url=URL).status == 401


def test_a_session_keeps_what_was_chosen_when_it_was_opened():
    api = Api()
    choose(api, lifetimeSeconds=2 * HOUR, cpuCores=2)
    own = choose(api, url=KEY, cpuCores=4).body["version"]
    session = api.session()

    choose(api, own, url=KEY, cpuCores=8)
    later = api.ask("POST", "/sessions", SESSION | {"requestId": "r2"}).body

    kept = api.ask("GET", f"/sessions/{session}").body["settings"]
    assert kept == BLANK | {"lifetimeSeconds": 2 * HOUR, "cpuCores": 4}
    assert later["settings"]["cpuCores"] == 8
    assert api.session() == session


def test_levels_that_stopped_going_together_are_said_before_a_session_is_opened():
    """Two owners, each at another level and each allowed by what was there before."""
    api = Api()
    choose(api, url=URL, finalBufferSeconds=2 * HOUR)
    memory = api.world.memory.settings
    repository = memory.pop(RepositoryKey(KEY))
    choose(api, lifetimeSeconds=HOUR)
    memory[RepositoryKey(KEY)] = repository

    refused = api.ask("POST", "/sessions", SESSION)

    assert (refused.status, refused.body["code"]) == (409, "rejected")
    assert KEY in refused.body["message"]
    assert api.ask("GET", "/sessions").body["sessions"] == []


def test_openapi_says_what_may_be_chosen():
    described = Api().ask("GET", "/openapi.json").body

    assert set(described["paths"][REPOSITORY]) == {"get", "put", "delete"}
    whole = described["components"]["schemas"]["FinalBuffer"]
    assert (whole["type"], whole["minimum"], whole["maximum"]) == ("integer", 300, 24 * HOUR)
