"""When a sandbox has to be put away before its provider does it."""

from datetime import datetime

from shared.domain.session.rules import Rules
from shared.domain.session.sandbox import Attempt


def drain_at(attempt: Attempt, rules: Rules) -> datetime | None:
    """None: nobody knows, because the provider has not said when it ends.

    A provider may give less than it was asked for. The buffer is then half of that at most: one
    that was all of it would leave no time in which to work.
    """
    if attempt.expires_at is None:
        return None
    buffer = rules.final_buffer
    if attempt.boot_due is not None:
        begun = attempt.boot_due - rules.boot_budget
        buffer = min(buffer, (attempt.expires_at - begun) / 2)
    return attempt.expires_at - buffer
