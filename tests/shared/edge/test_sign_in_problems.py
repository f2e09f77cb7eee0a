"""Whatever stops a sign-in has a name that the page has words for."""

from collections.abc import Iterator
from typing import get_args

import pytest

from shared.domain.errors import DomainError, Forbidden, Invalid, Unauthenticated
from shared.edge.http.sign_in import problem_of
from shared.protocol.accounts import SignInProblem

NAMES = get_args(SignInProblem.__value__)


def _kinds(of: type[DomainError] = DomainError) -> Iterator[type[DomainError]]:
    yield of
    for kind in of.__subclasses__():
        yield from _kinds(kind)


@pytest.mark.parametrize("kind", [*_kinds()])
def test_every_error_has_one_of_the_names(kind: type[DomainError]):
    error = Invalid("code", "no") if kind is Invalid else kind("no")

    assert problem_of(error) in NAMES


def test_who_is_not_admitted_is_told_something_else_than_who_is_too_late():
    assert problem_of(Forbidden("no")) == "forbidden"
    assert problem_of(Unauthenticated("no")) == "unauthenticated"
