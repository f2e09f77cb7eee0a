"""What we say about models is what OpenCode knows about them."""

import asyncio
from typing import Any

import pytest

from sandbox_bridge.harness.opencode.harness import OpenCode
from sandbox_bridge.harness.seam import Outcome
from shared.protocol.models import CATALOGUE
from tests.model import Model, script
from tests.sandbox_bridge.harness.world import World, bash

pytestmark = pytest.mark.sandbox


def test_every_model_is_known_with_its_efforts_and_openai_is_asked_for_one(
    world: World, model: Model
):
    variables = {
        "ANTHROPIC_API_KEY": "a-key",
        "OPENAI_API_KEY": "o-key",
        "OPENAI_BASE_URL": model.openai_url,
    }

    async def scenario() -> tuple[dict[str, list[str]], Outcome]:
        async with world.harness(variables) as harness:
            known = await _known(harness)
            prompt = script({"tools": [bash("true")]}, {"text": "Done."})
            return known, await world.turn(harness, prompt, "openai/gpt-5", "minimal")

    known, outcome = asyncio.run(scenario())

    ours = [entry for entry in CATALOGUE if entry.provider in ("anthropic", "openai")]
    assert {entry.id: list(entry.efforts) for entry in ours} == {
        entry.id: known.get(entry.id) for entry in ours
    }
    assert outcome.status == "completed"
    assert world.final_texts() == ["Done."]
    asked = model.requests()[-1]
    assert asked["path"] == "/v1/responses"
    assert asked["headers"]["authorization"] == "Bearer o-key"
    assert asked["body"]["reasoning"]["effort"] == "minimal"


async def _known(harness: OpenCode) -> dict[str, list[str]]:
    """The efforts of each model, as OpenCode's own catalogue has them."""
    _, api = await harness._agent.running()
    listed: dict[str, Any] = await api._ask("GET", "/config/providers")
    return {
        f"{provider['id']}/{name}": list(model.get("variants") or {})
        for provider in listed["providers"]
        for name, model in provider["models"].items()
    }
