"""A session in a simulated world, and what its people do to it."""

from datetime import timedelta
from typing import get_args

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from shared.domain.session import commands
from shared.domain.session.state import PromptStatus, Session
from tests import build
from tests.shared.domain.session.sandboxes import Sandbox
from tests.shared.domain.session.situations import submit
from tests.shared.domain.session.stories import ANOTHER_TARGET
from tests.shared.domain.session.workflow import Luck
from tests.shared.domain.session.world import World

ADA = build.ADA.user

ENDS = st.sampled_from([PromptStatus.COMPLETED, PromptStatus.FAILED])
LUCK = st.sampled_from(get_args(Luck.__value__))
FIRST_LUCK = LUCK | st.just("well")
ROUNDS = st.sampled_from([0, 1, 3, 6, 9, 12])
MINUTES = st.sampled_from([0.1, 1, 1.6, 5, 11, 61])


class People(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.world = World()

    @property
    def session(self) -> Session:
        return self.world.ledger.session

    @property
    def asleep(self) -> list[Sandbox]:
        boxes = self.world.provider.sandboxes
        return [box for box in boxes if box.exists and box.bridge is None]

    def tell(self, command: commands.Command) -> None:
        self.world.ledger.tell(command)

    @initialize(prompts=st.integers(0, 3), rounds=ROUNDS, luck=FIRST_LUCK, warm=st.booleans())
    def begin(self, prompts: int, rounds: int, luck: Luck, warm: bool) -> None:
        if warm:
            self.tell(commands.Warm())
            self.go_on_with_little_luck(rounds, luck, PromptStatus.COMPLETED)
        self.submit("go", prompts)
        self.go_on_with_little_luck(rounds, luck, PromptStatus.COMPLETED)

    @rule(rounds=st.integers(1, 8))
    def go_on(self, rounds: int) -> None:
        """For a while all goes well."""
        for _ in range(rounds):
            self.world.act_fairly()

    @rule(rounds=st.integers(1, 15), luck=LUCK, ends=ENDS)
    def go_on_with_little_luck(self, rounds: int, luck: Luck, ends: PromptStatus) -> None:
        for _ in range(rounds):
            self.world.act(luck, ends)

    @rule(text=st.sampled_from(["go", " ", "x" * 64_001]), times=st.sampled_from([1, 1, 2, 51]))
    def submit(self, text: str, times: int) -> None:
        for _ in range(times):
            self.tell(submit(text))

    @rule(back=st.integers(0, 3))
    def unqueue(self, back: int) -> None:
        self.tell(commands.CancelPrompt(self.session.prompts - back))

    @rule(times=st.integers(1, 2))
    def stop(self, times: int) -> None:
        for _ in range(times):
            self.tell(commands.Stop(ADA))

    @precondition(lambda self: self.session.prompts > 2)
    @rule(sure=st.booleans())
    def cancel(self, sure: bool) -> None:
        if sure:
            self.tell(commands.Cancel(ADA))

    @rule(
        what=st.sampled_from([commands.Archive(ADA), commands.Unarchive(ADA), commands.Rename("x")])
    )
    def manage(self, what: commands.Command) -> None:
        self.tell(what)

    @rule(
        what=st.sampled_from(
            [
                commands.ResumeQueue(ADA),
                commands.SaveFiles(ADA),
                commands.BeginAnew(ADA),
                commands.Warm(),
                commands.Warm(),
                commands.Choose(target=ANOTHER_TARGET),
                commands.Choose(model="other"),
            ]
        )
    )
    def want(self, what: commands.Command) -> None:
        self.tell(what)

    @rule(minutes=MINUTES)
    def let_time_pass(self, minutes: float) -> None:
        self.world.pass_time(timedelta(minutes=minutes))
