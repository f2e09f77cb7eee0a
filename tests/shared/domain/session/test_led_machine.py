"""Sessions that begin where a free story hardly ever comes, and go on from there as any other.

`python -m tests.shared.domain.session.mutants` tries with these what only shows in such places.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize

from shared.domain.session import commands
from shared.domain.session.failures import Failure
from shared.domain.session.rules import DEFAULT_RULES
from shared.domain.session.sandbox import MAX_FAILED_WAKES, Boot
from shared.domain.session.state import PromptStatus
from tests.shared.domain.session.machine import FIRST_LUCK, ROUNDS
from tests.shared.domain.session.test_machine import SessionMachine
from tests.shared.domain.session.workflow import IMAGE, Luck

MANY_ROUNDS = 200
PLACES = ["beside files that do not boot", "an unknown end", "a warm-up from a bad image"]


class LedMachine(SessionMachine):
    @initialize(place=st.sampled_from(PLACES), rounds=ROUNDS, luck=FIRST_LUCK, more=st.booleans())
    def begin(self, place: str, rounds: int, luck: Luck, *, more: bool) -> None:
        match place:
            case "beside files that do not boot":
                self.restore_beside(late=more)
            case "an unknown end":
                self.wait_for_an_unknown_end(beats=1 + more)
            case _:
                self.warm_up_in_vain(gone=more)
        self.go_on_with_little_luck(rounds, luck, PromptStatus.COMPLETED)

    def restore_beside(self, *, late: bool) -> None:
        """The copy is older than they are. `late`: it boots before the provider has answered."""
        self.submit("go", 1)
        self.go_on_until(lambda: self.session.attempt is None)
        self.submit("go", 1)
        self.go_on_until(lambda: self.session.running)
        self.go_on_until(lambda: self.session.attempt is None, "busy")
        box = self.world.provider.get(self.session.workspace.provider_id)
        assert box is not None
        box.disk = replace(box.disk, broken=True)
        self.submit("go", MAX_FAILED_WAKES + 1)
        self.go_on_until(lambda: self.session.attempt is not None and self.session.attempt.beside)
        if late:
            self.go_on_until(self.world.bridges, "error after the start")

    def wait_for_an_unknown_end(self, *, beats: int) -> None:
        self.submit("go", 2)
        serves = lambda: self.session.attempt is not None and self.session.attempt.serves  # noqa: E731
        self.go_on_until(serves, "end unknown")
        for _ in range(beats):
            self.pass_and_beat(DEFAULT_RULES.expiry_patience + timedelta(seconds=1), beats=True)

    def warm_up_in_vain(self, *, gone: bool) -> None:
        self.world.provider.images = {IMAGE}
        self.tell(commands.Warm())
        begins_with = lambda: self.session.attempt and self.session.attempt.boot  # noqa: E731
        self.go_on_until(lambda: begins_with() is Boot.IMAGE)
        if gone:
            self.world.provider.images = set()
        else:
            self.tell(commands.GiveUp(self.session.attempts, "no disk", Failure.AGENT))

    def go_on_until(self, there: Callable[[], object], luck: Luck = "well") -> None:
        for _ in range(MANY_ROUNDS):
            if there():
                return
            self.world.act(luck)
        raise AssertionError("nothing has led there")


TestLed = LedMachine.TestCase
TestLed.settings = settings(max_examples=20, stateful_step_count=20, deadline=None)
