"""Every command finds its rule, and the rules have no memory of their own."""

from dataclasses import replace
from typing import get_args

import pytest

from shared.domain.errors import DomainError
from shared.domain.session import commands
from shared.domain.session.decision import NOTHING, Decision
from shared.domain.session.sandbox import Boot, Ending, ProviderId, Wait
from shared.domain.session.state import PromptStatus, Session
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import FIRST, SECOND, STOPPING, after, ask, submit

ADA = build.ADA.user
OF_ATTEMPT_1: list[commands.Command] = [
    commands.Launching(1, "hash", "key"),
    commands.Launched(1, ProviderId("box-1"), build.NOW),
    commands.LaunchFailed(1, "no capacity"),
    commands.UseImage(1, "image-1"),
    commands.FilesGone(1, Boot.RESUME),
    commands.Vanished(1, ProviderId("box-1")),
    situations.saved(),
    commands.SaveFailed(1, "it took too long"),
    commands.Arm(1, Wait.SERVE, "t1"),
    commands.TimedOut(1, Wait.SERVE, commands.Clock.HEARTBEAT, None),
    commands.LifeEnded(1, 1),
    commands.Retire(1, ProviderId("box-1")),
    commands.Poke(1, watched=False),
    commands.Connect(1),
    commands.Beat(1),
    commands.ReportPhase(attempt=1, phase="setup"),
    commands.BecomeReady(1),
    commands.CompleteBoot(1),
    commands.GiveUp(1, "no disk"),
    commands.ConfirmStart(1, 1),
    commands.RecordPush(1, 1, "tool", "outboard/s1", "c1"),
    commands.RecordScreenshot(1, "shot-1", "The page", build.attachment()),
    commands.FinishPrompt(attempt=1, prompt=1, status=PromptStatus.COMPLETED),
]
OF_PEOPLE: list[commands.Command] = [
    submit(),
    commands.CancelPrompt(2),
    commands.Stop(ADA),
    commands.Cancel(ADA),
    commands.Archive(ADA),
    commands.Unarchive(ADA),
    commands.Rename("other"),
    commands.ResumeQueue(ADA),
    commands.BeginAnew(ADA),
    commands.SaveFiles(ADA),
    commands.Warm(),
    commands.Choose(model="other"),
    commands.RecordPullRequest(build.pull_request()),
    commands.OfferPullRequest(build.offer()),
]
SITUATIONS: list[Session] = [
    build.session(),
    situations.spawning(FIRST),
    situations.resuming(FIRST),
    situations.connecting(FIRST, SECOND),
    situations.ready(idle_due=build.NOW),
    situations.running(SECOND),
    situations.running(SECOND, stop=STOPPING),
    *(situations.ended(ending, SECOND) for ending in Ending),
]


def answer(session: Session, command: commands.Command) -> Decision | str:
    try:
        return ask(session, command)
    except DomainError as error:
        return str(error)


def test_every_command_is_tried_here():
    tried = {type(command) for command in (*OF_ATTEMPT_1, *OF_PEOPLE)}

    assert tried == set(get_args(commands.Command.__value__))


@pytest.mark.parametrize("command", OF_ATTEMPT_1, ids=lambda command: type(command).__name__)
def test_nothing_about_a_retired_attempt_changes_anything(command):
    next_one = replace(situations.running(SECOND), attempts=2, attempt=build.attempt(2, ready=True))

    for session in (build.session(attempts=1), next_one):
        assert ask(session, command).events == ()
        assert type(command) is commands.Arm or ask(session, command) == NOTHING


@pytest.mark.parametrize("command", OF_ATTEMPT_1, ids=lambda command: type(command).__name__)
def test_what_the_world_says_twice_changes_nothing_the_second_time(command):
    for session in SITUATIONS:
        once = after(session, command)

        assert after(once, command) == once


@pytest.mark.parametrize(
    "command", [*OF_ATTEMPT_1, *OF_PEOPLE], ids=lambda command: type(command).__name__
)
def test_the_same_question_has_the_same_answer_whatever_the_version(command):
    for session in SITUATIONS:
        newer = replace(session, version=session.version + 7)

        assert answer(session, command) == answer(session, command) == answer(newer, command)
