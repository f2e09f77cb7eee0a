"""Which providers a sandbox's variables reach."""

import pytest

from sandbox_bridge.harness.model_access import ModelAccess


@pytest.mark.parametrize(
    ("variables", "providers"),
    [
        ({}, ()),
        ({"ANTHROPIC_API_KEY": "a"}, ("anthropic",)),
        ({"ANTHROPIC_API_KEY": "a", "OPENAI_API_KEY": "o"}, ("anthropic", "openai")),
        ({"OPENAI_API_KEY": "o", "OPENAI_BASE_URL": "http://x/v1"}, ("openai",)),
        ({"OUTBOARD_MODEL": "m", "OPENAI_BASE_URL": "http://x/v1"}, ("custom",)),
        ({"OUTBOARD_MODEL": "m", "OPENAI_API_KEY": "o"}, ("custom",)),
        ({"OUTBOARD_DEMO_MODEL_URL": "http://x"}, ("demo",)),
        ({"OUTBOARD_DEMO_MODEL_URL": "http://x", "OPENAI_API_KEY": "o"}, ("openai",)),
        ({"ANTHROPIC_API_KEY": "", "OUTBOARD_DEMO_MODEL_URL": "http://x"}, ("demo",)),
    ],
)
def test_variables_reach_providers(variables: dict[str, str], providers: tuple[str, ...]):
    assert ModelAccess.of(variables).providers == providers


def test_keys_stay_out_of_what_is_printed():
    access = ModelAccess.of({"ANTHROPIC_API_KEY": "sk-secret", "OPENAI_API_KEY": "sk-hidden"})

    assert "sk-" not in repr(access)
