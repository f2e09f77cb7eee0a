"""The contract of `RememberedRepositories`, kept by the fake and by DynamoDB alike."""

from dataclasses import replace
from datetime import timedelta

from shared.app.ports.repositories import Remembered
from shared.domain.session.state import Repository
from tests import build
from tests.build import NOW
from tests.fakes.store_faults import Fault
from tests.shared.adapters.dynamodb.committing import insist
from tests.shared.adapters.dynamodb.worlds import World

TOOL = build.repository()
LOCAL = Repository(
    url=f"http://127.0.0.1:4702/{'deep/' * 300}x7", name="x7", branch="main", label="/home/ada/x"
)
LATER = NOW + timedelta(hours=1)


def test_at_first_nothing_is_known(world: World):
    assert world.repositories.all(limit=9) == []


def test_what_was_used_last_comes_first(world: World):
    world.repositories.use(TOOL, NOW)
    world.repositories.use(LOCAL, LATER)

    assert world.repositories.all(limit=9) == [Remembered(LOCAL, LATER), Remembered(TOOL, NOW)]
    assert world.repositories.all(limit=1) == [Remembered(LOCAL, LATER)]


def test_a_repository_is_known_once_however_its_url_is_spelt(world: World):
    world.repositories.use(TOOL, NOW)

    world.repositories.use(replace(TOOL, url=TOOL.url.removesuffix(".git"), branch="dev"), LATER)

    assert world.repositories.all(limit=9) == [Remembered(TOOL, LATER)]


def test_a_registration_says_what_a_repository_is_called(world: World):
    world.repositories.use(TOOL, NOW)
    named = replace(TOOL, label="the tool", branch="dev")

    registered = world.repositories.register(named, LATER)
    world.repositories.use(TOOL, LATER)

    assert registered == Remembered(named, NOW)
    assert world.repositories.all(limit=9) == [Remembered(named, LATER)]


def test_one_that_nobody_has_used_yet_was_registered_at_a_time(world: World):
    assert world.repositories.register(TOOL, NOW) == Remembered(TOOL, NOW)


def test_a_lost_answer_changes_nothing(world: World):
    for number in range(2):
        world.faults.plan(Fault.LOST, Fault.LOST)
        moment = NOW + timedelta(minutes=number)
        insist(lambda moment=moment: world.repositories.use(TOOL, moment))
    world.faults.plan(Fault.LOST)
    insist(lambda: world.repositories.register(TOOL, LATER))

    assert world.repositories.all(limit=9) == [Remembered(TOOL, NOW + timedelta(minutes=1))]
