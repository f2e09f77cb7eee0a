"""The contract of `Logins`, kept by the fake and by DynamoDB alike."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from threading import Barrier

import pytest

from shared.app.ports.logins import Code, Login
from shared.domain.errors import Contended, Unauthenticated
from shared.domain.session.state import UserId
from tests.build import NOW
from tests.fakes.store_faults import Fault
from tests.shared.adapters.dynamodb.committing import insist
from tests.shared.adapters.dynamodb.worlds import World

ADA = UserId("ada")
SOON = NOW + timedelta(minutes=10, microseconds=7)
CODE = Code(ADA, 3, SOON)
LOGIN = Login(ADA, 3, NOW, NOW, NOW + timedelta(days=30))
RACERS = 6


def test_a_code_is_seen_until_it_is_used(world: World):
    world.faults.plan(Fault.LOST)

    insist(lambda: world.logins.offer("code", CODE))

    assert world.logins.peek("code") == CODE
    assert world.logins.peek("other") is None


def test_a_code_begins_one_login(world: World):
    world.logins.offer("code", CODE)

    world.logins.begin("first", LOGIN, code_hash="code")
    with pytest.raises(Unauthenticated):
        world.logins.begin("second", LOGIN, code_hash="code")

    assert world.logins.get("first") == LOGIN
    assert world.logins.get("second") is None
    assert world.logins.peek("code") is None


@pytest.mark.parametrize(
    ("login", "code"),
    [
        (LOGIN, "unknown"),
        (replace(LOGIN, user=UserId("bob")), "code"),
        (replace(LOGIN, began_at=SOON), "code"),
    ],
    ids=["of nobody", "another's", "expired"],
)
def test_a_code_that_does_not_admit_begins_nothing_and_stays(world: World, login: Login, code: str):
    world.logins.offer("code", CODE)

    with pytest.raises(Unauthenticated):
        world.logins.begin("login", login, code_hash=code)

    assert world.logins.get("login") is None
    assert world.logins.peek("code") == CODE


def test_of_all_who_race_for_a_code_one_gets_in(world: World):
    world.logins.offer("code", CODE)
    line = Barrier(RACERS)

    def race(number: int) -> bool:
        line.wait(10)
        return _got_in(lambda: world.logins.begin(f"login{number}", LOGIN, code_hash="code"))

    with ThreadPoolExecutor(RACERS) as pool:
        got_in = list(pool.map(race, range(RACERS)))

    begun = [world.logins.get(f"login{number}") is not None for number in range(RACERS)]
    assert got_in == begun
    assert sum(begun) == 1


def _got_in(begin: Callable[[], None]) -> bool:
    while True:
        try:
            begin()
        except Unauthenticated:
            return False
        except Contended:
            continue
        return True


def test_a_login_lives_on_as_it_was_renewed(world: World):
    later = replace(LOGIN, renewed_at=SOON, expires_at=SOON + timedelta(days=30))
    world.logins.offer("code", CODE)
    world.logins.begin("login", LOGIN, code_hash="code")
    world.faults.plan(Fault.LOST)

    renewed: list[bool] = []
    insist(lambda: renewed.append(world.logins.renew("login", LOGIN, later)))

    assert renewed == [True]
    assert world.logins.get("login") == later


def test_who_comes_second_renews_nothing(world: World):
    first, second = (replace(LOGIN, renewed_at=NOW + timedelta(days=days)) for days in (1, 2))
    world.logins.offer("code", CODE)
    world.logins.begin("login", LOGIN, code_hash="code")

    assert world.logins.renew("login", LOGIN, first)
    assert not world.logins.renew("login", LOGIN, second)

    assert world.logins.get("login") == first


def test_a_login_that_has_ended_does_not_come_back(world: World):
    world.logins.offer("code", CODE)
    world.logins.begin("login", LOGIN, code_hash="code")
    world.faults.plan(Fault.LOST)

    insist(lambda: world.logins.end("login"))

    assert not world.logins.renew("login", LOGIN, replace(LOGIN, renewed_at=SOON))
    assert world.logins.get("login") is None
