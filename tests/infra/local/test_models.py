import pytest

from infra.local import models


def test_without_a_key_it_is_the_demo_model_and_says_how_to_get_another():
    found = models.from_environment({"PATH": "/usr/bin"})

    assert found.demo
    assert found.secrets == {}
    assert "demo model" in found.words
    assert "ANTHROPIC_API_KEY" in found.words


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"ANTHROPIC_API_KEY": "k1"}, "Anthropic's, by ANTHROPIC_API_KEY"),
        ({"OPENAI_API_KEY": "k2"}, "OpenAI's, by OPENAI_API_KEY"),
        ({"OPENAI_API_KEY": "k2", "ANTHROPIC_API_KEY": "k1"}, "Anthropic's, by ANTHROPIC_API_KEY"),
        (
            {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "OUTBOARD_MODEL": "m"},
            "m at http://127.0.0.1:1/v1",
        ),
        ({"OPENAI_API_KEY": "k2", "OUTBOARD_MODEL": "m"}, "m of OpenAI"),
    ],
)
def test_a_key_reaches_its_provider(given: dict[str, str], words: str):
    found = models.from_environment({**given, "OTHER": "x"})

    assert not found.demo
    assert found.words == words
    assert found.secrets == given


@pytest.mark.parametrize(
    "given", [{"OUTBOARD_MODEL": "m"}, {"OPENAI_BASE_URL": "http://127.0.0.1:1"}]
)
def test_half_of_what_is_needed_is_named(given: dict[str, str]):
    found = models.from_environment(given)

    assert found.demo
    assert f"{next(iter(given))} alone reach no other" in found.words


def test_an_empty_variable_is_none():
    assert models.from_environment({"ANTHROPIC_API_KEY": ""}).demo


def test_no_key_is_ever_shown():
    given = dict.fromkeys(models.VARIABLES, "secret-key")
    given["OUTBOARD_MODEL"] = given["OPENAI_BASE_URL"] = "shown"

    assert "secret-key" not in models.from_environment(given).words
