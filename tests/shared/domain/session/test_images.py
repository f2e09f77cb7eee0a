"""A prebuilt image: taken by an attempt that would begin fresh, and left aside once it failed."""

from dataclasses import replace

import pytest

from shared.domain.session.commands import (
    BecomeReady,
    Choose,
    Clock,
    Command,
    CompleteBoot,
    Connect,
    FilesGone,
    GiveUp,
    LaunchFailed,
    Retire,
    TimedOut,
    UseImage,
)
from shared.domain.session.decision import NOTHING, Decision, StartLife
from shared.domain.session.facts import (
    AttemptEnding,
    AttemptRetired,
    AttemptStarted,
    BootChosen,
    BootOver,
    BridgeReady,
    PromptDispatched,
    SandboxMoved,
)
from shared.domain.session.failures import Failure
from shared.domain.session.sandbox import Boot, Ending, SandboxStatus, Wait, Workspace
from shared.domain.session.state import PromptStatus, Session
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import BOX, FIRST, SECOND, after, ask

IMAGE = "image-1"
COUNTED = [failure for failure in Failure if failure.counts]


def of_image(**attempt: object) -> Session:
    return situations.spawning(FIRST, boot=Boot.IMAGE, image=IMAGE, **attempt)


def from_image(**attempt: object) -> Session:
    return situations.connecting(FIRST, boot=Boot.IMAGE, image=IMAGE, **attempt)


def test_an_attempt_that_would_begin_fresh_takes_the_image_once():
    session = situations.spawning(FIRST)

    decision = ask(session, UseImage(1, IMAGE))

    assert decision == Decision((BootChosen(Boot.IMAGE, IMAGE),))
    assert ask(after(session, UseImage(1, IMAGE)), UseImage(1, "image-2")) == NOTHING


@pytest.mark.parametrize(
    "session",
    [
        situations.resuming(FIRST),
        replace(situations.spawning(FIRST), image_refused=True),
        situations.connecting(FIRST),
        situations.spawning(FIRST, ending=Ending.FAILED),
        build.session(attempts=1),
    ],
)
def test_no_other_attempt_takes_it(session: Session):
    assert ask(session, UseImage(1, IMAGE)) == NOTHING


@pytest.mark.parametrize("failure", COUNTED)
def test_an_image_that_cannot_be_started_costs_nobody_a_prompt(failure: Failure):
    session = of_image()

    decision = ask(session, LaunchFailed(1, "bad image", failure))

    error = "bad image"
    assert decision == Decision(
        (
            AttemptEnding(Ending.IMAGE, error),
            SandboxMoved(SandboxStatus.STOPPED, reason="image", error=error),
        )
    )
    assert after(session, LaunchFailed(1, "bad image", failure)).queue == (FIRST,)


def test_an_image_that_is_gone_counts_as_no_failure():
    decision = ask(of_image(), FilesGone(1, Boot.IMAGE))

    error = "the prebuilt image does not exist any more"
    assert decision == Decision(
        (
            AttemptEnding(Ending.IMAGE, error),
            SandboxMoved(SandboxStatus.STOPPED, reason="image", error=error),
        )
    )


def test_the_next_attempt_does_without_it():
    refused = after(of_image(), FilesGone(1, Boot.IMAGE))

    decision = ask(refused, Retire(1, BOX))
    next_one = after(refused, Retire(1, BOX))

    assert decision == Decision(
        (
            AttemptRetired(1, None),
            AttemptStarted(2, Boot.FRESH),
            SandboxMoved(SandboxStatus.SPAWNING),
        ),
        (StartLife(2, life=1),),
    )
    assert next_one.workspace == Workspace()
    assert ask(next_one, UseImage(2, IMAGE)) == NOTHING


@pytest.mark.parametrize("failure", [Failure.TRANSIENT, Failure.LIMITS])
def test_a_busy_provider_says_nothing_about_the_image(failure: Failure):
    failed = after(of_image(), LaunchFailed(1, "busy", failure))

    assert failed.sandbox is SandboxStatus.FAILED
    assert not failed.image_refused


@pytest.mark.parametrize(
    ("session", "command"),
    [
        (of_image(), TimedOut(1, Wait.CONNECT, Clock.TIMEOUT, None)),
        (from_image(), TimedOut(1, Wait.READY, Clock.HEARTBEAT, None)),
        (from_image(), GiveUp(1, "no disk")),
        (from_image(), GiveUp(1, "the harness does not start", Failure.AGENT)),
    ],
)
def test_an_image_that_does_not_come_up_costs_nobody_a_prompt_either(
    session: Session, command: Command
):
    failed = after(session, command)

    assert failed.sandbox is SandboxStatus.STOPPED
    assert failed.queue == (FIRST,)
    assert failed.failures == ()
    assert failed.image_refused


def test_an_image_whose_repositories_cannot_be_synced_while_the_agent_reads_is_left_aside():
    reads = after(from_image(), BecomeReady(1, complete=False))

    failed = after(reads, GiveUp(1, "no such branch", Failure.REPOSITORY))

    assert failed.sandbox is SandboxStatus.FAILED
    assert failed.last_outcome is PromptStatus.FAILED
    assert failed.image_refused


def test_a_failing_start_script_is_not_the_images_fault():
    failed = after(from_image(), GiveUp(1, "start.sh ended with 1", Failure.SCRIPT))

    assert failed.sandbox is SandboxStatus.FAILED
    assert not failed.image_refused


def test_another_target_may_have_another_image():
    refused = build.session(image_refused=True)

    chosen = after(refused, Choose(target=(build.repository("other"),)))

    assert not chosen.image_refused


def test_an_agent_of_an_image_reads_before_its_files_are_in_sync():
    session = from_image()

    decision = ask(session, BecomeReady(1, complete=False))
    reads = after(session, BecomeReady(1, complete=False))

    assert decision == Decision(
        (BridgeReady(), SandboxMoved(SandboxStatus.READY), PromptDispatched(1))
    )
    assert reads.workspace == Workspace(), "nothing in there is worth keeping yet"


def test_the_files_are_the_sessions_once_the_boot_is_over():
    reads = after(from_image(), BecomeReady(1, complete=False))

    decision = ask(reads, CompleteBoot(1))

    assert decision == Decision((BootOver(),))
    assert after(reads, CompleteBoot(1)).workspace == Workspace(BOX)
    assert ask(after(reads, CompleteBoot(1)), CompleteBoot(1)) == NOTHING


def test_a_boot_is_over_only_once_it_is_ready_and_before_it_ends():
    assert ask(from_image(), CompleteBoot(1)) == NOTHING
    assert ask(situations.ended(Ending.STALE), CompleteBoot(1)) == NOTHING
    assert ask(after(from_image(), BecomeReady(1, complete=False)), CompleteBoot(2)) == NOTHING


def test_an_image_whose_boot_fails_while_the_agent_reads_keeps_nothing():
    reads = after(from_image(), BecomeReady(1, complete=False))

    failed = after(reads, GiveUp(1, "start.sh ended with 1", Failure.SCRIPT), Retire(1, BOX))

    assert failed.workspace == Workspace()
    assert failed.running is None
    assert failed.sandbox is SandboxStatus.FAILED
    assert ask(of_image(), Connect(2, 0)) == NOTHING
    assert SECOND not in failed.queue
