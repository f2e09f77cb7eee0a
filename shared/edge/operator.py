"""What an operator asks with IAM's permission, past every other door."""

from collections.abc import Mapping
from typing import Any

from shared.app.accounts import Accounts
from shared.domain.errors import Invalid


def answer_operator(event: Mapping[str, Any], accounts: Accounts) -> dict[str, Any]:
    """`token` is shown this once; without it the user was there before. Raises `Invalid`."""
    match event.get("action"):
        case "ensure_owner":
            user, token = accounts.ensure_owner(event["name"])
        case "renew_token":
            user, token = accounts.renew_as_operator(event["name"])
        case unknown:
            raise Invalid("action", f"{unknown!r} is not known here")
    return {"name": user.name, "token": token} if token else {"name": user.name, "exists": True}
