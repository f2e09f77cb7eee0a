"""Images on their way to the model, and from the agent to the user, through a real OpenCode."""

import asyncio
import json
from base64 import b64encode

import pytest

from sandbox_bridge.harness.seam import NotHandedIn, Outcome, TurnFile
from tests import images
from tests.model import Model, script
from tests.sandbox_bridge.harness.world import DEMO, Agent, World, bash

pytestmark = pytest.mark.sandbox

PNG = TurnFile("page.png", "image/png", images.png(64, 48))
LARGE = TurnFile("large.png", "image/png", images.png_of(10 * 1024 * 1024))


class Taker:
    """Whoever takes screenshots; refuses those that are called so."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, str]] = []

    async def __call__(self, path: str, title: str) -> str:
        if title == "refused":
            raise NotHandedIn("there are enough — really")
        self.taken.append((path, title))
        return f"The user sees it as {title!r}."


def seen_by(model: Model) -> str:
    """All that it was asked, as text."""
    return json.dumps([request["body"] for request in model.requests()])


def sees(model: Model, file: TurnFile) -> bool:
    return b64encode(file.content).decode() in seen_by(model)


@pytest.mark.parametrize("model_id", ["custom/local/coder", "anthropic/claude-haiku-4-5"])
def test_the_model_sees_the_image_and_the_words(agent: Agent, model_id: str):
    said = script({"text": "Seen."})
    agent.world.model.forget_requests()

    outcome = agent.play(lambda harness: agent.world.turn(harness, said, model_id, None, PNG))

    assert (outcome.status, outcome.error) == ("completed", None)
    assert agent.world.final_texts() == ["Seen."]
    assert sees(agent.world.model, PNG)


def test_an_image_of_ten_mebibytes_without_a_word_is_a_turn_too(world: World):
    async def scenario() -> tuple[Outcome, Outcome]:
        async with world.harness() as harness:
            first = await world.turn(harness, "", DEMO, None, LARGE)
            return first, await world.turn(harness, script({"text": "And on."}))

    first, second = asyncio.run(scenario())

    assert (first.status, second.status) == ("completed", "completed")
    assert world.final_texts()[-1] == "And on."


def test_a_screenshot_is_handed_in_and_the_agent_reads_what_became_of_it(world: World):
    taker = Taker()
    tool = {"name": "outboard_screenshot", "args": {"path": "shot.png", "title": "The page"}}
    refused = {"name": "outboard_screenshot", "args": {"path": "b.png", "title": "refused"}}
    looked = bash('echo "[$OUTBOARD_SCREENSHOT_URL][$OUTBOARD_GATE_TOKEN]"')
    asked = script({"tools": [tool]}, {"tools": [refused, looked]}, {"text": "Shown."})

    async def scenario() -> Outcome:
        async with world.harness(hand_in=taker) as harness:
            return await world.turn(harness, asked)

    outcome = asyncio.run(scenario())

    assert (outcome.status, outcome.error) == ("completed", None)
    assert taker.taken == [("shot.png", "The page")]
    calls = {tool.status: tool for tool in world.tools("outboard_screenshot")}
    assert calls["completed"].output == "The user sees it as 'The page'."
    assert "there are enough — really" in (calls["error"].error or "")
    (command,) = [tool for tool in world.tools("bash") if tool.status == "completed"]
    assert command.output.strip() == "[][]"


def test_without_a_server_that_takes_them_there_is_no_such_tool(agent: Agent):
    agent.world.model.forget_requests()

    agent.turn(script({"text": "Hello."}))

    assert "outboard_screenshot" not in seen_by(agent.world.model)
