"""The words of the command line, wherever in it they stand."""

import pytest

from shared.client.arguments import parser


@pytest.mark.parametrize(
    "words",
    [
        ["--as", "bob", "--json", "sessions"],
        ["sessions", "--as", "bob", "--json"],
        ["--as", "bob", "user", "--json", "list"],
        ["--json", "settings", "unset", "cpu", "--as", "bob"],
    ],
    ids=" ".join,
)
def test_a_word_for_every_command_may_stand_anywhere(words: list[str]):
    arguments = parser().parse_args(words)

    assert (arguments.as_user, arguments.json) == ("bob", True)


def test_the_repository_of_settings_may_stand_on_either_side():
    before = parser().parse_args(["settings", "--repository", "x", "set", "--cpu", "2"])
    after = parser().parse_args(["settings", "set", "--cpu", "2", "--repository", "x"])

    assert before.repository == after.repository == "x"
    assert parser().parse_args(["settings", "set"]).repository is None
