"""What an operator may ask, by invoking a function with IAM's permission."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, TypeAdapter

from shared.protocol.api import NewRepository
from shared.protocol.base import Strict


class EnsureOwner(Strict):
    """The first user of a deployment."""

    action: Literal["ensure_owner"] = "ensure_owner"
    name: str


class RenewToken(Strict):
    action: Literal["renew_token"] = "renew_token"
    name: str


class RegisterImage(Strict):
    """An image that was built by hand: from now on sessions on these very repositories, with their
    branches and in this order, begin with it.
    """

    action: Literal["register_image"] = "register_image"
    repositories: list[NewRepository] = Field(min_length=1, max_length=20)
    image: Annotated[str, StringConstraints(min_length=1, max_length=300)]


class ForgetImage(Strict):
    action: Literal["forget_image"] = "forget_image"
    repositories: list[NewRepository] = Field(min_length=1, max_length=20)


type FromOperator = Annotated[
    EnsureOwner | RenewToken | RegisterImage | ForgetImage, Field(discriminator="action")
]

FROM_OPERATOR: TypeAdapter[FromOperator] = TypeAdapter(FromOperator)
