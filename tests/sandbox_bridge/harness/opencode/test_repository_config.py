"""A repository that brings its own tools, permissions and skills, and no registry to ask."""

import asyncio
import json

import pytest

from sandbox_bridge.harness.seam import Outcome
from tests.model import script
from tests.sandbox_bridge.harness.world import DEMO, World, bash

pytestmark = pytest.mark.sandbox

TOOL = """
import { tool } from "@opencode-ai/plugin"

export default tool({
  description: "Say hello",
  args: { name: tool.schema.string().describe("whom to greet") },
  async execute({ name }) {
    return `hello ${name} from the repository`
  },
})
"""
SKILL = "---\nname: deploying\ndescription: How this project is deployed\n---\nWith care.\n"
NOWHERE = {"npm_config_registry": "http://127.0.0.1:9/"}


def test_its_tools_and_skills_work_and_nothing_is_left_in_its_checkout(world: World):
    world.make_repository(
        {
            ".opencode/tool/greet.ts": TOOL,
            ".opencode/package.json": json.dumps({"dependencies": {"@opencode-ai/plugin": "*"}}),
            ".opencode/.gitignore": "*.log\n",
            ".claude/skills/deploying/SKILL.md": SKILL,
            "AGENTS.md": "Always greet first.",
            "opencode.json": json.dumps({"permission": {"bash": "ask"}}),
        }
    )
    greet = {"name": "greet", "args": {"name": "you"}}
    skill = {"name": "skill", "args": {"name": "deploying"}}
    shown = bash("env | cut -d= -f1,2")
    prompt = script({"tools": [greet, skill]}, {"tools": [shown]}, {"text": "Done."})

    async def scenario() -> Outcome:
        given = NOWHERE | {"A_SECRET_OF_THE_REPOSITORY": "visible"}
        async with world.harness(environment=given) as harness:
            return await world.turn(harness, prompt, DEMO)

    outcome = asyncio.run(scenario())

    assert outcome == Outcome("completed")
    assert "hello you from the repository" in world.tools("greet")[-1].output
    assert "With care." in world.tools("skill")[-1].output
    assert world.git("status", "--short", "--untracked-files=all") == ""
    asked = world.model.requests()[0]["body"]
    assert "Always greet first." in str(asked["messages"][0])
    offered = {tool["function"]["name"] for tool in asked["tools"]}
    assert {"read", "write", "edit", "bash", "glob", "grep", "greet"} <= offered
    assert "question" not in offered
    variables = world.tools("bash")[-1].output.splitlines()
    assert "A_SECRET_OF_THE_REPOSITORY=visible" in variables
    assert "OPENCODE_SERVER_PASSWORD=" in variables
    assert "npm_config_fetch_retries=2" in variables
