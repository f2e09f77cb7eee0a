"""What a command says of a session."""

import pytest

from shared.app.views import of_session
from shared.client import views
from shared.domain.session.state import PromptStatus, SessionStatus
from tests import build


@pytest.mark.parametrize(
    ("status", "outcome", "said"),
    [
        (SessionStatus.COMPLETED, PromptStatus.COMPLETED, "completed"),
        (SessionStatus.COMPLETED, PromptStatus.STOPPED, "completed: the last prompt was stopped"),
        (SessionStatus.FAILED, PromptStatus.FAILED, "failed"),
        (SessionStatus.ACTIVE, PromptStatus.STOPPED, "active"),
    ],
)
def test_of_a_session_whose_last_prompt_was_stopped_that_is_said(
    status: SessionStatus, outcome: PromptStatus, said: str
):
    session = of_session(build.session(status, last_outcome=outcome))

    lines = [line.text for line in views.session(session, [], [])]

    assert f"  status      {said}" in lines
