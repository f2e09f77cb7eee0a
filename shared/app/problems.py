"""The first thing that is wrong with a message, in words that name the field."""

from dataclasses import dataclass

from pydantic import ValidationError


@dataclass(frozen=True, slots=True)
class Problem:
    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.field}: {self.message}"


def first_problem(error: ValidationError) -> Problem:
    """Without the input itself: it may be anything, and long."""
    found = error.errors(include_input=False, include_url=False, include_context=False)[0]
    field = ".".join(str(part) for part in found["loc"]) or "message"
    return Problem(field, found["msg"])
