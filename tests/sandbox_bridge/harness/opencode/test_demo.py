"""The demo model with the real OpenCode: what somebody sees who has no key."""

import pytest

from sandbox_bridge.harness.seam import Outcome
from tests.infra.local.demo_model.test_demo import CLI, PROMPT
from tests.sandbox_bridge.harness.world import Agent

pytestmark = pytest.mark.sandbox


def test_the_demo_makes_a_real_edit_and_says_that_it_is_the_demo(agent: Agent):
    world = agent.world
    (world.workdir / "greet.py").write_text(CLI)

    outcome = agent.turn(PROMPT)

    assert outcome == Outcome("completed")
    assert '("--version", action="version"' in (world.workdir / "greet.py").read_text()
    assert (world.workdir / "test_version_flag.py").exists()
    assert {name for name, _ in world.ended_tools()} == {"bash", "read", "edit", "write"}
    assert "error" not in {status for _, status in world.ended_tools()}
    assert "scripted demo model" in world.final_texts()[-1]
    assert "tests it and passes" in world.final_texts()[-1]
