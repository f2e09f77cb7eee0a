"""What happens in a session, as a person reads it."""

import pytest
from pydantic import BaseModel

from shared.client.lines import Line, Tone
from shared.client.render import Teller, open_line, tell
from shared.protocol import events as on
from shared.protocol import server_events as news
from shared.protocol.api import EntryView
from tests.shared.client import told


def telling(*entries: EntryView, teller: Teller | None = None) -> list[str]:
    teller = teller or Teller()
    lines: list[Line] = []
    for entry in entries:
        teller, said = tell(teller, entry)
        lines += said
    return [line.text for line in (*lines, *open_line(teller))]


def said(*events: BaseModel, only: int | None = None) -> list[str]:
    entries = (told.entry(seq, event) for seq, event in enumerate(events, 1))
    return telling(*entries, teller=Teller(only=only))


def tool(status: on.ToolStatus, call: str = "c1", **fields: object) -> on.Tool:
    return on.Tool.model_validate(
        {"prompt": 1, "call": call, "tool": "bash", "title": "run tests", "status": status} | fields
    )


@pytest.mark.parametrize(
    ("event", "lines"),
    [
        (news.SandboxSpawning(attempt=1), ["sandbox 1 starts"]),
        (news.SandboxSpawning(attempt=2, resumed=True), ["sandbox 2 resumes"]),
        (news.SandboxStatusChanged(attempt=1, status="connecting"), []),
        (
            news.SandboxStatusChanged(attempt=1, status="stopped", reason="inactive"),
            ["sandbox 1 stopped: inactive"],
        ),
        (
            news.SandboxStatusChanged(attempt=1, status="failed", reason="failed", error="no disk"),
            ["sandbox 1 failed: no disk"],
        ),
        (on.BootProgress(phase="sync", status="started"), []),
        (on.BootProgress(phase="setup", status="started"), ["boot: setup ..."]),
        (
            on.BootProgress(phase="sync", status="completed", repository="tool", elapsed_ms=1_430),
            ["boot: sync tool done in 1.4 s"],
        ),
        (
            on.BootProgress(
                phase="setup", status="completed", elapsed_ms=65_000, warning="no network"
            ),
            ["boot: setup done in 1:05", "  warning: no network"],
        ),
        (
            on.BootProgress(
                phase="setup", status="failed", elapsed_ms=0, error="exit 1", output_tail="a\nb\n"
            ),
            ["boot: setup failed after 0.0 s: exit 1", "  | a", "  | b"],
        ),
        (
            on.Ready(harness="opencode", isolation="plain"),
            ["sandbox ready: opencode, isolation: plain"],
        ),
        (on.Fatal(error="no harness"), ["the sandbox gave up: no harness"]),
        (
            news.PromptQueued(prompt=2, author="Ada", text="add\na flag", model="m"),
            ["prompt 2 from Ada: add a flag"],
        ),
        (news.PromptDispatched(prompt=1), []),
        (on.PromptStarted(prompt=1), ["prompt 1 runs"]),
        (
            on.Retrying(prompt=1, attempt=2, reason="overloaded"),
            ["the model refused for now (try 2): overloaded"],
        ),
        (on.Warned(message="idle"), ["warning: idle"]),
        (on.StepFinished(prompt=1, cost=0.5), []),
        (on.Reasoning(prompt=1, part="r", text="hmm"), []),
        (
            on.Committed(prompt=1, repository="tool", commit=told.HEX, files=2),
            ["committed 2 files in tool as 0123456789ab"],
        ),
        (
            on.Pushed(prompt=1, repository="tool", branch="outboard/s1", commit=told.HEX),
            ["pushed outboard/s1 at 0123456789ab"],
        ),
        (
            on.ChangesUpdated(
                prompt=1, revision="r", files=3, additions=10, deletions=2, repositories=2
            ),
            ["3 files changed, +10 -2"],
        ),
        (on.ExecutionComplete(prompt=1, status="completed"), []),
        (news.StopRequested(prompt=1, by="ada"), ["prompt 1: ada asked it to stop"]),
        (
            news.StopRequested(prompt=1, by=""),
            ["prompt 1: it has to stop"],
        ),
        (news.SnapshotSaved(attempt=1, prompt=2), ["the files of prompt 2 are saved"]),
        (
            news.TunnelsOpened(attempt=1, urls={"3000": "https://a.test", "80": "https://b.test"}),
            ["port 3000 is at https://a.test", "port 80 is at https://b.test"],
        ),
        (news.QueueHeld(reason="cut off"), ["the queue is held: cut off"]),
        (news.QueueResumed(by="ada"), ["ada resumed the queue"]),
        (
            news.PullRequestTold(
                repository="tool", number=7, url="https://x.test/7", title="A flag", state="open"
            ),
            ["pull request #7 of tool is open: A flag https://x.test/7"],
        ),
        (
            news.PullRequestTold(
                repository="tool", number=7, url="https://x.test/7", title="A", state="merged"
            ),
            ["pull request #7 of tool is merged: A https://x.test/7"],
        ),
        (
            news.PullRequestOffered(
                repository="tool", head="outboard/s1", base="main", url="https://x.test/new"
            ),
            ["open a pull request of tool at https://x.test/new"],
        ),
        (news.SessionStatusChanged(status="active"), []),
        (news.SessionStatusChanged(status="cancelled"), ["session cancelled"]),
        (news.TitleChanged(title="new"), ["title: new"]),
        (news.ArtifactCreated(id="branch", kind="branch", title="outboard/s1"), []),
        (
            news.ArtifactCreated(id="a", kind="screenshot", title="home", url="https://x.test/1"),
            ["artifact: screenshot home https://x.test/1"],
        ),
        (
            on.Todo(
                prompt=1,
                items=[
                    {"content": "read", "status": "completed"},
                    {"content": "write", "status": "in_progress"},
                ],
            ),
            ["plan: 1 of 2 done; now: write"],
        ),
        (
            news.PromptFinished(
                prompt=1, status="completed", branch="outboard/s1", commit=told.HEX, cost=0.0123
            ),
            ["prompt 1 completed · outboard/s1 at 0123456789ab · $0.0123"],
        ),
        (
            news.PromptFinished(prompt=1, status="failed", error="no model"),
            ["prompt 1 failed · no model"],
        ),
    ],
)
def test_an_event_is_said_in_these_lines(event: BaseModel, lines: list[str]):
    assert said(event) == lines


def test_of_several_repositories_a_push_says_to_which():
    push = on.Pushed(prompt=1, repository="tool", branch="outboard/s1", commit=told.HEX)

    lines = telling(told.entry(1, push), teller=Teller(several=True))

    assert lines == ["pushed tool: outboard/s1 at 0123456789ab"]


def test_a_tool_is_said_once_with_what_came_of_it():
    lines = said(
        tool("pending", title=""),
        tool("running"),
        tool("running", output="1 pas"),
        tool("completed", output="1 passed\n", exit_code=0),
    )

    assert lines == ["* bash: run tests", "  | 1 passed", "  exit code 0"]


def test_results_of_tools_that_ran_together_say_whose_they_are():
    lines = said(
        tool("running", "c1"),
        tool("running", "c2", title="lint"),
        tool("completed", "c1", output="ok"),
        tool("error", "c2", title="lint", error="denied"),
    )

    assert lines == [
        "* bash: run tests",
        "* bash: lint",
        "* bash: run tests",
        "  | ok",
        "* bash: lint",
        "  failed: denied",
    ]


def test_of_a_long_output_the_ends_are_shown():
    output = "\n".join(f"row {number}" for number in range(1, 31))

    lines = said(tool("completed", output=output))

    assert lines[1:6] == [*(f"  | row {n}" for n in range(1, 5)), "  | ... 20 lines ..."]
    assert lines[6:] == [f"  | row {n}" for n in range(25, 31)]


def test_a_tool_without_a_title_is_named_by_its_input():
    lines = said(tool("running", title="", input={"command": "pytest -q", "timeout": 3}))

    assert lines == ["* bash: pytest -q"]


def test_a_failed_exit_code_stands_out():
    _, lines = tell(Teller(), told.entry(1, tool("completed", exit_code=2)))

    assert lines[-1] == Line("  exit code 2", Tone.BAD)


def test_words_are_ended_before_something_else_is_said():
    lines = said(
        on.TextDelta(prompt=1, part="p", delta="I will\nrun "),
        on.TextDelta(prompt=1, part="p", delta="it"),
        on.StepFinished(prompt=1),
        on.TextDelta(prompt=1, part="p", delta=" now"),
        tool("running"),
    )

    assert lines == ["I will", "run it now", "* bash: run tests"]


def test_the_end_of_a_prompt_ends_its_words():
    words = on.TextDelta(prompt=1, part="p", delta="done")

    lines = said(words, news.PromptFinished(prompt=1, status="completed"), only=1)

    assert lines == ["done"]


def test_only_one_prompt_is_told_when_it_is_waited_for():
    lines = said(
        news.PromptQueued(prompt=2, author="Ada", text="mine", model="m"),
        on.TextDelta(prompt=1, part="p", delta="of another\n"),
        news.PromptFinished(prompt=1, status="completed"),
        on.BootProgress(phase="sync", status="completed", elapsed_ms=0),
        on.TextDelta(prompt=2, part="p", delta="mine\n"),
        only=2,
    )

    assert lines == ["boot: sync done in 0.0 s", "mine"]


def test_what_a_sandbox_says_behind_its_end_is_ignored():
    lines = telling(
        told.entry(1, news.SandboxStatusChanged(attempt=1, status="stale", error="silent")),
        told.entry(2, on.Warned(message="late"), attempt=1),
        told.entry(3, news.SandboxSpawning(attempt=3)),
        told.entry(4, on.Warned(message="later"), attempt=2),
        told.entry(5, on.Warned(message="now"), attempt=3),
    )

    assert lines == ["sandbox 1 stale: silent", "sandbox 3 starts", "warning: now"]


def test_an_event_that_nobody_knows_is_named():
    entry = told.entry(
        1, {"type": "new\x1b[2Jthing"}, {"type": "tool", "status": "?"}, {"no": "type"}
    )

    assert telling(entry) == ["event newthing", "event tool", "event without a type"]


EVIL = "\x1b[2J\x1b]0;owned\x07evil\ud800\r\nfake line"
EVIL_NAME = EVIL.replace("\ud800", "")
"""A name's length is bounded, and with it no half of a character is let in."""


@pytest.mark.parametrize(
    "event",
    [
        on.Warned(message=EVIL),
        on.Fatal(error=EVIL),
        on.Ready(harness=EVIL, isolation=EVIL),
        on.BootProgress(phase="setup", status="failed", error=EVIL, repository=EVIL),
        news.SandboxStatusChanged(attempt=1, status="failed", error=EVIL),
        news.PromptQueued(prompt=1, author=EVIL, text=EVIL, model=EVIL),
        on.Retrying(prompt=1, attempt=1, reason=EVIL),
        on.Pushed(prompt=1, repository=EVIL_NAME, branch=EVIL_NAME, commit=EVIL_NAME),
        on.Committed(prompt=1, repository=EVIL, commit=EVIL, files=1),
        news.TitleChanged(title=EVIL),
        news.ArtifactCreated(id="a", kind=EVIL, title=EVIL, url=EVIL),
        on.Todo(prompt=1, items=[{"content": EVIL, "status": "in_progress"}]),
        news.PromptFinished(prompt=1, status="failed", error=EVIL, branch=EVIL, commit=EVIL),
        news.StopRequested(prompt=1, by=EVIL),
        tool("error", tool=EVIL, title=EVIL, error=EVIL),
    ],
)
def test_no_event_drives_the_terminal_or_fakes_a_line(event: BaseModel):
    (line, *_) = said(event)

    assert "\x1b" not in line
    assert "\n" not in line
    assert "\ud800" not in line
    assert all("fake" not in other or "evil" in other for other in said(event))
