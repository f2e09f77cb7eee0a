"""What people ask over HTTP of a session's sandbox: warmth, another choice, a copy, the queue."""

from shared.app.lives import Life
from shared.domain.session.commands import BecomeReady, Clock, Connect, FinishPrompt, TimedOut
from shared.domain.session.sandbox import Wait
from shared.domain.session.state import PromptStatus, SessionId
from tests import build
from tests.functions.test_http_api import SESSION, Api

FIRST = {"repositories": SESSION["repositories"]}
OTHER = {"repositories": [{"url": build.repository("other").url}]}


def ready(api: Api, session: str, attempt: int = 1) -> None:
    api.world.lives.launch(Life(SessionId(session), attempt))
    for command in (Connect(attempt, 0), BecomeReady(attempt)):
        api.world.app.sessions.handle(SessionId(session), command)


def test_a_session_may_be_opened_warm_and_asking_again_is_asking_once():
    api = Api()

    opened = api.ask("POST", "/sessions", {**SESSION, "warm": True})
    again = api.ask("POST", "/sessions", {**SESSION, "warm": True})

    assert (opened.status, opened.body["sandbox"]["status"]) == (201, "warming")
    assert again.body == opened.body
    assert api.world.workflow.started == [(opened.body["id"], 1, 1)]


def test_another_choice_lets_the_warm_sandbox_go_until_something_was_asked():
    api = Api()
    session = api.ask("POST", "/sessions", {**SESSION, "warm": True}).body["id"]

    chosen = api.ask("PUT", f"/sessions/{session}/choice", OTHER)
    api.submit(session)
    refused = api.ask("PUT", f"/sessions/{session}/choice", FIRST)

    assert chosen.body["repositories"][0]["name"] == "other"
    assert chosen.body["sandbox"]["status"] == "stopped"
    assert (refused.status, refused.body["code"]) == (409, "rejected")


def test_a_copy_is_refused_with_a_sentence_while_no_sandbox_runs():
    api = Api()
    session = api.session()

    refused = api.ask("POST", f"/sessions/{session}/snapshot")

    assert (refused.status, refused.body["code"]) == (409, "rejected")
    assert refused.body["message"] == "no sandbox is running; the files are kept as they are"


def test_a_copy_of_an_idle_sandbox_begins_at_once():
    api = Api()
    session = api.session()
    api.ask("POST", f"/sessions/{session}/warm")
    ready(api, session)

    asked = api.ask("POST", f"/sessions/{session}/snapshot")

    assert (asked.status, asked.body["sandbox"]["status"]) == (200, "snapshotting")


def test_a_queue_that_was_held_goes_on_when_somebody_says_so():
    api = Api()
    session = api.session()
    for number in ("p1", "p2"):
        api.submit(session, requestId=number)
    ready(api, session)
    ends_at = api.world.machine().info.ends_at
    assert ends_at is not None
    api.world.now = ends_at
    asked = TimedOut(1, Wait.SERVE, Clock.TIMEOUT, api.world.now)
    api.world.app.sessions.handle(SessionId(session), asked)
    cut_off = FinishPrompt(attempt=1, prompt=1, status=PromptStatus.STOPPED)
    api.world.app.sessions.handle(SessionId(session), cut_off)

    held = api.ask("GET", f"/sessions/{session}")
    resumed = api.ask("POST", f"/sessions/{session}/resume")

    assert (held.body["held"], held.body["unfinished"]) == (True, 1)
    assert (resumed.status, resumed.body["held"]) == (200, False)


def test_the_files_of_a_sandbox_that_is_put_away_are_left_when_somebody_says_so():
    api = Api()
    session = api.session()
    api.ask("POST", f"/sessions/{session}/warm")
    ready(api, session)

    busy = api.ask("POST", f"/sessions/{session}/anew")
    api.ask("POST", f"/sessions/{session}/archive")
    api.world.lives.preserve(Life(SessionId(session), 1))
    api.world.lives.retire(Life(SessionId(session), 1))
    api.ask("POST", f"/sessions/{session}/unarchive")
    left = api.ask("POST", f"/sessions/{session}/anew")

    assert (busy.status, busy.body["code"]) == (409, "rejected")
    assert (left.status, left.body["sandbox"]["status"]) == (200, "stopped")
    assert api.world.app.sessions.load(SessionId(session)).workspace.left
