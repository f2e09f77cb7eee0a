"""What an operator asks with IAM's permission, past every other door."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from shared.app.accounts import Accounts
from shared.app.desk import repository_of
from shared.app.ports.images import Images
from shared.app.ports.workspace import User
from shared.app.problems import first_problem
from shared.domain.errors import Invalid
from shared.domain.session.state import Repository
from shared.protocol import operator as wire
from shared.protocol.api import NewRepository


def answer_operator(event: Mapping[str, Any], accounts: Accounts, images: Images) -> dict[str, Any]:
    """Raises `Invalid`."""
    match _read(event):
        case wire.EnsureOwner(name=name):
            return _told(*accounts.ensure_owner(name))
        case wire.RenewToken(name=name):
            return _told(*accounts.renew_as_operator(name))
        case wire.RegisterImage(repositories=repositories, image=image):
            images.register(_target(repositories), image)
            return {"image": image}
        case wire.ForgetImage(repositories=repositories):
            images.forget(_target(repositories))
            return {"image": None}


def _read(event: Mapping[str, Any]) -> wire.FromOperator:
    try:
        return wire.FROM_OPERATOR.validate_python(event)
    except ValidationError as error:
        problem = first_problem(error)
        raise Invalid(problem.field, problem.message) from error


def _target(repositories: Sequence[NewRepository]) -> tuple[Repository, ...]:
    return tuple(map(repository_of, repositories))


def _told(user: User, token: str | None) -> dict[str, Any]:
    """`token` is shown this once; without it the user was there before."""
    return {"name": user.name, "token": token} if token else {"name": user.name, "exists": True}
