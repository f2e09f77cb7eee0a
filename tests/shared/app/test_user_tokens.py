"""People's tokens at a provider: kept sealed, refreshed by one, never lost without a word."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count

import pytest

from shared.adapters.github_sign_in import CLIENT_SECRET, GitHubSignIn
from shared.app.ports.identity_providers import Grant
from shared.app.user_tokens import REFRESHING, KeptTokens
from shared.domain.errors import Unavailable
from shared.domain.session.state import UserId
from tests.build import NOW
from tests.fakes.identities import FakeSeal, InMemoryGrants
from tests.fakes.oauth_server import CLIENT, OAuthServer
from tests.fakes.store_memory import Memory
from tests.fakes.vendors import FakeSecrets

GRACE = UserId("grace")
EIGHT_HOURS = timedelta(hours=8)


@dataclass
class Keeping:
    """Several functions over one table and one provider, each with its own `KeptTokens`."""

    github: OAuthServer
    memory: Memory = field(default_factory=Memory)
    now: datetime = NOW
    meanwhile: Callable[[], None] = lambda: None
    """What somebody else does while one of us waits."""

    def __post_init__(self) -> None:
        self._ids = count(1)
        self.tokens = KeptTokens(
            grants=InMemoryGrants(self.memory),
            seal=FakeSeal(),
            providers={"github": self._provider()},
            clock=lambda: self.now,
            sleep=self._sleep,
            new_id=lambda: f"v{next(self._ids)}",
        )

    def _provider(self) -> GitHubSignIn:
        secrets = FakeSecrets({CLIENT_SECRET: CLIENT[1]})
        return GitHubSignIn(self.github.url, self.github.url, CLIENT[0], secrets, lambda: self.now)

    def _sleep(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        self.meanwhile()

    def signed_in(self, *, expiring: bool = True) -> None:
        self.github.access.add("ghu_first")
        self.github.refresh.add("ghr_first")
        until = self.now + EIGHT_HOURS if expiring else None
        refresh = "ghr_first" if expiring else None
        self.tokens.keep(GRACE, "github", Grant("ghu_first", until, refresh))

    def token(self) -> str | None:
        return self.tokens.token(GRACE, "github")

    @property
    def ended(self) -> str | None:
        return self.memory.grants[GRACE, "github"].ended


@pytest.fixture
def keeping() -> Generator[Keeping]:
    with OAuthServer().running() as github:
        yield Keeping(github)


def test_who_never_signed_in_there_has_no_token(keeping: Keeping):
    assert keeping.token() is None
    assert keeping.tokens.token(GRACE, "gitlab") is None


def test_a_token_is_as_it_was_given_for_as_long_as_it_is_good(keeping: Keeping):
    keeping.signed_in()

    keeping.now += EIGHT_HOURS - timedelta(minutes=1, seconds=1)

    assert keeping.token() == "ghu_first"
    assert keeping.github.refreshes == 0


def test_a_token_that_has_no_end_is_never_refreshed(keeping: Keeping):
    keeping.signed_in(expiring=False)

    keeping.now += timedelta(days=700)

    assert keeping.token() == "ghu_first"


def test_the_table_has_no_token(keeping: Keeping):
    keeping.signed_in()

    kept = repr(keeping.memory.grants)

    assert "ghu_first" not in kept
    assert "ghr_first" not in kept


def test_a_grant_of_one_user_does_not_open_for_another(keeping: Keeping):
    keeping.signed_in()

    keeping.memory.grants[UserId("eve"), "github"] = keeping.memory.grants[GRACE, "github"]

    with pytest.raises(Unavailable):
        keeping.tokens.token(UserId("eve"), "github")


def test_a_token_that_ends_is_refreshed_once_and_again_after_its_own_end(keeping: Keeping):
    keeping.signed_in()

    keeping.now += EIGHT_HOURS
    second = keeping.token()
    again = keeping.token()
    keeping.now += EIGHT_HOURS
    third = keeping.token()

    assert second == again
    assert len({"ghu_first", second, third}) == 3
    assert keeping.github.refreshes == 2


def test_who_comes_while_another_refreshes_reads_what_that_one_gets(keeping: Keeping):
    keeping.signed_in()
    keeping.now += EIGHT_HOURS
    winner = keeping.tokens
    kept = keeping.memory.grants[GRACE, "github"]
    claim = winner._claim(kept)
    assert claim is not None
    got: list[str | None] = []

    def refresh() -> None:
        if not got:
            got.append(winner._refresh(FakeSeal(), claim, "ghr_first"))

    keeping.meanwhile = refresh
    loser = keeping.token()

    assert got == [loser]
    assert keeping.github.refreshes == 1


def test_a_function_that_died_over_a_refresh_holds_the_others_up_for_half_a_minute(
    keeping: Keeping,
):
    keeping.signed_in()
    keeping.now += EIGHT_HOURS
    keeping.tokens._claim(keeping.memory.grants[GRACE, "github"])

    with pytest.raises(Unavailable):
        keeping.token()
    keeping.now += REFRESHING

    assert keeping.token() is not None
    assert keeping.ended is None


def test_a_refresh_that_was_not_carried_out_is_tried_again(keeping: Keeping):
    keeping.signed_in()
    keeping.now += EIGHT_HOURS
    keeping.github.down = True
    with pytest.raises(Unavailable):
        keeping.token()

    keeping.github.down = False

    assert keeping.token() is not None
    assert keeping.github.refreshes == 1


def test_a_refresh_whose_answer_was_lost_ends_the_grant_and_the_row_says_so(keeping: Keeping):
    keeping.signed_in()
    keeping.now += EIGHT_HOURS
    keeping.github.lost_answers = 1
    with pytest.raises(Unavailable):
        keeping.token()

    after = keeping.token()

    assert (after, keeping.ended) == (None, "refresh refused")
    assert keeping.github.refreshes == 2
    assert keeping.token() is None
    assert keeping.github.refreshes == 2


def test_who_signs_in_again_has_a_token_again(keeping: Keeping):
    keeping.signed_in()
    keeping.now += EIGHT_HOURS
    keeping.github.refresh.clear()
    assert keeping.token() is None

    keeping.signed_in()

    assert (keeping.token(), keeping.ended) == ("ghu_first", None)


def test_a_refusal_does_not_end_what_a_sign_in_has_brought_meanwhile(keeping: Keeping):
    keeping.signed_in()
    keeping.now += EIGHT_HOURS
    keeping.github.refresh.clear()
    claim = keeping.tokens._claim(keeping.memory.grants[GRACE, "github"])
    assert claim is not None
    keeping.signed_in()

    keeping.github.refresh.clear()
    late = keeping.tokens._refresh(FakeSeal(), claim, "ghr_first")

    assert (late, keeping.ended) == ("ghu_first", None)


def test_without_a_seal_nothing_is_kept(keeping: Keeping):
    keeping.tokens = KeptTokens(
        grants=InMemoryGrants(keeping.memory),
        seal=None,
        providers={},
        clock=lambda: NOW,
        sleep=lambda _: None,
        new_id=lambda: "v",
    )

    keeping.signed_in()

    assert keeping.memory.grants == {}
    assert keeping.token() is None
