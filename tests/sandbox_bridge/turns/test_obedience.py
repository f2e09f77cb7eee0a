from hypothesis import given
from hypothesis import strategies as st

from sandbox_bridge.turns.obedience import Close, Interrupt, Nothing, SayAgain, Start, next_step
from sandbox_bridge.turns.record import Record
from shared.protocol.bridge import Orders

RUN, STOP = Orders(do="run", prompt=5), Orders(do="stop", prompt=5)
UNFINISHED, OWING, SETTLED = Record(), Record(({"type": "execution_complete"},)), Record(())


def test_a_new_prompt_is_started_once_that_can_be():
    assert next_step(RUN, None, running=None, can_start=True) == Start(5)
    assert next_step(RUN, None, running=None, can_start=False) == Nothing()
    assert next_step(RUN, None, running=4, can_start=True) == Nothing()


def test_a_repeated_order_is_nothing_new():
    assert next_step(RUN, UNFINISHED, running=5, can_start=True) == Nothing()
    assert next_step(RUN, SETTLED, running=None, can_start=True) == Nothing()


def test_a_running_prompt_is_interrupted():
    assert next_step(STOP, UNFINISHED, running=5, can_start=True) == Interrupt(5)


def test_a_prompt_that_never_ran_is_stopped_at_once_even_before_the_boot_is_over():
    assert next_step(STOP, None, running=None, can_start=False) == Close(5, "stopped")
    assert next_step(STOP, None, running=4, can_start=True) == Close(5, "stopped")


def test_what_a_dead_bridge_left_unfinished_failed_or_is_stopped():
    assert next_step(RUN, UNFINISHED, running=None, can_start=False) == Close(5, "failed")
    assert next_step(STOP, UNFINISHED, running=None, can_start=False) == Close(5, "stopped")


def test_what_is_owed_is_said_again():
    assert next_step(RUN, OWING, running=None, can_start=False) == SayAgain(5)
    assert next_step(STOP, OWING, running=None, can_start=True) == SayAgain(5)


def test_without_an_order_for_a_prompt_nothing_is_done():
    for orders in (Orders(do="idle"), Orders(do="retire"), Orders(do="run")):
        assert next_step(orders, None, running=None, can_start=True) == Nothing()


@given(
    st.sampled_from([RUN, STOP]),
    st.sampled_from([None, UNFINISHED, OWING, SETTLED]),
    st.sampled_from([None, 4]),
)
def test_an_order_for_a_prompt_that_is_not_settled_always_moves_it(
    orders: Orders, record: Record | None, running: int | None
):
    """Liveness: as soon as nothing else runs, an order that is repeated does something."""
    step = next_step(orders, record, running=running, can_start=True)

    moves = step != Nothing()
    assert moves or record == SETTLED or (running == 4 and record is None and orders == RUN)
