"""What follows a commit: its effects are performed, watchers and the bridge are told.

None of it decides anything. Effects that are not performed here are taken up by the sweep; watchers
that are not reached fetch what they missed; the bridge is told again at its next heartbeat.
"""

from dataclasses import dataclass

from shared.app.audiences import Audiences
from shared.app.effects import Effects
from shared.app.ports.sessions import Committed
from shared.domain.session.orders import orders
from shared.domain.session.state import Session


@dataclass(frozen=True, slots=True)
class Aftermath:
    effects: Effects
    audiences: Audiences

    def follow(
        self, before: Session, after: Session, committed: Committed, *, publish: bool = True
    ) -> None:
        """`publish=False`: whoever stored a bridge's frame also pushes it, and sends the answer."""
        if not committed.already:
            self.effects.perform_all(committed.effects)
        if publish and committed.entry is not None:
            self.audiences.publish(after.id, committed.entry)
        self._hint(before, after)

    def _hint(self, before: Session, after: Session) -> None:
        attempt = before.attempt or after.attempt
        if attempt is None:
            return
        was, now = orders(before, attempt.number), orders(after, attempt.number)
        if was != now:
            self.audiences.hint(after.id, attempt.number, now)
