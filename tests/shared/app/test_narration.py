"""Viewers are told what concerns them, and never a token or a key."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.app.narration import narrate
from shared.domain.session import facts
from shared.domain.session.sandbox import (
    Armed,
    Boot,
    Ending,
    ProviderId,
    SandboxStatus,
    Snapshot,
    Wait,
    Workspace,
)
from shared.domain.session.state import PromptStatus, Stopping, StopReason, UserId
from tests import build

COPY = Snapshot("copy-1", 1, 1, build.NOW)


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


def test_each_repositorys_first_push_makes_an_artifact_of_its_own():
    pushes = [
        facts.BranchPushed(name, "outboard/s1", "abc", first=True, artifact=f"branch-{name}")
        for name in ("tool", "site")
    ]

    told = narrate(build.session(), pushes)

    assert [(event["id"], event["metadata"]["repository"]) for event in told] == [
        ("branch-tool", "tool"),
        ("branch-site", "site"),
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


def said(*told: facts.Event) -> list[str]:
    """What people read of it, in order; the attempt of the session is its third."""
    events = narrate(build.session(attempts=3), told)
    return [event.get("message") or event["type"] for event in events]


def test_addresses_are_told_once_they_are_known():
    launched = facts.AttemptLaunched(
        ProviderId("p"), build.NOW, ((3000, "https://a.example"), (8080, "https://b.example"))
    )

    assert narrate(build.session(attempts=3), [launched]) == (
        {
            "type": "tunnels",
            "attempt": 3,
            "urls": {"3000": "https://a.example", "8080": "https://b.example"},
        },
    )


def test_a_copy_is_told_with_the_prompt_that_is_in_it_and_without_its_name():
    copy = Snapshot("team/secret-name:default", turn=4, marker=4, at=build.NOW)

    assert narrate(build.session(attempts=3), [facts.FilesSaved(copy)]) == (
        {"type": "snapshot_saved", "attempt": 3, "prompt": 4},
    )


def test_a_copy_that_fails_is_a_warning_and_one_that_succeeds_is_not():
    assert said(facts.SaveEnded("no copy of the files was made: busy")) == [
        "no copy of the files was made: busy"
    ]
    assert said(facts.SaveBegan(build.NOW), facts.SaveAsked(), facts.SaveEnded()) == []


def test_what_is_lost_is_said_and_what_is_done_about_it():
    to_copy = said(facts.WorkspaceLost(), facts.BootChosen(Boot.RESTORE))
    to_nothing = said(facts.SnapshotLost(), facts.BootChosen(Boot.FRESH))

    assert to_copy == [
        "the session's sandbox is lost",
        "the sandbox is made anew from the last copy of its files",
    ]
    assert to_nothing == [
        "the copy of the session's files is lost",
        "the sandbox starts from what was pushed",
    ]


@pytest.mark.parametrize(
    ("copy", "outlook"),
    [
        (COPY, "the next sandbox is made anew from the last copy of its files"),
        (None, "the next sandbox starts from what was pushed"),
    ],
    ids=["with a copy", "without one"],
)
def test_an_attempt_that_ends_without_its_files_says_what_comes_next(
    copy: Snapshot | None, outlook: str
):
    session = build.session(workspace=Workspace(ProviderId("box"), 2, 2, copy))
    lost = (facts.AttemptEnding(Ending.STALE, "it is gone"), facts.WorkspaceLost())

    told = narrate(session, lost)

    assert [line["message"] for line in told] == ["the session's sandbox is lost", outlook]


def test_an_image_is_nobodys_business():
    assert said(facts.BootChosen(Boot.IMAGE, "team/tool:1")) == []


def test_files_that_nobody_has_any_more_are_said_to_be_lost():
    (warning,) = said(facts.TurnsMissed(2))

    assert "prompt 2" in warning
    assert warning.endswith("is lost")


def test_a_queue_says_why_it_is_held_and_who_has_it_go_on():
    told = narrate(build.session(), [facts.QueueHeld("why"), facts.QueueResumed(UserId("ada"))])

    assert told == (
        {"type": "queue_held", "reason": "why"},
        {"type": "queue_resumed", "by": "ada"},
    )


def test_a_stop_names_who_asked_for_it_if_somebody_did():
    stop = Stopping(StopReason.LIFETIME, build.NOW)

    asked = narrate(build.session(), [facts.StopRequested(1, UserId("ada"), stop)])
    ours = narrate(build.session(), [facts.StopRequested(1, None, stop)])

    assert asked == ({"type": "stop_requested", "prompt": 1, "by": "ada"},)
    assert ours == ({"type": "stop_requested", "prompt": 1, "by": ""},)


def test_a_start_that_is_put_off_says_until_when():
    (warning,) = said(facts.StartPostponed(build.NOW))

    assert "03:04:05 UTC" in warning


def test_an_idle_sandbox_warns_how_long_it_stays():
    extended = facts.IdleExtended(build.NOW, timedelta(minutes=5))

    assert said(extended) == ["idle: the sandbox will be paused in 5 minutes"]


def test_a_phase_is_told_by_the_bridge_and_only_kept_by_the_server():
    assert said(facts.BootPhase(phase="sync", status="completed"), facts.BootOver()) == []


def test_a_long_prompt_is_told_as_an_excerpt():
    (told,) = narrate(build.session(), [facts.PromptQueued(build.prompt(), "x" * 64_000)])

    assert len(json.dumps(told)) < 2_000


NEWER = Workspace(ProviderId("box-1"), turn=3, marker=3, snapshot=COPY)
COPIED = "the next one is made from the copy of its files after prompt 1"


@pytest.mark.parametrize(
    ("workspace", "told"),
    [
        (NEWER, f": {COPIED}; what later prompts left uncommitted is not in it. "),
        (replace(NEWER, turn=1), f": {COPIED}. It is kept until that one has booted"),
        (replace(NEWER, snapshot=None), "no copy of its files: `outboard anew s1` leaves them"),
    ],
    ids=["older copy", "copy", "no copy"],
)
def test_a_sandbox_that_never_boots_is_told_with_what_is_tried_instead(
    workspace: Workspace, told: str
):
    (warning,) = narrate(build.session(workspace=workspace), [facts.WakeFailed(2)])

    assert (warning["type"], warning["scope"]) == ("warning", "workspace")
    assert warning["message"].startswith("the sandbox has failed to boot 2 times in a row")
    assert told in warning["message"]


def test_one_boot_that_failed_is_not_told_twice():
    assert narrate(build.session(workspace=NEWER), [facts.WakeFailed(1)]) == ()


def test_where_a_copy_does_not_boot_and_who_leaves_the_files_is_told():
    told = narrate(
        build.session(workspace=NEWER), [facts.WakeFailed(0), facts.FilesLeft(UserId("ada"))]
    )

    assert [event["message"] for event in told] == [
        "the copy of the session's files did not boot either; its sandbox is tried again",
        "ada leaves the files: the next sandbox starts from what was pushed",
    ]


def test_prompts_that_wait_for_an_end_to_be_known_are_told_until_when():
    (told,) = narrate(build.session(), [facts.EndUnknown(build.NOW)])

    assert told["message"].endswith("prompts wait until it does, and fail at 03:04:05 UTC")
