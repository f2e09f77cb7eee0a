"""Prompts: taken or refused, and the title that the first one gives."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.domain.errors import Invalid, Rejected
from shared.domain.session.commands import SubmitPrompt
from shared.domain.session.conversation import title_of
from shared.domain.session.decision import Decision, StartLife
from shared.domain.session.facts import (
    AttemptStarted,
    IdleSince,
    PromptDispatched,
    PromptQueued,
    SandboxMoved,
    SessionMoved,
    TitleSet,
)
from shared.domain.session.sandbox import Boot, Ending, SandboxStatus
from shared.domain.session.state import (
    MAX_PROMPT_CHARS,
    MAX_TITLE_CHARS,
    MAX_UNFINISHED_PROMPTS,
    SessionStatus,
)
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import FIRST, SECOND, after, ask, finish, submit

ADA = build.ADA.user
IN_TEN_MINUTES = build.NOW + timedelta(minutes=10)


def test_the_first_prompt_names_the_session_and_starts_a_sandbox():
    session = build.session()

    decision = ask(session, submit("Add a flag\nand a test for it"))

    assert decision == Decision(
        (
            PromptQueued(FIRST, "Add a flag\nand a test for it"),
            SessionMoved(SessionStatus.ACTIVE),
            TitleSet("Add a flag"),
            AttemptStarted(1, Boot.FRESH),
            SandboxMoved(SandboxStatus.SPAWNING),
        ),
        (StartLife(1, life=1),),
    )


def test_an_image_may_stand_for_itself_and_names_the_session():
    image = build.attachment(name="broken page.png")

    decision = ask(build.session(), submit("", attachments=(image,)))

    assert decision.events[0] == PromptQueued(FIRST, "", (image,))
    assert TitleSet("broken page.png") in decision.events


def test_a_prompt_of_nothing_is_refused():
    with pytest.raises(Invalid, match="needs words"):
        ask(build.session(), submit("  \n"))


def test_a_prompt_keeps_who_asked_and_for_which_model():
    command = SubmitPrompt(author=build.ADA, text="go", model="large", effort="high")

    session = after(build.session(), command)

    assert session.queue == (replace(FIRST, model="large", effort="high"),)


def test_a_prompt_for_a_booting_sandbox_waits():
    decision = ask(situations.connecting(FIRST), submit("and more"))

    assert decision == Decision((PromptQueued(SECOND, "and more"),))


def test_a_prompt_for_an_idle_sandbox_is_dispatched_and_stops_the_idle_clock():
    session = situations.ready(idle_due=IN_TEN_MINUTES)

    decision = ask(session, submit("and more"))

    assert decision == Decision(
        (
            PromptQueued(SECOND, "and more"),
            SessionMoved(SessionStatus.ACTIVE),
            IdleSince(None),
            PromptDispatched(2),
        )
    )


def test_a_prompt_behind_a_running_one_waits():
    assert ask(situations.running(), submit("and more")) == Decision(
        (PromptQueued(SECOND, "and more"),)
    )


def test_a_prompt_for_a_sandbox_that_is_being_put_away_waits_for_the_next_one():
    session = situations.ended(Ending.INACTIVE, status=SessionStatus.COMPLETED)

    decision = ask(session, submit("and more"))

    assert decision == Decision(
        (PromptQueued(SECOND, "and more"), SessionMoved(SessionStatus.ACTIVE))
    )


def test_a_prompt_for_a_paused_workspace_resumes_it():
    session = replace(situations.ready(), attempt=None, sandbox=SandboxStatus.STOPPED)

    decision = ask(session, submit("and more"))

    assert decision == Decision(
        (
            PromptQueued(SECOND, "and more"),
            SessionMoved(SessionStatus.ACTIVE),
            AttemptStarted(2, Boot.RESUME),
            SandboxMoved(SandboxStatus.SPAWNING),
        ),
        (StartLife(2, life=1),),
    )


@pytest.mark.parametrize("status", [SessionStatus.ARCHIVED, SessionStatus.CANCELLED])
def test_a_closed_session_takes_no_prompts(status: SessionStatus):
    with pytest.raises(Rejected, match=f"a session that is {status} takes no prompts"):
        ask(build.session(status), submit())


def test_the_51st_unfinished_prompt_is_refused():
    waiting = tuple(build.prompt(number) for number in range(2, MAX_UNFINISHED_PROMPTS + 1))
    full = situations.running(*waiting)

    assert full.unfinished == MAX_UNFINISHED_PROMPTS
    with pytest.raises(Rejected, match="50 prompts are unfinished already; wait for one"):
        ask(full, submit())
    assert after(full, finish(), submit()).unfinished == MAX_UNFINISHED_PROMPTS


def test_64_000_characters_are_a_prompt_and_one_more_is_not():
    longest = "é" * MAX_PROMPT_CHARS

    assert after(build.session(), submit(longest)).unfinished == 1
    with pytest.raises(Invalid, match="text: 64001 characters are more than 64000"):
        ask(build.session(), submit(longest + "é"))


@pytest.mark.parametrize("text", ["", " ", "\n\t \r\n", "\u2028\u00a0"])
def test_a_prompt_needs_words(text: str):
    with pytest.raises(Invalid, match="text: a prompt needs words") as raised:
        ask(build.session(), submit(text))

    assert raised.value.field == "text"


def test_a_title_is_the_first_line_that_says_something():
    assert title_of("\n\n  Fix\tthe   build \n\nIt fails since Monday.") == "Fix the build"


def test_a_long_first_line_is_cut_and_says_so():
    assert title_of("x" * MAX_TITLE_CHARS) == "x" * MAX_TITLE_CHARS
    assert title_of("x" * (MAX_TITLE_CHARS + 1)) == "x" * (MAX_TITLE_CHARS - 1) + "…"


def test_a_title_that_is_there_already_stays():
    session = replace(build.session(), title="mine")

    assert after(session, submit("add a flag")).title == "mine"
