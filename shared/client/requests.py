"""Building the bodies of requests, with a sentence for what cannot be one."""

from typing import Any
from uuid import uuid4

from pydantic import BaseModel, ValidationError

from shared.client.errors import Refused


def new_id() -> str:
    """The client's own name for a request: asking twice with it is asking once."""
    return uuid4().hex


def build[M: BaseModel](model: type[M], /, **values: Any) -> M:
    """Raises `Refused`, naming the field."""
    try:
        return model(**values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        if first["type"] == "string_pattern_mismatch":
            value = str(first["input"])[:80]
            raise Refused(f"{field}: {value!r} has characters it cannot have") from error
        raise Refused(f"{field}: {first['msg'].lower()}") from error
