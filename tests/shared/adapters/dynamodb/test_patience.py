"""How long a call of unknown result is asked about again."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from shared.adapters.dynamodb.failures import Unknown
from shared.adapters.dynamodb.patience import Patience
from shared.domain.errors import Contended, NotFound, Unavailable


class Flaky:
    def __init__(self, *results: Exception | str) -> None:
        self._results = list(results)

    def __call__(self) -> str:
        result = self._results.pop(0)
        if isinstance(result, Exception):
            raise result
        return result


def patient(pauses: list[float], random: Callable[[], float] = lambda: 1.0) -> Patience:
    return Patience(
        sleep=pauses.append,
        random=random,
        tries=5,
        first=timedelta(milliseconds=20),
        longest=timedelta(milliseconds=60),
    )


def test_an_unknown_result_is_asked_about_until_it_is_known():
    pauses: list[float] = []

    answer = patient(pauses).insist(Flaky(Unknown("ReadTimeoutError"), Unknown("x"), "known"))

    assert answer == "known"
    assert len(pauses) == 2


def test_pauses_double_up_to_the_longest():
    pauses: list[float] = []

    with pytest.raises(Unavailable):
        patient(pauses).insist(Flaky(*[Unknown("x")] * 5))

    assert pauses == [0.02, 0.04, 0.06, 0.06]


def test_pauses_are_jittered_down_to_nothing():
    pauses: list[float] = []

    patient(pauses, random=lambda: 0.25).insist(Flaky(Unknown("x"), "known"))

    assert pauses == [0.005]


def test_the_last_reason_decides_what_the_caller_is_told():
    conflict = Unknown("TransactionConflict", contended=True)

    with pytest.raises(Contended):
        patient([]).insist(Flaky(*[Unknown("x")] * 4, conflict))


def test_what_is_known_is_not_asked_again():
    with pytest.raises(NotFound):
        patient([]).insist(Flaky(NotFound("no"), "never reached"))
