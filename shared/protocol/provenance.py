"""Where a session's repositories came from, when somebody has not named them for it alone."""

from shared.protocol.base import Strict


class SessionEnvironment(Strict):
    """The session has a copy of it, which nothing changes any more."""

    id: str
    name: str
    """Its present one, if `deleted` is not null; else, and of one that is gone, the one it had."""
    deleted: bool | None = None
    """null: nobody has looked, as nobody does for a list or a push."""
