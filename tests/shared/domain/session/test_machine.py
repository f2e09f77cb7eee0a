"""A session in a world where everything comes late, twice, wrongly or not at all.

Safety is asserted at each commit (`ledger`) and between any two things that happen (`world`).
Liveness is asserted at the end: from wherever the machine got to, a world in which nothing goes
wrong any more brings every prompt to its end and puts the sandbox away.
"""

from datetime import timedelta
from typing import get_args

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from shared.domain.session import commands
from shared.domain.session.commands import Clock
from shared.domain.session.failures import Failure
from shared.domain.session.lifetime import drain_at
from shared.domain.session.rules import DEFAULT_RULES
from shared.domain.session.state import Boot, PromptStatus, ProviderId, Session, SessionStatus, Wait
from tests import build
from tests.shared.domain.session.sandboxes import Sandbox
from tests.shared.domain.session.situations import finish_of, submit
from tests.shared.domain.session.workflow import IMAGE, Luck, Step
from tests.shared.domain.session.world import World

ADA = build.ADA.user
ENDS = st.sampled_from([PromptStatus.COMPLETED, PromptStatus.FAILED])
PICK = st.integers(0, 7)
SOME_ROUNDS = st.integers(0, 6)
SUFFERINGS = st.sampled_from(["damage", "loss", "loss of everything"])
LUCK = st.sampled_from(get_args(Luck.__value__))
FIRST_LUCK = LUCK | st.just("well")
ROUNDS = st.sampled_from([0, 1, 3, 6, 9, 12])
MINUTES = st.sampled_from([0.1, 1, 1.6, 5, 11, 61])
BRIDGE_TROUBLES = ["dies", "hangs", "restarts", "is paused", "gives up", "its script fails"]
FAIR_ROUNDS = 1_000
ANOTHER_BOX = ProviderId("another box")
ANOTHER_TARGET = (build.repository("other"),)


def reports(attempt: int, prompt: int) -> list[commands.Command]:
    return [
        commands.Connect(attempt, marker=prompt),
        commands.Beat(attempt),
        commands.ReportPhase(attempt=attempt, phase="harness"),
        commands.BecomeReady(attempt),
        commands.BecomeReady(attempt, complete=False),
        commands.CompleteBoot(attempt),
        commands.RecordPush(attempt, prompt, "tool", "outboard/s1", "c1"),
        finish_of(attempt, prompt, PromptStatus.COMPLETED),
        commands.GiveUp(attempt, "no disk"),
        commands.GiveUp(attempt, "start.sh failed", Failure.SCRIPT),
        commands.GiveUp(attempt, "no such branch", Failure.REPOSITORY),
    ]


def of_workflow(attempt: int) -> list[commands.Command]:
    box = ANOTHER_BOX
    return [
        commands.Launching(attempt, "another hash", "key"),
        commands.UseImage(attempt, "another image"),
        commands.Launched(attempt, box, None),
        commands.LaunchFailed(attempt, "no capacity"),
        commands.LaunchFailed(attempt, "no such template", Failure.PERMANENT),
        *(commands.FilesGone(attempt, boot) for boot in Boot),
        commands.Vanished(attempt, box),
        commands.Saved(attempt, "another copy", turn=99, marker=99),
        commands.SaveFailed(attempt, "no space"),
        *(commands.Arm(attempt, wait, f"another for {wait}") for wait in Wait),
        *(commands.TimedOut(attempt, wait, clock, None) for wait in Wait for clock in Clock),
        commands.LifeEnded(attempt, life=1),
        commands.Retire(attempt, None),
        commands.Retire(attempt, box),
        commands.Poke(attempt, watched=False),
    ]


def stories(attempt: int, prompt: int) -> list[list[commands.Command]]:
    people = [
        commands.Stop(ADA),
        commands.Cancel(ADA),
        commands.Archive(ADA),
        submit(),
        commands.ResumeQueue(ADA),
        commands.SaveFiles(ADA),
        commands.Warm(),
        commands.Choose(target=ANOTHER_TARGET),
    ]
    single = (*people, *reports(attempt, prompt), *of_workflow(attempt))
    late = [commands.Launching(attempt, "late hash", "key"), *reports(attempt, prompt)]
    return [
        *([command] for command in single),
        [commands.BecomeReady(attempt), *of_workflow(attempt)],
        [commands.BecomeReady(attempt), commands.SaveFiles(ADA), *of_workflow(attempt)],
        [
            commands.BecomeReady(attempt),
            commands.Saved(attempt, "newer", turn=98, marker=98),
            commands.Saved(attempt, "older", turn=97, marker=97),
        ],
        [
            *(commands.FilesGone(attempt, boot) for boot in Boot),
            commands.BecomeReady(attempt),
            commands.Retire(attempt, None),
        ],
        [commands.GiveUp(attempt, "no disk"), *late, commands.Retire(attempt, None)],
        [
            commands.Connect(attempt, marker=0),
            commands.Launched(attempt, ANOTHER_BOX, None),
            commands.Retire(attempt, ANOTHER_BOX),
        ],
        [
            commands.Choose(target=ANOTHER_TARGET),
            commands.Launched(attempt, ANOTHER_BOX, None),
            commands.Saved(attempt, "another copy", turn=99, marker=99),
            commands.Retire(attempt, ANOTHER_BOX),
        ],
        [commands.Choose(target=ANOTHER_TARGET), commands.Retire(attempt, None)],
        [
            commands.Choose(target=ANOTHER_TARGET),
            commands.Archive(ADA),
            commands.Retire(attempt, None),
        ],
        [commands.LifeEnded(attempt, life) for life in range(1, 6)],
    ]


class SessionMachine(RuleBasedStateMachine):
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

    @precondition(lambda self: not self.session.attempt or not self.session.attempt.connected)
    @rule(times=st.integers(1, 4))
    def be_refused_for_a_while(self, times: int) -> None:
        """Until the session itself does not want to try any more."""
        self.submit("go", times)
        for _ in range(10 * times):
            self.world.act("refused")

    @precondition(lambda self: self.session.attempt and self.session.attempt.ready)
    @rule(
        hangs=st.booleans(), beats=st.booleans(), more=st.integers(0, 2), rounds=st.integers(0, 6)
    )
    def come_to_the_end_of_a_lifetime(
        self, hangs: bool, beats: bool, more: int, rounds: int
    ) -> None:
        """In the middle of a turn, or with nothing to do."""
        assert self.session.attempt is not None
        until = drain_at(self.session.attempt, DEFAULT_RULES)
        if until is None:
            return
        self.world.pass_time(max(timedelta(), until - self.world.ledger.now))
        self.submit("and more", more)
        for _, bridge in self.world.bridges():
            if beats:
                self.world.beat(bridge)
            bridge.hung = bridge.hung or hangs
        for _ in range(rounds):
            self.world.act()

    @precondition(lambda self: self.session.workspace.exists)
    @rule(suffers=SUFFERINGS, more=st.integers(0, 2), rounds=st.integers(0, 8))
    def sleep_badly(self, suffers: str, more: int, rounds: int) -> None:
        """It is put away, and something happens to it before it wakes."""
        for _ in range(60):
            if self.session.attempt is None:
                break
            self.world.act_fairly()
        box = self.world.provider.get(self.session.workspace.provider_id)
        if box is None or self.session.attempt is not None:
            return
        if suffers == "damage":
            self.world.provider.damage(box)
        else:
            self.world.provider.lose(box)
        if suffers == "loss of everything":
            self.world.provider.lose_copies()
        self.submit("go on", more)
        for _ in range(rounds):
            self.world.act()

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
                commands.Warm(),
                commands.Warm(),
                commands.Choose(target=ANOTHER_TARGET),
                commands.Choose(model="other"),
            ]
        )
    )
    def want(self, what: commands.Command) -> None:
        self.tell(what)

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

    @precondition(lambda self: self.world.living())
    @rule(pick=PICK, how=st.sampled_from(["begins again", "gives up", "dies"]))
    def break_a_life(self, pick: int, how: str) -> None:
        life = self.world.living()[pick % len(self.world.living())]
        match how:
            case "begins again":
                life.begin_again()
            case "gives up":
                life.catch_the_unexpected()
            case _:
                life.die()

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

    @precondition(lambda self: self.world.bridges())
    @rule(pick=PICK, how=st.sampled_from(BRIDGE_TROUBLES))
    def trouble_a_bridge(self, pick: int, how: str) -> None:
        sandbox, bridge = self.world.bridges()[pick % len(self.world.bridges())]
        match how:
            case "dies":
                bridge.alive = False
            case "hangs":
                bridge.hung = True
            case "restarts":
                bridge.restart()
            case "is paused":
                sandbox.pause()
            case "its script fails":
                self.tell(commands.GiveUp(bridge.attempt, "start.sh failed", Failure.SCRIPT))
            case _:
                self.tell(commands.GiveUp(bridge.attempt, "no disk"))

    @precondition(lambda self: self.world.provider.sandboxes)
    @rule(pick=PICK, sure=st.integers(0, 3))
    def lose_a_sandbox(self, pick: int, sure: int) -> None:
        boxes = self.world.provider.sandboxes
        if not sure:
            self.world.provider.lose(boxes[pick % len(boxes)])
            self.world.find_vanished()

    @precondition(lambda self: self.asleep)
    @rule(pick=PICK, sure=st.integers(0, 2))
    def damage_a_sandbox(self, pick: int, sure: int) -> None:
        if not sure:
            self.world.provider.damage(self.asleep[pick % len(self.asleep)])

    @rule(sure=st.integers(0, 5))
    def lose_the_copies(self, sure: int) -> None:
        if not sure:
            self.world.provider.lose_copies()

    @rule()
    def build_or_lose_the_image(self) -> None:
        self.world.provider.images ^= {IMAGE}

    @rule(ahead=st.integers(-1, 1), back=st.integers(-1, 2), pick=PICK)
    def lie(self, ahead: int, back: int, pick: int) -> None:
        """A bridge tells of attempts and prompts that are not its own, or not yet."""
        said = reports(self.session.attempts + ahead, self.session.prompts - back)
        before = {*self.world.ledger.history.left}
        self.tell(said[pick % len(said)])
        self.world.invented |= {*self.world.ledger.history.left} - before

    @rule()
    def nothing_that_could_come_now_would_do_harm(self) -> None:
        """Each story is tried on a copy: the checks are the ledger's."""
        for story in stories(self.session.attempts, self.session.prompts):
            ledger = self.world.ledger.copy()
            for command in story:
                ledger.tell(command)

    @rule(minutes=MINUTES)
    def let_time_pass(self, minutes: float) -> None:
        self.world.pass_time(timedelta(minutes=minutes))

    @precondition(lambda self: self.session.attempts)
    @rule(back=st.integers(0, 1), watched=st.booleans(), late=st.booleans())
    def poke(self, back: int, watched: bool, late: bool) -> None:
        """Early, late, twice, or about an attempt that is over."""
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
        for _ in range(FAIR_ROUNDS):
            if self.world.at_rest():
                break
            self.world.act_fairly()
            self.world.check()
        assert self.world.at_rest(), "a fair world brings everything to its end"
        assert self.session.status is not SessionStatus.ACTIVE
        assert sorted(self.world.ledger.history.finished) == list(
            range(1, self.session.prompts + 1)
        )


TestSession = SessionMachine.TestCase
TestSession.settings = settings(max_examples=150, stateful_step_count=50, deadline=None)
