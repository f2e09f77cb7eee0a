"""Which session of OpenCode is the conversation of this sandbox; kept beside the workspace."""

from pathlib import Path
from typing import Final

from sandbox_bridge.harness.opencode.api import Api
from sandbox_bridge.harness.opencode.ids import message_id

_TITLE: Final = "Outboard"


class Conversation:
    def __init__(self, state_dir: Path) -> None:
        self._file = state_dir / "opencode-session"

    async def session(self, api: Api) -> str:
        """The one of earlier turns; a new one when there is none or OpenCode has lost it."""
        known = self._file.read_text().strip() if self._file.exists() else ""
        if known and await api.has_session(known):
            return known
        session = await api.create_session(_TITLE)
        # Renamed into place: a sandbox that is killed here finds the old one or the new one.
        unfinished = self._file.with_suffix(".new")
        unfinished.write_text(session)
        unfinished.replace(self._file)
        return session


async def next_message(api: Api, session: str, now_ms: int) -> str:
    last = await api.messages(session, limit=1)
    return message_id(now_ms, last[-1]["info"]["id"] if last else None)
