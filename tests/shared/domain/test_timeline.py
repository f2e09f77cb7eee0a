"""A frame is a value."""

from shared.domain.timeline import Entry, Frame
from tests import build


def test_a_resent_frame_equals_the_one_that_was_stored():
    stored = Entry(1, build.NOW, Frame("f1", ({"type": "ready"},), attempt=1))

    again = Frame("f1", ({"type": "ready"},), attempt=1)

    assert stored.frame == again


def test_a_frame_without_an_attempt_was_said_by_the_server():
    assert Frame("f1", ()).attempt is None
