"""A delivery that we could not take is refused, so that GitHub shows it; nothing is lost by it."""

from dataclasses import replace
from typing import Any

import pytest

from shared.domain.errors import Unavailable
from shared.domain.session.commands import Rename
from shared.domain.session.state import Repository, SessionId
from shared.wiring.sweeps import build_pull_request_sweep
from tests.fakes.store_faults import Fault
from tests.forge.deliveries import needs_examples, of_kind
from tests.functions.hooked import SESSION, Hooked, as_told, of_our_branch

pytestmark = needs_examples


def payload() -> Any:
    one = of_our_branch(of_kind("pull_request")[0].payload)
    return {**one, "pull_request": {**one["pull_request"], "number": 1}}


def test_a_write_that_loses_a_race_is_made_on_what_came_first():
    hooked = Hooked()
    rename = lambda: hooked.world.app.sessions.handle(SESSION, Rename("Meanwhile"))  # noqa: E731
    hooked.world.memory.faults.plan(rename)

    answer = hooked.deliver("pull_request", payload())

    session = hooked.world.app.sessions.load(SESSION)
    assert (answer.status, session.title, session.pull_requests) == (
        202,
        "Meanwhile",
        (as_told(payload()),),
    )


@pytest.mark.parametrize("fault", Fault)
def test_a_write_of_which_nothing_is_known_refuses_the_delivery_and_may_be_made_again(fault: Fault):
    hooked = Hooked()
    hooked.world.memory.faults.plan(fault)

    first, again = (hooked.deliver("pull_request", payload()).status for _ in range(2))

    assert first in {202, 503}
    assert again == 202
    assert hooked.known == (as_told(payload()),)


def test_while_the_table_does_not_answer_no_delivery_is_taken_and_the_sweep_makes_up_for_it():
    hooked = Hooked()
    whole = hooked.world.app

    class Throttled:
        def __getattr__(self, name: str) -> Any:
            return getattr(whole.store, name)

        def load(self, session_id: SessionId) -> Any:
            raise Unavailable("the table is throttled")

    news = replace(whole.pull_request_news, sessions=replace(whole.sessions, store=Throttled()))
    webhooks = replace(whole.github_webhooks, news=news)
    hooked.world.app = replace(whole, github_webhooks=webhooks)
    refused = hooked.deliver("pull_request", payload())
    told = as_told(payload())
    hooked.holds(told)
    hooked.world.now = told.updated_at
    hooked.world.ports.remembered.use(Repository(url=hooked.url, name="tool"), told.updated_at)

    swept = build_pull_request_sweep(hooked.world.ports, whole).sweep()

    assert (refused.status, refused.body["code"]) == (503, "unavailable")
    assert (swept, hooked.known) == ({"told": 1}, (told,))
