"""The catalogue of models, and what the keys at hand reach of it."""

from shared.protocol.models import CATALOGUE, DEMO, available, custom, find


def test_ids_are_unique_and_name_their_provider():
    ids = [model.id for model in CATALOGUE]

    assert len(set(ids)) == len(ids)
    assert all(model.id.partition("/")[0] == model.provider for model in CATALOGUE)


def test_a_default_effort_is_one_of_the_model_s_own():
    assert all(
        model.default_effort is None or model.default_effort in model.efforts for model in CATALOGUE
    )


def test_each_key_reaches_its_provider_s_models_and_no_others():
    reached = available({"ANTHROPIC_API_KEY"})

    assert reached == tuple(model for model in CATALOGUE if model.provider == "anthropic")


def test_a_model_of_one_s_own_comes_first_and_takes_the_openai_key_for_itself():
    names = {"OUTBOARD_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"}

    reached = available(names, "qwen/coder")

    assert reached[0] == custom("qwen/coder")
    assert reached[0].id == "custom/qwen/coder"
    assert {model.provider for model in reached[1:]} == {"anthropic"}


def test_the_demo_model_is_there_when_nothing_better_is():
    assert available({"OUTBOARD_DEMO_MODEL_URL"}) == (DEMO,)
    assert DEMO not in available({"OUTBOARD_DEMO_MODEL_URL", "OPENAI_API_KEY"})
    assert available(set()) == ()


def test_an_unknown_model_is_not_found():
    reached = available({"OPENAI_API_KEY"})

    assert find(reached, "openai/gpt-5") is not None
    assert find(reached, "openai/gpt-unheard-of") is None
    assert find(reached, "anthropic/claude-sonnet-5") is None
