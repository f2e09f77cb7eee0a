"""The one-shot schedule of an idle attempt fired."""

from typing import Any

from shared.domain.session.state import SessionId
from shared.wiring import app


def lambda_handler(event: dict[str, Any], _context: Any) -> None:
    app().idleness.poke(SessionId(event["session"]), int(event["attempt"]))
