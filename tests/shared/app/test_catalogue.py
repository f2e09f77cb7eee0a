"""A model that is not offered is refused before anything is started."""

from datetime import timedelta
from typing import Any

import pytest

from shared.app.catalogue import FRESH, Catalogue, Choice
from shared.domain.errors import Invalid, Rejected
from tests import build
from tests.fakes.vendors import FakeSecrets


def catalogue(secrets: FakeSecrets, **options: Any) -> Catalogue:
    return Catalogue(secrets=secrets, clock=lambda: build.NOW, **options)


def test_without_a_key_the_demo_model_is_the_choice():
    demo = catalogue(FakeSecrets(), demo_model_url="http://127.0.0.1:1")

    assert demo.choose(None, None) == Choice("demo/scripted", None)


def test_without_any_model_nothing_is_accepted():
    with pytest.raises(Rejected, match="no model key"):
        catalogue(FakeSecrets()).choose(None, None)


def test_an_empty_key_is_no_key():
    with pytest.raises(Rejected):
        catalogue(FakeSecrets({"ANTHROPIC_API_KEY": ""})).models()


def test_a_key_offers_its_providers_models_alone():
    offered = catalogue(FakeSecrets({"ANTHROPIC_API_KEY": "k"})).models()

    assert {model.provider for model in offered} == {"anthropic"}


def test_an_unknown_model_is_refused_by_name():
    with pytest.raises(Invalid, match="'openai/none' is not offered here") as refused:
        catalogue(FakeSecrets({"ANTHROPIC_API_KEY": "k"})).choose("openai/none", None)

    assert refused.value.field == "model"


def test_an_effort_that_the_model_lacks_is_refused():
    with pytest.raises(Invalid, match="effort"):
        catalogue(FakeSecrets({"ANTHROPIC_API_KEY": "k"})).choose(None, "gigantic")


def test_the_operators_default_wins_while_it_is_offered():
    keys = FakeSecrets({"ANTHROPIC_API_KEY": "k"})

    assert catalogue(keys, default="anthropic/claude-haiku-4-5").default_model() == (
        "anthropic/claude-haiku-4-5"
    )
    assert catalogue(keys, default="openai/gpt-5").default_model().startswith("anthropic/")


def test_the_list_is_read_again_after_a_minute():
    secrets = FakeSecrets({"ANTHROPIC_API_KEY": "k"})
    now = [build.NOW]
    offered = Catalogue(secrets=secrets, clock=lambda: now[0])

    offered.models()
    offered.models()
    now[0] += FRESH + timedelta(seconds=1)
    offered.models()

    assert secrets.reads == 2


def test_a_key_that_people_have_set_for_every_session_offers_its_models():
    offered = catalogue(FakeSecrets(), stored=lambda: {"ANTHROPIC_API_KEY", "OTHER"}).models()

    assert {model.id.partition("/")[0] for model in offered} == {"anthropic"}
