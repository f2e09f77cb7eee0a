"""Viewers are told what concerns them, and never a token or a key."""

import json

from shared.app.narration import narrate
from shared.domain.session import decision as facts
from shared.domain.session.state import (
    Armed,
    Boot,
    PromptStatus,
    ProviderId,
    SandboxStatus,
    Wait,
)
from tests import build


def test_a_finished_prompt_is_told_with_what_came_of_it():
    finished = facts.PromptFinished(
        number=2, status=PromptStatus.COMPLETED, branch="outboard/s1", commit="abc", cost=0.1
    )

    assert narrate(build.session(), [finished]) == (
        {
            "type": "prompt_finished",
            "prompt": 2,
            "status": "completed",
            "branch": "outboard/s1",
            "commit": "abc",
            "cost": 0.1,
        },
    )


def test_a_status_names_the_attempt_that_has_just_begun():
    begun = (facts.AttemptStarted(3, Boot.RESUME), facts.SandboxMoved(SandboxStatus.SPAWNING))

    assert narrate(build.session(attempts=2), begun) == (
        {"type": "sandbox_spawning", "attempt": 3, "resumed": True, "boot": "resume"},
        {"type": "sandbox_status", "attempt": 3, "status": "spawning"},
    )


def test_only_the_first_push_makes_an_artifact():
    first = facts.BranchPushed("tool", "outboard/s1", "abc", first=True)
    second = facts.BranchPushed("tool", "outboard/s1", "def", first=False)

    assert [event["type"] for event in narrate(build.session(), [first, second])] == [
        "artifact_created"
    ]


def test_the_workflows_own_business_is_not_told():
    silent = (
        facts.AttemptIdentified("hash", "key", build.NOW),
        facts.AttemptLaunched(ProviderId("p"), None),
        facts.TaskArmed(Armed(Wait.SERVE, "secret-token")),
        facts.TaskDisarmed(),
        facts.IdleSince(None),
    )

    assert narrate(build.session(), silent) == ()


def test_a_long_prompt_is_told_as_an_excerpt():
    (told,) = narrate(build.session(), [facts.PromptQueued(build.prompt(), "x" * 64_000)])

    assert len(json.dumps(told)) < 2_000
