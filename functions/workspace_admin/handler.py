"""What an operator asks by invoking this function: it has no other door than IAM."""

from typing import Any

from shared.edge.operator import answer_operator
from shared.wiring import app


def lambda_handler(event: dict[str, Any], _context: Any) -> dict[str, Any]:
    return answer_operator(event, app().accounts, app().images)
