"""Every error of the domain has its place in the one table."""

import pytest

from shared.app.ports.sandboxes import SandboxUnavailable
from shared.domain.errors import DomainError, Invalid, Rejected
from shared.edge.errors import HTTP_STATUS, http_status


def test_no_error_of_the_domain_is_forgotten():
    ours = {kind for kind in DomainError.__subclasses__() if kind.__module__.endswith("errors")}

    assert ours == set(HTTP_STATUS)


def test_a_derived_error_has_its_parents_status():
    assert http_status(SandboxUnavailable("busy")) == http_status_of("unavailable")


def http_status_of(code: str) -> int:
    return next(status for kind, status in HTTP_STATUS.items() if kind.code == code)


@pytest.mark.parametrize(
    ("error", "status"), [(Invalid("text", "needs words"), 422), (Rejected("no"), 409)]
)
def test_the_status_says_whose_fault_it_is(error: DomainError, status: int):
    assert http_status(error) == status
