"""What anybody may say next about an attempt, one thing or several, true or not."""

from shared.domain.session import commands
from shared.domain.session.commands import Clock
from shared.domain.session.failures import Failure
from shared.domain.session.sandbox import Boot, ProviderId, Wait
from shared.domain.session.state import PromptStatus
from tests import build
from tests.shared.domain.session.situations import finish_of, submit

ADA = build.ADA.user
ANOTHER_BOX = ProviderId("another box")
TUNNELS = ((8080, "https://8080-another.example.com"),)
ANOTHER_TARGET = (build.repository("other"),)


def reports(attempt: int, prompt: int) -> list[commands.Command]:
    return [
        commands.Connect(attempt, marker=prompt),
        commands.Beat(attempt),
        commands.ReportPhase(attempt=attempt, phase="harness"),
        commands.BecomeReady(attempt),
        commands.BecomeReady(attempt, complete=False),
        commands.CompleteBoot(attempt),
        commands.RecordPush(attempt, prompt, "tool", "outboard/s1", "c1"),
        commands.RecordScreenshot(attempt, "shot-1", "The page", build.attachment()),
        finish_of(attempt, prompt, PromptStatus.COMPLETED),
        commands.GiveUp(attempt, "no disk"),
        commands.GiveUp(attempt, "start.sh failed", Failure.SCRIPT),
        commands.GiveUp(attempt, "no such branch", Failure.REPOSITORY),
    ]


def of_workflow(attempt: int) -> list[commands.Command]:
    box = ANOTHER_BOX
    return [
        commands.Launching(attempt, "another hash", "key"),
        commands.UseImage(attempt, "another image"),
        commands.Launched(attempt, box, None, TUNNELS),
        commands.LaunchFailed(attempt, "no capacity"),
        commands.LaunchFailed(attempt, "no such template", Failure.PERMANENT),
        *(commands.FilesGone(attempt, boot) for boot in Boot),
        commands.Vanished(attempt, box),
        commands.Saved(attempt, "another copy", turn=99, marker=99),
        commands.SaveFailed(attempt, "no space"),
        *(commands.Arm(attempt, wait, f"another for {wait}") for wait in Wait),
        *(commands.TimedOut(attempt, wait, clock, None) for wait in Wait for clock in Clock),
        commands.LifeEnded(attempt, life=1),
        commands.Retire(attempt, None),
        commands.Retire(attempt, box),
        commands.Poke(attempt, watched=False),
    ]


def of_people() -> list[commands.Command]:
    return [
        commands.Stop(ADA),
        commands.Cancel(ADA),
        commands.Archive(ADA),
        submit(),
        commands.ResumeQueue(ADA),
        commands.SaveFiles(ADA),
        commands.Warm(),
        commands.Choose(target=ANOTHER_TARGET),
        commands.RecordPullRequest(build.pull_request()),
        commands.OfferPullRequest(build.offer()),
    ]


def stories(attempt: int, prompt: int) -> list[list[commands.Command]]:
    single = (*of_people(), *reports(attempt, prompt), *of_workflow(attempt))
    late = [commands.Launching(attempt, "late hash", "key"), *reports(attempt, prompt)]
    return [
        *([command] for command in single),
        [commands.BecomeReady(attempt), *of_workflow(attempt)],
        [commands.BecomeReady(attempt), commands.SaveFiles(ADA), *of_workflow(attempt)],
        [
            commands.BecomeReady(attempt),
            commands.Saved(attempt, "newer", turn=98, marker=98),
            commands.Saved(attempt, "older", turn=97, marker=97),
        ],
        [
            *(commands.FilesGone(attempt, boot) for boot in Boot),
            commands.BecomeReady(attempt),
            commands.Retire(attempt, None),
        ],
        [commands.GiveUp(attempt, "no disk"), *late, commands.Retire(attempt, None)],
        [
            commands.Connect(attempt, marker=0),
            commands.Launched(attempt, ANOTHER_BOX, None),
            commands.Retire(attempt, ANOTHER_BOX),
        ],
        [
            commands.Choose(target=ANOTHER_TARGET),
            commands.Launched(attempt, ANOTHER_BOX, None),
            commands.Saved(attempt, "another copy", turn=99, marker=99),
            commands.Retire(attempt, ANOTHER_BOX),
        ],
        [
            commands.BecomeReady(attempt),
            *(commands.CancelPrompt(number) for number in range(1, prompt + 1)),
        ],
        [commands.Choose(target=ANOTHER_TARGET), commands.Retire(attempt, None)],
        [
            commands.Choose(target=ANOTHER_TARGET),
            commands.Archive(ADA),
            commands.Retire(attempt, None),
        ],
        [commands.LifeEnded(attempt, life) for life in range(1, 6)],
    ]
