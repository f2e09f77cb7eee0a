"""What a webhook should have told and did not is known at the next sweep, though nobody looks."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from shared.app.ports.forges import ForgeLimited, NewPullRequest
from shared.domain.errors import Unavailable
from shared.domain.pull_request import PullRequestState
from shared.domain.repository_url import directory, key
from shared.domain.session.state import Repository, SessionId
from shared.wiring.sweeps import build_pull_request_sweep
from tests import build
from tests.fakes.forges import FakeForge, FakeForges
from tests.world import World

OPEN, CLOSED, MERGED = PullRequestState


class Swept:
    """Sessions with an open pull request each, in a repository of their own; no webhook comes."""

    def __init__(self, *names: str) -> None:
        self.forge = FakeForge(now=build.NOW)
        self.world = World(forges=FakeForges([self.forge]))
        self.urls = {name: self._with_session(name) for name in names or ("one",)}
        self.sweep = build_pull_request_sweep(self.world.ports, self.world.app)

    def _with_session(self, name: str) -> str:
        branch = f"outboard/{name}"
        url = self.forge.has(f"acme/{name}", ["main", branch])
        target = (Repository(url=url, name=directory(url)),)
        self.world.app.store.create(build.session(id=SessionId(name), target=target), name)
        self.world.ports.remembered.use(target[0], self.world.now)
        new = NewPullRequest("Add a flag", "", branch, "main")
        self.forge.create_pull_request(url, new, token=None)
        return url

    def pass_time(self, by: timedelta) -> None:
        self.world.pass_time(by)
        self.forge.now += by

    def change(self, name: str, **changes: Any) -> None:
        """Somebody does, at the host."""
        held = self.forge.held[key(self.urls[name])]
        held.pulls[0] = replace(held.pulls[0], updated_at=self.forge.now, **changes)

    def state(self, name: str = "one") -> list[PullRequestState]:
        known = self.world.app.sessions.load(SessionId(name)).pull_requests
        return [each.state for each in known]


def test_one_that_was_opened_and_merged_and_nobody_looked_is_known_as_it_is():
    swept = Swept()

    assert swept.sweep.sweep() == {"told": 1}
    opened = swept.state()
    swept.pass_time(timedelta(minutes=10))
    swept.change("one", state="merged")
    swept.sweep.sweep()

    assert (opened, swept.state()) == ([OPEN], [MERGED])


def test_what_has_not_changed_is_written_once():
    swept = Swept()
    swept.sweep.sweep()
    before = swept.world.app.sessions.load(SessionId("one"))

    for _ in range(3):
        swept.pass_time(timedelta(minutes=10))
        swept.sweep.sweep()

    assert swept.world.app.sessions.load(SessionId("one")) == before


def test_of_one_second_the_hosts_answer_is_what_holds():
    swept = Swept()
    swept.change("one", state="closed")
    swept.sweep.sweep()

    swept.change("one", state="open")
    swept.sweep.sweep()

    assert swept.state() == [OPEN]


def test_a_repository_that_does_not_answer_keeps_no_other_waiting_and_is_asked_again():
    swept = Swept("one", "two")
    swept.forge.fail(Unavailable("down"))

    first = swept.sweep.sweep()
    known = [swept.state("one"), swept.state("two")]
    swept.pass_time(timedelta(days=20))
    again = swept.sweep.sweep()

    assert (first, sorted(known)) == ({"told": 1, "failed": 1}, [[], [OPEN]])
    assert again == {"told": 2}
    assert [swept.state("one"), swept.state("two")] == [[OPEN], [OPEN]]


def test_a_host_that_wants_fewer_requests_is_left_alone_until_the_next_sweep():
    swept = Swept("one", "two", "three")
    swept.forge.fail(ForgeLimited("GitHub wants fewer requests", 30))
    swept.forge.calls.clear()

    assert swept.sweep.sweep() == {"failed": 1}
    assert swept.forge.calls == ["pull_requests"]
    assert swept.sweep.sweep() == {"told": 3}


def test_what_our_table_did_not_take_is_asked_for_again():
    swept = Swept()
    store = swept.world.app.sessions.store

    class Throttled:
        def __getattr__(self, name: str) -> Any:
            return getattr(store, name)

        def load(self, session_id: SessionId) -> Any:
            raise Unavailable("the table is throttled")

    sessions = replace(swept.world.app.sessions, store=Throttled())
    throttled = replace(swept.sweep, news=replace(swept.sweep.news, sessions=sessions))

    failed = throttled.sweep()
    swept.pass_time(timedelta(days=20))

    assert failed == {"failed": 1}
    assert swept.sweep.sweep() == {"told": 1}
    assert swept.state() == [OPEN]


def test_who_was_not_asked_for_longest_comes_first():
    swept = Swept("one", "two")
    swept.forge.fail(Unavailable("down"))
    swept.sweep.sweep()
    left = "one" if swept.state("two") else "two"
    swept.pass_time(timedelta(minutes=10))
    swept.forge.fail(ForgeLimited("fewer", None))
    swept.forge.calls.clear()

    swept.sweep.sweep()

    assert (swept.forge.calls, swept.state(left)) == (["pull_requests"], [])
