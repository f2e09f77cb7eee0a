"""The words of the command line, wherever in it they stand."""

import pytest

from shared.client.arguments import parser


@pytest.mark.parametrize(
    "words",
    [
        ["--as", "bob", "--json", "sessions"],
        ["sessions", "--as", "bob", "--json"],
        ["--as", "bob", "user", "--json", "list"],
    ],
    ids=" ".join,
)
def test_a_word_for_every_command_may_stand_anywhere(words: list[str]):
    arguments = parser().parse_args(words)

    assert (arguments.as_user, arguments.json) == ("bob", True)
