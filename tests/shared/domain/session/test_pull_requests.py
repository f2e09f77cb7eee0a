"""What a session knows of its pull requests: the newest word of their host, in any order."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.pull_request import MAX_PULL_REQUESTS, PullRequest, PullRequestState
from shared.domain.session.commands import OfferPullRequest, RecordPullRequest
from shared.domain.session.decision import NOTHING, Decision
from shared.domain.session.facts import PullRequestOffered, PullRequestRecorded
from tests import build
from tests.shared.domain.session.situations import after, ask

OPEN, CLOSED, MERGED = PullRequestState
TOLD = build.pull_request()

words = st.builds(
    build.pull_request,
    number=st.integers(1, 2),
    state=st.sampled_from(PullRequestState),
    draft=st.booleans(),
    title=st.sampled_from(["Add a flag", "Add two flags"]),
    updated_at=st.integers(0, 5).map(lambda minutes: build.NOW + timedelta(minutes=minutes)),
    author=st.sampled_from([None, "ada"]),
)


def test_the_first_word_of_one_is_news():
    decision = ask(build.session(), RecordPullRequest(TOLD))

    assert decision == Decision((PullRequestRecorded(TOLD, first=True),))


def test_the_same_word_again_is_not():
    session = after(build.session(), RecordPullRequest(TOLD))

    assert ask(session, RecordPullRequest(TOLD)) == NOTHING


def test_whoever_opened_it_is_kept_when_the_host_tells_of_it():
    session = after(build.session(), RecordPullRequest(replace(TOLD, author="ada")))
    later = replace(TOLD, state=CLOSED, updated_at=build.NOW + timedelta(minutes=1))

    session = after(session, RecordPullRequest(later))

    assert session.pull_requests == (replace(later, author="ada"),)


def test_old_news_changes_nothing():
    session = after(build.session(), RecordPullRequest(TOLD))
    old = replace(TOLD, title="Before", updated_at=build.NOW - timedelta(seconds=1))

    assert ask(session, RecordPullRequest(old)) == NOTHING


def test_merged_is_for_good():
    session = after(build.session(), RecordPullRequest(replace(TOLD, state=MERGED)))
    later = replace(TOLD, state=OPEN, updated_at=build.NOW + timedelta(days=1))

    assert ask(session, RecordPullRequest(later)) == NOTHING


def test_of_a_repository_that_is_not_in_the_session_nothing_is_believed():
    elsewhere = replace(TOLD, repository="elsewhere")

    assert ask(build.session(), RecordPullRequest(elsewhere)) == NOTHING
    assert ask(build.session(), OfferPullRequest(build.offer(repository="other"))) == NOTHING


def test_a_session_keeps_so_many_and_no_more():
    many = tuple(build.pull_request(number) for number in range(1, MAX_PULL_REQUESTS + 1))
    full = replace(build.session(), pull_requests=many)

    assert ask(full, RecordPullRequest(build.pull_request(99))) == NOTHING
    assert ask(full, RecordPullRequest(replace(many[0], state=MERGED))) != NOTHING


def test_an_offer_is_made_once_and_over_when_somebody_has_taken_it():
    offer = build.offer()

    offered = after(build.session(), OfferPullRequest(offer))
    again = replace(offer, at=build.NOW + timedelta(minutes=1))
    taken = after(offered, RecordPullRequest(TOLD))

    assert ask(build.session(), OfferPullRequest(offer)) == Decision((PullRequestOffered(offer),))
    assert ask(offered, OfferPullRequest(again)) == NOTHING
    assert (offered.offers, taken.offers) == ((offer,), ())


@given(st.lists(words, max_size=8))
def test_whatever_order_it_is_told_in_merged_wins_and_time_never_runs_back(told: list[PullRequest]):
    session = build.session()

    for word in told:
        before = {known.key: known for known in session.pull_requests}
        session = after(session, RecordPullRequest(word))
        for known in session.pull_requests:
            was = before.get(known.key)
            assert was is None or known.updated_at >= was.updated_at
            assert was is None or was.state is not MERGED or known.state is MERGED
            assert was is None or was.author is None or known.author is not None

    assert len({known.key for known in session.pull_requests}) == len(session.pull_requests)
