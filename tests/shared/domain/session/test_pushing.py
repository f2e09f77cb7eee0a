"""Where the session branch stands, in each repository by itself."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.session.commands import FinishPrompt, RecordPush
from shared.domain.session.decision import NOTHING, Decision
from shared.domain.session.facts import BranchPushed, PromptFinished
from shared.domain.session.state import PromptStatus, Push, Session
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import after, ask

BRANCH = "outboard/s1"
NAMES = ["tool", "site", "docs"]


def working(*names: str) -> Session:
    return replace(situations.running(), target=tuple(map(build.repository, names)))


def push(repository: str, commit: str = "c1", branch: str = BRANCH) -> RecordPush:
    return RecordPush(1, 1, repository, branch, commit)


PUSHES = st.lists(st.builds(push, st.sampled_from([*NAMES, "else"]), st.sampled_from("abc")))


@given(PUSHES)
def test_each_repository_stands_where_it_was_pushed_to_last(pushes: list[RecordPush]):
    session = after(working(*NAMES), *pushes)

    newest = {each.repository: each.commit for each in pushes}
    pushed = [name for name in NAMES if name in newest]
    assert session.pushes == tuple(Push(name, BRANCH, newest[name]) for name in pushed)
    assert session.branch == (BRANCH if pushed else None)
    assert session.commit == (newest[pushed[0]] if pushed else None)


@given(PUSHES)
def test_each_repository_has_one_artifact_that_is_made_once(pushes: list[RecordPush]):
    session, made = working(*NAMES), list[str]()
    for each in pushes:
        for fact in ask(session, each).events:
            assert isinstance(fact, BranchPushed)
            made += [fact.artifact] if fact.first else []
        session = after(session, each)

    assert len(made) == len(set(made)) == len(session.pushes)


def test_the_artifact_of_an_only_repository_is_called_as_it_always_was():
    one, several = ask(working("tool"), push("tool")), ask(working("tool", "site"), push("tool"))

    assert one == Decision((BranchPushed("tool", BRANCH, "c1", True, "branch"),))
    assert several == Decision((BranchPushed("tool", BRANCH, "c1", True, "branch-tool"),))


@pytest.mark.parametrize("names", [[], ["site"], ["tool", "site"]])
def test_a_repository_that_the_session_does_not_work_on_changes_nothing(names: list[str]):
    assert ask(working(*names), push("else")) == NOTHING


def test_a_session_without_a_repository_has_no_branch_whatever_its_sandbox_says():
    session = working()
    finish = FinishPrompt(
        attempt=1, prompt=1, status=PromptStatus.COMPLETED, branch=BRANCH, commit="c1"
    )

    _, finished, *_ = ask(session, finish).events

    assert finished == PromptFinished(number=1, status=PromptStatus.COMPLETED)
    assert after(session, finish).branch is None


def test_a_repository_is_found_by_its_name():
    session = after(working("tool", "site"), push("site"))

    assert session.pushed("site") == Push("site", BRANCH, "c1")
    assert session.pushed("tool") is None
