"""Prompts: what came of them, and when a bridge is not believed."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.domain.session.commands import CancelPrompt, ConfirmStart, FinishPrompt, RecordPush
from shared.domain.session.decision import NOTHING, ArmTimer, Decision
from shared.domain.session.facts import (
    BranchPushed,
    IdleSince,
    PromptDispatched,
    PromptFinished,
    SandboxMoved,
    SaveBegan,
    SessionMoved,
    TurnLeft,
)
from shared.domain.session.sandbox import SandboxStatus
from shared.domain.session.state import MAX_COST, PromptStatus, SessionStatus
from shared.domain.tokens import MAX_TOKENS, NO_TOKENS, Tokens
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import SECOND, after, ask, finish

ADA = build.ADA.user
IN_TEN_MINUTES = build.NOW + timedelta(minutes=10)


def test_the_start_of_a_prompt_is_a_fact_since_its_dispatch():
    assert ask(situations.running(), ConfirmStart(1, 1)) == NOTHING


def test_a_finished_prompt_keeps_what_came_of_it_and_settles_the_session():
    command = FinishPrompt(
        attempt=1,
        prompt=1,
        status=PromptStatus.COMPLETED,
        branch="outboard/s1",
        commit="c1",
        cost=0.25,
    )

    decision = ask(situations.running(), command)

    assert decision == Decision(
        (
            TurnLeft(1),
            PromptFinished(
                number=1,
                status=PromptStatus.COMPLETED,
                branch="outboard/s1",
                commit="c1",
                cost=0.25,
            ),
            SessionMoved(SessionStatus.COMPLETED),
            IdleSince(IN_TEN_MINUTES),
            SaveBegan(build.NOW),
            SandboxMoved(SandboxStatus.SNAPSHOTTING),
        ),
        (ArmTimer(1, IN_TEN_MINUTES),),
    )


def test_a_failed_prompt_fails_the_session_unless_more_is_queued():
    command = finish(status=PromptStatus.FAILED, error="the model refused")
    failed = PromptFinished(number=1, status=PromptStatus.FAILED, error="the model refused")

    last = ask(situations.running(), command)
    followed = ask(situations.running(SECOND), command)

    assert last.events[:3] == (TurnLeft(1), failed, SessionMoved(SessionStatus.FAILED))
    assert followed == Decision((TurnLeft(1), failed, PromptDispatched(2)))


def test_costs_add_up():
    command = FinishPrompt(attempt=1, prompt=1, status=PromptStatus.COMPLETED, cost=0.5)

    assert after(replace(situations.running(), cost=0.25), command).cost == 0.75


@pytest.mark.parametrize("cost", [-1.0, float("nan"), float("inf"), MAX_COST * 2])
def test_a_cost_that_is_no_sum_counts_as_none(cost: float):
    assert after(situations.running(), finish(cost=cost)).cost == 0.0


def test_tokens_add_up():
    command = finish(tokens=Tokens(input=5, output=1))
    before = replace(situations.running(), tokens=Tokens(input=1, cached=7))

    assert after(before, command).tokens == Tokens(input=6, output=1, cached=7)


@pytest.mark.parametrize("count", [-1, MAX_TOKENS + 1])
def test_tokens_that_nobody_can_have_used_count_as_none(count: int):
    command = finish(tokens=Tokens(input=5, cached=count))

    assert after(situations.running(), command).tokens == NO_TOKENS


def test_the_newest_prompt_that_had_its_turn_is_known():
    session = after(situations.running(SECOND), finish())
    taken_back = after(situations.running(SECOND), CancelPrompt(2))

    assert (session.finished, taken_back.finished) == (1, None)


def test_an_answer_about_another_prompt_frees_nobody():
    session = situations.running(SECOND)

    assert ask(session, finish(2)) == NOTHING
    assert ask(after(session, finish(1)), finish(1)) == NOTHING
    assert ask(situations.ready(), finish(1)) == NOTHING


def test_an_answer_from_another_attempt_frees_nobody():
    command = FinishPrompt(attempt=7, prompt=1, status=PromptStatus.COMPLETED)

    assert ask(situations.running(), command) == NOTHING


ELSEWHERE = ["main", "outboard/s2", "--upload-pack=touch x", "+a:refs/heads/main"]


@pytest.mark.parametrize("branch", ELSEWHERE)
def test_only_the_branch_of_the_session_is_believed_to_be_the_result(branch: str):
    session = situations.running()

    _, finished, *_ = ask(session, finish(branch=branch, commit="c1")).events
    pushed = ask(session, RecordPush(1, 1, "tool", branch, "c1"))

    assert finished == PromptFinished(number=1, status=PromptStatus.COMPLETED)
    assert pushed == NOTHING


def push(prompt: int = 1, commit: str = "c1", attempt: int = 1) -> RecordPush:
    return RecordPush(attempt, prompt, "tool", "outboard/s1", commit)


def test_the_first_push_makes_the_branch_and_later_ones_move_it():
    session = situations.running()

    first = ask(session, push())
    later = ask(after(session, push()), push(commit="c2"))

    assert first == Decision((BranchPushed("tool", "outboard/s1", "c1", first=True),))
    assert later == Decision((BranchPushed("tool", "outboard/s1", "c2", first=False),))


def test_a_push_that_is_known_is_nothing_new():
    assert ask(after(situations.running(), push()), push()) == NOTHING


def test_a_push_for_a_prompt_that_does_not_run_is_not_believed():
    assert ask(situations.running(SECOND), push(2)) == NOTHING
    assert ask(situations.ready(), push(1)) == NOTHING
    assert ask(situations.running(), push(attempt=7)) == NOTHING
