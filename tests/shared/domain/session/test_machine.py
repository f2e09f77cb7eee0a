"""A session in a world where everything comes late, twice, wrongly or not at all.

Safety is asserted at each commit (`ledger`) and between any two things that happen (`world`).
Liveness is asserted at the end: from wherever the machine got to, a world in which nothing goes
wrong any more brings every prompt to its end and puts the sandbox away.
"""

from datetime import timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from shared.domain.session import commands
from shared.domain.session.commands import Clock
from shared.domain.session.sandbox import MAX_FAILED_WAKES
from shared.domain.session.state import PromptStatus, SessionStatus
from tests.shared.domain.session.machine import ADA, ENDS, LUCK
from tests.shared.domain.session.misfortunes import PICK, Misfortunes
from tests.shared.domain.session.situations import submit
from tests.shared.domain.session.stories import reports, stories
from tests.shared.domain.session.workflow import Luck, Step

FAIR_ROUNDS = 1_000


class SessionMachine(Misfortunes):
    @precondition(lambda self: self.world.ledger.effects)
    @rule(pick=PICK, again=st.booleans())
    def perform(self, pick: int, again: bool) -> None:
        effects = self.world.ledger.effects
        effect = effects[pick % len(effects)]
        self.world.perform(effect)
        if not again:
            effects.remove(effect)

    @precondition(lambda self: self.world.living())
    @rule(pick=PICK, luck=LUCK, steps=st.integers(1, 4))
    def step_life(self, pick: int, luck: Luck, steps: int) -> None:
        life = self.world.living()[pick % len(self.world.living())]
        for _ in range(steps):
            life.go(luck)

    @precondition(lambda self: self.session.attempt)
    @rule(wrongly=st.booleans())
    def reap(self, wrongly: bool) -> None:
        assert self.session.attempt is not None
        if wrongly:
            self.tell(commands.LifeEnded(self.session.attempts, self.session.attempt.life))
        else:
            self.world.reap()

    @precondition(lambda self: self.world.lives and len(self.world.living()) < 3)
    @rule(pick=PICK)
    def run_a_life_twice(self, pick: int) -> None:
        life = self.world.lives[pick % len(self.world.lives)]
        self.world.start_life(life.attempt, life.number)

    @precondition(lambda self: any(life.step is Step.WAITING for life in self.world.lives))
    @rule(clock=st.sampled_from(Clock), pick=PICK, knows=st.booleans())
    def run_out_of_time(self, clock: Clock, pick: int, knows: bool) -> None:
        waiting = [life for life in self.world.lives if life.step is Step.WAITING]
        life = waiting[pick % len(waiting)]
        life.ask(clock, self.world.heard.get(life.attempt), knows=knows)

    @precondition(lambda self: self.world.bridges())
    @rule(pick=PICK, ends=ENDS, steps=st.integers(1, 6), obeys_first=st.booleans())
    def step_bridge(self, pick: int, ends: PromptStatus, steps: int, obeys_first: bool) -> None:
        sandbox, bridge = self.world.bridges()[pick % len(self.world.bridges())]
        for _ in range(steps):
            self.world.step_bridge(sandbox, bridge, ends, obeys_first=obeys_first)

    @rule(ahead=st.integers(-1, 1), back=st.integers(-1, 2), pick=st.integers(0, 15))
    def lie(self, ahead: int, back: int, pick: int) -> None:
        """A bridge tells of attempts and prompts that are not its own, or not yet."""
        said = reports(self.session.attempts + ahead, self.session.prompts - back)
        before, left = self.session, {*self.world.ledger.history.left}
        self.tell(said[pick % len(said)])
        self.world.invented |= {*self.world.ledger.history.left} - left
        if self.session != before:
            self.world.lied_about.add(before.attempts)
        files, kept = before.workspace.provider_id, self.session.workspace.provider_id
        if files is not None and kept is None:
            self.world.ledger.history.replaced.add(files)
            self.world.provider.disaster = True  # it has done away with its own files

    @rule()
    def nothing_that_could_come_now_would_do_harm(self) -> None:
        """Each story is tried on a copy: the checks are the ledger's."""
        for story in stories(self.session.attempts, self.session.prompts):
            ledger = self.world.ledger.copy()
            for command in story:
                ledger.tell(command)

    @precondition(lambda self: self.session.attempts)
    @rule(back=st.integers(0, 1), watched=st.booleans(), late=st.booleans(), saves=st.booleans())
    def poke(self, back: int, watched: bool, late: bool, saves: bool) -> None:
        """Early, late, twice, in the middle of a copy, or about an attempt that is over."""
        if saves:
            self.tell(commands.SaveFiles(ADA))
        if late:
            self.world.pass_time(timedelta(minutes=11))
        self.tell(commands.Poke(self.session.attempts - back, watched))

    @precondition(lambda self: self.world.ledger.heard)
    @rule(pick=st.integers(1, 30))
    def repeat_what_was_said(self, pick: int) -> None:
        heard = self.world.ledger.heard
        command = heard[-min(pick, len(heard))]
        if not isinstance(command, commands.Cancel | commands.SubmitPrompt):
            self.tell(command)

    @invariant()
    def something_will_move_what_waits(self) -> None:
        self.world.check()

    def teardown(self) -> None:
        self.come_to_rest()
        if self.session.status is not SessionStatus.CANCELLED:
            self.tell(commands.Unarchive(ADA))
            self.the_next_prompt_works()

    def the_next_prompt_works(self) -> None:
        """Where nothing boots any more: from the copy, else from what was pushed."""
        for _ in range(1 + self.wakes_in_vain()):
            self.tell(submit())
            self.come_to_rest()
            if self.session.last_outcome is PromptStatus.COMPLETED:
                return
        assert self.wakes_in_vain(), "the next prompt just works"
        self.tell(commands.BeginAnew(ADA))
        self.tell(submit())
        self.come_to_rest()
        assert self.session.last_outcome is PromptStatus.COMPLETED, "there is a way out"

    def wakes_in_vain(self) -> int:
        box = self.world.provider.get(self.session.workspace.provider_id)
        return MAX_FAILED_WAKES if box is not None and box.disk.broken else 0

    def come_to_rest(self) -> None:
        for _ in range(FAIR_ROUNDS):
            if self.world.at_rest():
                break
            self.world.act_fairly()
            self.world.check()
        assert self.world.at_rest(), "a fair world brings everything to its end"
        assert self.session.status is not SessionStatus.ACTIVE
        finished = sorted(self.world.ledger.history.finished)
        assert finished == list(range(1, self.session.prompts + 1))


TestSession = SessionMachine.TestCase
TestSession.settings = settings(max_examples=150, stateful_step_count=50, deadline=None)
