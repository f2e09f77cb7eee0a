"""Codes and logins over any course of events: who is in, and who is out for good."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from shared.app.ports.workspace import User
from shared.app.sign_ins import CODE_LIFE, LOGIN_LIFE, RENEWED_EVERY, SignIns
from shared.domain.errors import Unauthenticated
from shared.domain.session.state import UserId
from tests.build import NOW
from tests.fakes.logins import InMemoryLogins
from tests.fakes.store_memory import Memory
from tests.fakes.workspace import InMemoryUsers

USERS = st.sampled_from(["ada", "bob"])


@dataclass(frozen=True)
class Offered:
    text: str
    user: str
    until: datetime
    epoch: int


@dataclass(frozen=True)
class Kept:
    user: str
    until: datetime
    epoch: int


class Browsers(RuleBasedStateMachine):
    """The model says when somebody is in: a code used in time, a visit each 30 days, same epoch."""

    codes = Bundle("codes")
    secrets = Bundle("secrets")

    def __init__(self) -> None:
        super().__init__()
        memory = Memory()
        self.now = NOW
        self.users = InMemoryUsers(memory)
        self.sign_ins = SignIns(InMemoryLogins(memory), self.users, lambda: self.now)
        self.memory = memory
        self.kept: dict[str, Kept] = {}
        self.renewals = 0
        for name in ("ada", "bob"):
            self.users.add(User(UserId(name), name, "member", NOW), f"token of {name}")

    def _user(self, name: str) -> User:
        user = self.users.get(UserId(name))
        assert user is not None
        return user

    @rule(target=codes, name=USERS)
    def ask_for_a_code(self, name: str) -> Offered:
        text, code = self.sign_ins.offer_code(self._user(name))
        return Offered(text, name, self.now + CODE_LIFE, code.epoch)

    @rule(target=secrets, code=consumes(codes))
    def use_a_code(self, code: Offered) -> str:
        good = self.now < code.until and code.epoch == self._user(code.user).epoch
        try:
            user, secret = self.sign_ins.begin(code.text)
        except Unauthenticated:
            assert not good
            return "refused"
        assert good
        assert user.name == code.user
        self.kept[secret] = Kept(code.user, self.now + LOGIN_LIFE, code.epoch)
        self._refused_the_second_time(code)
        return secret

    def _refused_the_second_time(self, code: Offered) -> None:
        try:
            self.sign_ins.begin(code.text)
        except Unauthenticated:
            return
        raise AssertionError("a code was used twice")

    @rule(secret=secrets)
    def visit(self, secret: str) -> None:
        kept = self.kept.get(secret)
        good = (
            kept is not None and self.now < kept.until and kept.epoch == self._user(kept.user).epoch
        )
        try:
            found = self.sign_ins.authenticate(secret)
        except Unauthenticated:
            assert not good
            return
        assert kept is not None
        assert good
        assert found.user.name == kept.user
        due = kept.until - LOGIN_LIFE + RENEWED_EVERY <= self.now
        assert found.renewed == due
        if due:
            self.kept[secret] = replace(kept, until=self.now + LOGIN_LIFE)

    @rule(secret=secrets)
    def sign_out(self, secret: str) -> None:
        self.sign_ins.end(secret)
        self.kept.pop(secret, None)

    @rule(name=USERS)
    def replace_the_token(self, name: str) -> None:
        self.renewals += 1
        self.users.renew(UserId(name), f"token {self.renewals} of {name}")

    @rule(name=USERS)
    def change_the_profile(self, name: str) -> None:
        user = self._user(name)
        self.users.describe(user, replace(user, display_name=f"{name} {self.now}"))

    @rule(by=st.sampled_from([timedelta(minutes=4), timedelta(hours=20), timedelta(days=9)]))
    def pass_time(self, by: timedelta) -> None:
        self.now += by

    @invariant()
    def no_secret_is_kept_as_it_was_given_out(self) -> None:
        given = {*self.kept}
        assert not given & {*self.memory.logins}
        assert not any(
            secret in str(login) for login in self.memory.logins.values() for secret in given
        )


TestBrowsers = Browsers.TestCase
TestBrowsers.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
