from hypothesis import given
from hypothesis import strategies as st

from sandbox_bridge.wire.pace import MOST_A_SECOND, Pace


def paced(waits: list[float]) -> list[float]:
    """When frames are sent of which each has waited so long after the one before."""
    pace, now, sent = Pace(), 100.0, list[float]()
    for wait in waits:
        now = max(now + wait, pace.not_before)
        pace.sent(now)
        sent.append(now)
    return sent


def test_two_frames_go_at_once_and_the_others_step_by_step():
    sent = paced([0, 0, 0, 0, 0, 0])

    assert [round(each - 100, 3) for each in sent] == [0, 0, 0.2, 0.4, 0.6, 1.0]


def test_after_a_pause_two_go_at_once_again():
    sent = paced([0, 0, 5, 0, 0])

    assert [round(each - 100, 3) for each in sent] == [0, 0, 5, 5, 5.2]


@given(st.lists(st.floats(0, 3) | st.just(0.0), max_size=60))
def test_no_second_has_more_than_five(waits: list[float]):
    sent = paced(waits)

    later = sent[MOST_A_SECOND:]
    assert all(b - a >= 1 - 1e-9 for a, b in zip(sent, later, strict=False))
