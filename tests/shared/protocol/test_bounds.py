"""How long and how many: each bound at its edge, and what an edge weighs as JSON."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from shared.domain.attachment import (
    MAX_ATTACHMENT_BYTES,
    MAX_ATTACHMENT_NAME_CHARS,
    MAX_ATTACHMENTS,
)
from shared.domain.session.state import MAX_PROMPT_CHARS, MAX_REPOSITORIES, MAX_TITLE_CHARS
from shared.protocol import api, bridge, client, events
from shared.protocol.attachments import Attached
from shared.protocol.base import METERED_BYTES
from tests import build

AUTHOR = {"name": "Ada Example", "email": "ada@example.com"}
ADA = api.AuthorView.model_validate(AUTHOR)


def accepts(kind: type[BaseModel], **fields: Any) -> bool:
    try:
        kind.model_validate(fields)
    except ValidationError:
        return False
    return True


def prompt(text: str) -> bool:
    return accepts(api.NewPrompt, request_id="r1", text=text, author=AUTHOR)


def session(**fields: Any) -> bool:
    repository = {"url": "https://git.example.com/acme/tool.git"}
    return accepts(api.NewSession, **{"request_id": "r1", "repositories": [repository]} | fields)


def repository(**fields: Any) -> bool:
    return session(repositories=[{"url": "https://git.example.com/acme/tool.git"} | fields])


def test_a_prompt_has_up_to_64_000_characters_of_any_kind():
    """None at all is for the session to refuse: an image may stand for itself."""
    assert prompt("x")
    assert prompt("😀" * MAX_PROMPT_CHARS)
    assert not prompt("x" * (MAX_PROMPT_CHARS + 1))


def test_what_is_too_long_names_its_field():
    with pytest.raises(ValidationError) as raised:
        api.NewPrompt(request_id="r1", text="x" * (MAX_PROMPT_CHARS + 1), author=ADA)

    [error] = raised.value.errors()
    assert (error["loc"], error["type"]) == (("text",), "string_too_long")


def test_a_title_has_1_to_120_characters():
    assert accepts(api.Rename, title="x" * MAX_TITLE_CHARS)
    assert not accepts(api.Rename, title="x" * (MAX_TITLE_CHARS + 1))
    assert not accepts(api.Rename, title="")
    assert session(title="")
    assert not session(title="x" * (MAX_TITLE_CHARS + 1))


@pytest.mark.parametrize("identifier", ["a", "A-z_0", "x" * 64])
def test_an_identifier_is_short_and_plain(identifier: str):
    assert session(request_id=identifier)


@pytest.mark.parametrize("identifier", ["", "x" * 65, "a b", "é", "a/b", "a\n", "a.b"])
def test_anything_else_is_no_identifier(identifier: str):
    assert not session(request_id=identifier)


@pytest.mark.parametrize("number", [0, 1, 2, MAX_REPOSITORIES])
def test_a_session_has_up_to_10_repositories_and_may_have_none(number: int):
    several = [{"url": f"https://a/{each}"} for each in range(number)]

    assert session(repositories=several)
    assert accepts(api.NewChoice, repositories=several)


def test_more_than_10_repositories_are_too_many():
    several = [{"url": f"https://a/{each}"} for each in range(MAX_REPOSITORIES + 1)]

    assert not session(repositories=several)
    assert not accepts(api.NewChoice, repositories=several)


def test_no_repository_at_all_can_be_said():
    assert session(repositories=[])
    assert accepts(api.NewChoice, repositories=[])


@pytest.mark.parametrize("url", ["https://git.example.com/a.git", "http://127.0.0.1:4702/r/x"])
def test_a_repository_is_reached_over_http(url: str):
    assert repository(url=url)


@pytest.mark.parametrize(
    "url", ["", "git@example.com:a.git", "file:///etc", "ext::sh -c x", "https://a b", "--upload"]
)
def test_nothing_else_is_a_repository(url: str):
    assert not repository(url=url)
    assert not repository(url="https://a/" + "x" * 2_000)


@pytest.mark.parametrize("branch", ["main", "feature/a+b@c=d", "v1.2_x", "x" * 200])
def test_a_branch_is_a_name_that_git_cannot_take_for_an_option(branch: str):
    assert repository(branch=branch)


@pytest.mark.parametrize("branch", ["", "-x", "--force", "a b", "a:b", "a~1", "a\n", "x" * 201])
def test_anything_else_is_no_branch(branch: str):
    assert not repository(branch=branch)


@pytest.mark.parametrize(
    ("name", "email"),
    [
        ("", "a@b"),
        (" ", "a@b"),
        ("Ada\n", "a@b"),
        ("Ada <x>", "a@b"),
        ("x" * 101, "a@b"),
        ("Ada", ""),
        ("Ada", "nobody"),
        ("Ada", "a@b>"),
        ("Ada", "a@b\n"),
        ("Ada", "a@" + "x" * 253),
    ],
)
def test_an_author_is_what_git_takes_for_one(name: str, email: str):
    assert accepts(api.AuthorView, name="Ada d'Été", email="a@b")
    assert not accepts(api.AuthorView, name=name, email=email)


@pytest.mark.parametrize("user", ["", "Ada", "-a", "a b", "a\n", "x" * 40])
def test_a_user_is_a_short_lower_case_name(user: str):
    assert accepts(api.NewUser, name="ada.example-1")
    assert not accepts(api.NewUser, name=user)


def test_a_frame_has_at_least_one_event_and_a_bounded_number():
    def frame(events: int, after: str = "c") -> bool:
        return accepts(bridge.FrameMessage, id="f1", after=after, events=[{"type": "x"}] * events)

    assert frame(1)
    assert frame(bridge.MAX_FRAME_EVENTS)
    assert not frame(0)
    assert not frame(bridge.MAX_FRAME_EVENTS + 1)
    assert frame(1, after="x" * 400)
    assert not frame(1, after="x" * 401)


def test_prompts_and_slots_are_counted_from_one():
    assert accepts(bridge.GetPrompt, prompt=1, offset=0)
    assert not accepts(bridge.GetPrompt, prompt=0)
    assert not accepts(bridge.GetPrompt, prompt=1, offset=-1)
    assert not accepts(client.CancelPrompt, request_id="r1", prompt=0)
    assert not accepts(client.Subscribe, after=-1)
    assert accepts(client.Subscribe, after=0)


def test_a_piece_of_the_timeline_has_1_to_200_slots():
    assert [accepts(client.Fetch, limit=limit) for limit in (0, 1, 200, 201)] == [
        False,
        True,
        True,
        False,
    ]


LARGEST_ATTACHED = Attached(
    id="i" * 64,
    name="😀" * MAX_ATTACHMENT_NAME_CHARS,
    type="image/jpeg",
    size=MAX_ATTACHMENT_BYTES,
    width=10**8,
    height=10**8,
)


def largest_part(text: Callable[[int], str]) -> int:
    """Of a prompt, in characters, so that the message is one WebSocket frame, whoever wrote it."""

    def weighs(chars: int) -> int:
        part = bridge.PromptPart(
            prompt=MAX_PROMPT_CHARS,
            offset=MAX_PROMPT_CHARS,
            text=text(chars),
            total=MAX_PROMPT_CHARS,
            author_name="😀" * 100,
            author_email="😀" * 127 + "@" + "😀" * 126,
            model="\x01" * 120,
            effort="\x01" * 20,
            attachments=[LARGEST_ATTACHED] * MAX_ATTACHMENTS,
        )
        return len(part.model_dump_json(by_alias=True).encode())

    return max(chars for chars in range(0, 12_000, 50) if weighs(chars) <= METERED_BYTES)


@pytest.mark.parametrize("char", ["a", '"', "\n", "é", "€", "😀", "\x01", "\x7f", "\u2028"])
def test_a_part_of_a_prompt_fits_into_a_websocket_frame(char: str):
    assert largest_part(lambda chars: char * chars) >= bridge.PROMPT_PART_CHARS


@pytest.mark.parametrize("char", ["a", '"', "\x01", "😀"])
def test_a_bridges_largest_frame_is_one_websocket_frame_for_a_viewer(char: str):
    said = [
        events.TextDelta(prompt=9_999, part="p" * 40, delta=char).model_dump(by_alias=True)
        for _ in range(bridge.MAX_FRAME_EVENTS)
    ]
    room = bridge.MAX_FRAME_BYTES - len(_frame(said))
    said[0]["delta"] += char * (room // _weight(char))

    sent = _frame(said)
    items = [client.Item(type="sandbox_event", event=event) for event in said]
    shown = client.Frame(seq=10**9, at=build.NOW, attempt=9_999, items=items)

    assert bridge.MAX_FRAME_BYTES - 12 < len(sent) <= bridge.MAX_FRAME_BYTES
    assert len(shown.model_dump_json(by_alias=True).encode()) <= METERED_BYTES


def _frame(said: list[dict[str, Any]]) -> bytes:
    message = bridge.FrameMessage(id="f" * 64, after="c" * 400, events=said)
    return message.model_dump_json(by_alias=True).encode()


def _weight(char: str) -> int:
    return len(json.dumps(char, ensure_ascii=False).encode()) - len('""')
