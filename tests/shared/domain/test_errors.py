"""The errors of the domain carry codes that clients branch on."""

import pytest

from shared.domain import errors


def test_every_error_has_a_code_of_its_own():
    derived = errors.DomainError.__subclasses__()
    kinds = [kind for kind in derived if kind.__module__ == errors.__name__]

    codes = [kind.code for kind in kinds]

    assert sorted(codes) == [
        "conflict",
        "contended",
        "forbidden",
        "invalid",
        "not_found",
        "rejected",
        "unauthenticated",
        "unavailable",
    ]


def test_what_is_invalid_names_its_field():
    with pytest.raises(errors.DomainError, match="text: a prompt needs words") as raised:
        raise errors.Invalid("text", "a prompt needs words")

    assert raised.value.args == ("text: a prompt needs words",)
    assert isinstance(raised.value, errors.Invalid)
    assert raised.value.field == "text"


def test_the_class_names_are_what_step_functions_branches_on():
    retried = {errors.Contended.__name__, errors.Unavailable.__name__}

    assert retried == {"Contended", "Unavailable"}
