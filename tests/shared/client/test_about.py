"""`outboard repo about`, against the real entry points."""

from tests.shared.client.outboard import Outboard

TOOL = "https://git.example.com/acme/tool.git"


def test_what_is_said_stays_until_it_is_said_anew(real_outboard: Outboard):
    outboard = real_outboard
    outboard("env", "create", "Shop", "--repo", TOOL)

    nothing = outboard("repo", "about", TOOL)
    outboard("repo", "about", TOOL, "--description", "A hammer", "--alias", "a", "--alias", "b")
    said = outboard("repo", "about", TOOL, "--keyword", "nails", "--env", "shop")

    assert nothing.out.splitlines() == [TOOL.removesuffix(".git"), "nothing is said about it"]
    assert said.out.splitlines() == [
        TOOL.removesuffix(".git"),
        "  description  A hammer",
        "  aliases      a, b",
        "  keywords     nails",
        "  environment  Shop",
    ]


def test_none_takes_away(real_outboard: Outboard):
    outboard = real_outboard
    outboard("env", "create", "Shop", "--repo", TOOL)
    outboard("repo", "about", TOOL, "--alias", "a", "--keyword", "b", "--env", "Shop")

    (told,) = outboard(
        *("repo", "about", TOOL, "--alias", "none", "--keyword", "none", "--env", "none", "--json")
    ).json

    assert (told["aliases"], told["keywords"], told["environment"]) == ([], [], None)


def test_an_environment_that_is_not_there_is_refused(real_outboard: Outboard):
    refused = real_outboard("repo", "about", TOOL, "--env", "Nowhere")

    assert refused.status != 0
    assert "no environment 'Nowhere'" in refused.err
