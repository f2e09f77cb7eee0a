"""The postures of a wire message, and the field types that several wires share."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints
from pydantic.alias_generators import to_camel

METERED_BYTES = 32 * 1024
"""API Gateway meters a WebSocket message in pieces of 32 KB; one to a browser is one piece."""

MAX_MESSAGE_BYTES = 128 * 1024
"""API Gateway closes a socket with 1009 when a message is larger."""

MAX_SLOT = 10**12 - 2
"""Of a timeline; keys have twelve digits for it, and one more has to be behind it."""

MAX_PROMPT = 10**6 - 2
"""As with slots: six digits."""

type Identifier = Annotated[
    str, StringConstraints(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")
]


class Strict(BaseModel):
    """From a client that ships with this server: an unknown field is a bug worth hearing about."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True
    )


class Tolerant(BaseModel):
    """Between server and bridge, which may be of different ages.

    A paused sandbox wakes up with the bridge it fell asleep with, so unknown fields are let pass.
    """

    model_config = ConfigDict(
        frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True
    )


type BranchName = Annotated[
    str,
    StringConstraints(min_length=1, max_length=200, pattern=r"^[A-Za-z0-9][A-Za-z0-9._/+@=-]*$"),
]
