"""JSON in without trust, JSON out as ASCII."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.client.wire import Garbled, entry_of, line, read, read_message
from shared.protocol.api import ErrorView
from shared.protocol.client import Frame, Item, Pong
from tests.shared.client import told


def test_a_frame_becomes_the_entry_that_the_http_api_shows():
    items = [
        Item(type="sandbox_event", event={"type": "warning", "message": "x"}),
        Item(type="prompt_dispatched", event={"type": "prompt_dispatched", "prompt": 1}),
        Item(type="title", event={"title": "new"}),
    ]

    entry = entry_of(Frame(seq=3, at=told.NOW, attempt=1, items=items))

    assert entry == told.entry(
        3,
        {"type": "warning", "message": "x"},
        {"type": "prompt_dispatched", "prompt": 1},
        {"type": "title", "title": "new"},
        attempt=1,
    )


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"type":"nothing"}', '{"type":"pong"}', "[" * 100_000]
)
def test_what_is_no_message_is_garbled(text: str):
    with pytest.raises(Garbled):
        read_message(text)


def test_half_a_surrogate_pair_does_not_spoil_the_message():
    text = r'{"code":"rejected","message":"half \ud83d here"}'

    assert read(ErrorView, text).message == "half \ufffd here"


def test_a_message_is_read_as_its_type():
    assert read_message('{"type":"pong","tail":4}') == Pong(tail=4)


@given(st.text(st.characters(exclude_categories=[])))
def test_a_line_of_json_is_one_line_of_printable_ascii(text: str):
    written = line({"text": text})

    assert written.isascii()
    assert written.isprintable()
    assert json.loads(written) == {"text": text}
