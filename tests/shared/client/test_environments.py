"""`outboard env`, and sessions from an environment, against the real entry points."""

import pytest

from shared.client.arguments import parser
from tests.shared.client.outboard import Outboard
from tests.shared.client.real_server import RealServer

SHOP, PAY = "https://git.example.com/acme/shop.git", "https://git.example.com/acme/pay"


@pytest.fixture
def outboard(real_outboard: Outboard) -> Outboard:
    real_outboard("env", "create", "Shop", "--repo", f"{SHOP}#dev", "--description", "all of it")
    return real_outboard


def test_an_environment_is_made_and_shown_by_its_name(outboard: Outboard):
    (made,) = outboard("env", "create", "Both", "--repo", SHOP, "--repo", PAY, "--json").json

    by_name, by_id = outboard("env", "show", "sHoP"), outboard("env", "show", made["id"])
    listed = outboard("env", "list")

    assert by_name.out.splitlines()[:3] == [
        "environment Shop",
        "  description  all of it",
        f"  repository   {SHOP} (dev)",
    ]
    assert by_id.out.splitlines()[0] == "environment Both"
    assert [line.split("  ")[-1] for line in listed.out.splitlines()] == [
        "repositories",
        f"{SHOP}, {PAY}",
        f"{SHOP} (dev)",
    ]
    assert [each["name"] for each in outboard("env", "list", "--json").json] == ["Both", "Shop"]


def test_what_is_not_named_stays_in_an_edit(outboard: Outboard):
    (before,) = outboard("env", "show", "Shop", "--json").json

    (renamed,) = outboard("env", "edit", "Shop", "--name", "Market", "--json").json
    (moved,) = outboard("env", "edit", "Market", "--repo", PAY, "--description", "", "--json").json

    assert renamed | {"name": "Shop", "version": before["version"]} == before
    assert (moved["name"], moved["description"]) == ("Market", "")
    assert [each["url"] for each in moved["repositories"]] == [PAY]


def test_a_session_is_opened_from_an_environment_and_outlives_it(outboard: Outboard):
    (asked,) = outboard("prompt", "--env", "shop", "add a flag", "--json").json
    start = asked["session"][:6]

    shown = outboard("show", start)
    outboard("env", "edit", "Shop", "--name", "Market")
    renamed = outboard("show", start)
    deleted = outboard("env", "delete", "Market")
    after = outboard("show", start)

    assert "  environment  Shop\n" in shown.out
    assert "  environment  Market\n" in renamed.out
    assert deleted.out == "environment Market is deleted; its sessions go on\n"
    assert "  environment  Environment deleted\n" in after.out
    assert outboard("prompt", "--session", start, "go on").status == 0
    assert outboard("env", "list").out == "no environments\n"


def test_the_repositories_of_a_session_are_saved(outboard: Outboard):
    (asked,) = outboard("prompt", "--repo", PAY, "add a flag", "--json").json

    saved = outboard("env", "save", asked["session"], "Pay", "--json")

    assert (saved.status, saved.json[0]["name"]) == (0, "Pay")
    assert [each["url"] for each in saved.json[0]["repositories"]] == [PAY]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("env", "show", "Nothing"), "no environment 'Nothing'"),
        (("env", "delete", "Nothing"), "no environment 'Nothing'"),
        (("env", "edit", "Shop"), "nothing to change"),
        (("env", "create", "SHOP", "--repo", PAY), "there is an environment 'SHOP' already"),
        (("env", "create", "", "--repo", PAY), "name: "),
        (("env", "create", "x" * 101, "--repo", PAY), "name: "),
        (("env", "create", "Two", "--repo", PAY, "--repo", f"{PAY}.git"), "named twice"),
        (("env", "create", "Dir", "--repo", "no/such/place"), "neither a directory here"),
        (("prompt", "--env", "Nothing", "go"), "no environment 'Nothing'"),
        (("prompt", "--env", "Shop", "--branch", "dev", "go"), "on which branches"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else "",
)
def test_what_cannot_be_is_refused(
    real: RealServer, outboard: Outboard, words: tuple[str, ...], said: str
):
    ran = outboard(*words)

    assert ran.status == 2
    assert said in ran.err
    assert not real.world.app.store.recent(limit=1).sessions


def test_a_session_has_a_repository_or_an_environment():
    with pytest.raises(SystemExit):
        parser().parse_args(["prompt", "--env", "Shop", "--repo", SHOP, "go"])
