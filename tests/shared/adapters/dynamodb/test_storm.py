"""The timeline under fault: whatever happens, the log is dense, in order, each frame once."""

from random import Random
from threading import Barrier, Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.errors import Contended, Unavailable
from shared.domain.timeline import Frame
from tests.build import NOW
from tests.fakes.store_faults import Fault
from tests.shared.adapters.dynamodb.storm import S, Storm
from tests.shared.adapters.dynamodb.worlds import World, in_memory


@given(random=st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_the_fake_stores_each_frame_once_and_in_order_in_any_storm(random: Random):
    storm = Storm(in_memory(), random)

    storm.rage(turns=20)

    storm.check(storm.calm())


@pytest.mark.local_aws
@pytest.mark.parametrize("seed", range(3))
def test_dynamodb_stores_each_frame_once_and_in_order_in_any_storm(dynamodb: World, seed: int):
    storm = Storm(dynamodb, Random(seed))

    storm.rage(turns=45)

    storm.check(storm.calm())


@pytest.mark.local_aws
def test_frames_delivered_to_two_lambdas_at_once_are_stored_once(dynamodb: World):
    random = Random(7)
    faults = (Fault.DROPPED, Fault.LOST, Fault.CONFLICT, None, None, None)
    dynamodb.faults.follow(iter(lambda: random.choice(faults), object()))
    answers: dict[str, set[int]] = {f"frame-{number}": set() for number in range(20)}
    together = Barrier(2, timeout=60)

    def deliver() -> None:
        after = 0
        for name, seqs in answers.items():
            together.wait()
            after = _answered(dynamodb, Frame(name, (), attempt=1), after)
            seqs.add(after)

    def chatter(name: str) -> None:
        for number in range(20):
            _answered(dynamodb, Frame(f"{name}-{number}", ()), number // 2)

    threads = [Thread(target=deliver), Thread(target=deliver)]
    threads += [Thread(target=chatter, args=(name,)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    log = dynamodb.timeline.after(S, 0, limit=200)
    assert [entry.seq for entry in log] == list(range(1, 61))
    assert len({entry.frame.id for entry in log}) == 60
    assert [entry.frame.id for entry in log if entry.frame.attempt] == list(answers)
    assert all(len(seqs) == 1 for seqs in answers.values())


def _answered(world: World, frame: Frame, after: int) -> int:
    while True:
        try:
            return world.timeline.append(S, frame, after=after, now=NOW).entry.seq
        except (Unavailable, Contended):
            continue
