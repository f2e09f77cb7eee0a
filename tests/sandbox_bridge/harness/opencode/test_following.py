"""Following a turn on a stream that breaks, forgets, or never ends."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from sandbox_bridge.harness.opencode.limits import Limits
from sandbox_bridge.harness.opencode.translation import Translation
from sandbox_bridge.harness.opencode.turn import Following, GaveUp, ServerGone
from sandbox_bridge.harness.opencode.wire import Event
from sandbox_bridge.harness.seam import Turn
from sandbox_bridge.redaction import Redactor
from shared.protocol.events import BridgeEvent
from tests.fakes.opencode import CONNECTED, HEARTBEAT, FakeOpenCode, FakeServer
from tests.sandbox_bridge.harness.opencode.story import MESSAGE, SESSION, Story, View

TURN = Turn(3, "Do it.", "custom/local/coder", "high")


class Followed:
    def __init__(self, api: FakeOpenCode, limits: Limits | None = None) -> None:
        self.said: list[BridgeEvent] = []
        self.translation = Translation(3, SESSION, MESSAGE, Redactor({}))
        self.following = Following(
            TURN, self.translation, self.said.append, api=api, limits=limits or Limits()
        )

    def to_the_end(self, server: FakeServer | None = None) -> None:
        asyncio.run(self.following.to_the_end(server or FakeServer()))


def whole() -> Story:
    story = Story()
    story.user()
    story.answer("msg_0002")
    story.text("msg_0002", "prt_1", ["One ", "two."])
    story.finish("msg_0002")
    story.rests()
    return story


def stored(story: Story) -> list[dict[str, Any]]:
    """As the list of messages has it."""
    messages: dict[str, dict[str, Any]] = {}
    for event in story.retold():
        match event.type:
            case "message.updated":
                info = event.properties["info"]
                messages[info["id"]] = {"info": info, "parts": []}
            case "message.part.updated":
                part = event.properties["part"]
                messages[part["messageID"]]["parts"].append(part)
            case _:
                pass
    return list(messages.values())


def test_the_prompt_is_sent_when_the_stream_is_open():
    api = FakeOpenCode([[CONNECTED, *whole().events]])

    followed = Followed(api)
    followed.to_the_end()

    assert api.prompts == [
        {
            "session": SESSION,
            "messageID": MESSAGE,
            "model": {"providerID": "custom", "modelID": "local/coder"},
            "variant": "high",
            "parts": [{"type": "text", "text": "Do it."}],
        }
    ]
    assert View(followed.said).texts == {"prt_1": "One two."}


@pytest.mark.parametrize("cut_at", range(1, 8))
def test_a_stream_that_broke_is_taken_up_from_what_is_stored(cut_at: int):
    story = whole()
    api = FakeOpenCode([[CONNECTED, *story.events[:cut_at]], [CONNECTED]])
    api.stored, api.idle = stored(story), True

    followed = Followed(api)
    followed.to_the_end()

    assert len(api.prompts) == 1
    assert View(followed.said).texts == {"prt_1": "One two."}
    assert followed.translation.failure is None


def test_a_prompt_whose_answer_was_lost_is_sent_again_when_it_did_not_arrive():
    api = FakeOpenCode([[CONNECTED], [CONNECTED, *whole().events]], lost_prompts=1)

    Followed(api).to_the_end()

    assert [prompt["messageID"] for prompt in api.prompts] == [MESSAGE, MESSAGE]


def test_a_prompt_whose_answer_was_lost_is_not_sent_again_when_it_arrived():
    story = whole()
    api = FakeOpenCode([[CONNECTED], [CONNECTED]], lost_prompts=1)
    api.stored, api.idle = stored(story), True

    Followed(api).to_the_end()

    assert len(api.prompts) == 1


def test_an_end_that_nobody_heard_is_found_at_the_second_heartbeat():
    story = whole()
    api = FakeOpenCode([[CONNECTED, *story.events[:2], HEARTBEAT, HEARTBEAT]])
    api.stored, api.idle = stored(story), True

    followed = Followed(api)
    followed.to_the_end()

    assert View(followed.said).texts == {"prt_1": "One two."}


def test_an_agent_that_rests_without_an_answer_is_given_up():
    api = FakeOpenCode([[CONNECTED, HEARTBEAT, HEARTBEAT]])
    api.idle = True

    with pytest.raises(GaveUp, match="came to rest without an answer"):
        Followed(api).to_the_end()


def test_a_turn_that_was_stopped_before_it_was_asked_is_never_asked():
    api = FakeOpenCode([[CONNECTED]])
    followed = Followed(api, Limits(reconnect=timedelta()))
    followed.following.stopping = True

    with pytest.raises(ServerGone):
        followed.to_the_end()

    assert api.prompts == []


def test_nobody_is_there_to_be_asked():
    asked = [
        Event(type="permission.asked", properties={"id": "per_1", "sessionID": "ses_child"}),
        Event(type="question.asked", properties={"id": "que_1", "sessionID": SESSION}),
    ]
    api = FakeOpenCode([[CONNECTED, *asked, *whole().events]])

    Followed(api).to_the_end()

    assert api.asked == ["allow per_1", "reject que_1"]


def test_a_server_that_ended_is_told_apart_from_a_lost_connection():
    with pytest.raises(ServerGone, match="killed by SIGKILL"):
        Followed(FakeOpenCode([])).to_the_end(FakeServer("opencode was killed by SIGKILL"))


def test_a_server_that_does_not_come_back_is_given_up():
    with pytest.raises(ServerGone, match="does not answer any more"):
        Followed(FakeOpenCode([]), Limits(reconnect=timedelta())).to_the_end()


def test_a_turn_may_have_a_deadline():
    api = FakeOpenCode([[CONNECTED, HEARTBEAT]])

    with pytest.raises(GaveUp, match="the turn took longer than 0 minutes"):
        Followed(api, Limits(turn=timedelta(microseconds=1))).to_the_end()


def test_a_model_that_refuses_for_too_long_is_given_up():
    story = whole()
    retry = {"type": "retry", "attempt": 1, "message": "come back tomorrow"}
    story.events.insert(
        3, Event(type="session.status", properties={"sessionID": SESSION, "status": retry})
    )
    api = FakeOpenCode([[CONNECTED, *story.events]])

    with pytest.raises(GaveUp, match="the model refused 1 times: come back tomorrow"):
        Followed(api, Limits(refusing=timedelta())).to_the_end()
