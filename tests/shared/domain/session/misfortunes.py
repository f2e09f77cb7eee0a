"""What may go wrong around a session, led to the moments at which it hurts."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from shared.domain.session import commands
from shared.domain.session.failures import Failure
from shared.domain.session.lifetime import drain_at
from shared.domain.session.rules import DEFAULT_RULES
from tests.shared.domain.session.machine import ADA, People
from tests.shared.domain.session.workflow import IMAGE

PICK = st.integers(0, 7)
SUFFERINGS = st.sampled_from(["damage", "loss", "loss of everything"])
BRIDGE_TROUBLES = ["dies", "hangs", "restarts", "is paused", "gives up", "its script fails"]


class Misfortunes(People):
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
        self.pass_and_beat(timedelta(), beats=beats)
        for _, bridge in self.world.bridges():
            bridge.hung = bridge.hung or hangs
        if hangs:
            self.pass_and_beat(DEFAULT_RULES.drain_stop, beats=beats)
        for _ in range(rounds):
            self.world.act()

    @precondition(lambda self: self.session.attempt and not self.session.attempt.complete)
    @rule(beats=st.booleans())
    def come_to_the_end_of_a_boots_budget(self, beats: bool) -> None:
        assert self.session.attempt is not None
        if (due := self.session.attempt.boot_due) is not None:
            self.pass_and_beat(due - self.world.ledger.now, beats=beats)

    @precondition(lambda self: self.session.running)
    @rule(beats=st.booleans())
    def stop_in_vain(self, beats: bool) -> None:
        self.tell(commands.Stop(ADA))
        self.pass_and_beat(DEFAULT_RULES.stop_confirmation, beats=beats)

    def pass_and_beat(self, time: timedelta, *, beats: bool) -> None:
        self.world.pass_time(max(timedelta(), time))
        for _, bridge in self.world.bridges():
            if beats:
                self.world.beat(bridge)

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

    @precondition(lambda self: self.asleep)
    @rule(pick=PICK, sure=st.integers(0, 2))
    def break_a_sandbox(self, pick: int, sure: int) -> None:
        """What is left in it keeps it from booting, and is in the copies that come after."""
        if not sure:
            box = self.asleep[pick % len(self.asleep)]
            box.disk = replace(box.disk, broken=True)

    @precondition(lambda self: self.world.bridges())
    @rule(pick=PICK)
    def fill_or_empty_a_sandbox(self, pick: int) -> None:
        sandbox, _ = self.world.bridges()[pick % len(self.world.bridges())]
        sandbox.full = not sandbox.full

    @rule(sure=st.integers(0, 5))
    def lose_the_copies(self, sure: int) -> None:
        if not sure:
            self.world.provider.lose_copies()

    @rule()
    def build_or_lose_the_image(self) -> None:
        self.world.provider.images ^= {IMAGE}

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
