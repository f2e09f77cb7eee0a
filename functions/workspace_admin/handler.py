"""What an operator asks by invoking this function: it has no other door than IAM."""

from typing import Any

from shared.domain.errors import Invalid
from shared.wiring import app


def lambda_handler(event: dict[str, Any], _context: Any) -> dict[str, Any]:
    accounts = app().accounts
    match event.get("action"):
        case "ensure_owner":
            user, token = accounts.ensure_owner(event["name"])
        case "renew_token":
            user, token = accounts.renew_as_operator(event["name"])
        case unknown:
            raise Invalid("action", f"{unknown!r} is not known here")
    return {"name": user.name, "token": token} if token else {"name": user.name, "exists": True}
