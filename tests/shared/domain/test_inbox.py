"""Each session is in one place of an inbox, and what somebody has read they have read."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.inbox import (
    Category,
    Member,
    category,
    filed,
    is_unread,
    joining,
    membership,
    reading,
)
from shared.domain.session.attention import work
from shared.domain.session.decision import UpdateInboxes
from shared.domain.session.state import Session, SessionStatus, UserId
from tests import build
from tests.build import ADA, NOW

EVE = UserId("eve")


@st.composite
def sessions(draw: st.DrawFn) -> Session:
    prompts = draw(st.integers(0, 5))
    finished = draw(st.none() | st.integers(1, prompts)) if prompts else None
    status, version = draw(st.sampled_from(SessionStatus)), draw(st.integers(0, 9))
    return build.session(status, prompts=prompts, finished=finished, version=version)


MEMBERS = st.builds(
    Member, user=st.just(EVE), read=st.integers(0, 5), filed=st.integers(0, 9), unread=st.booleans()
)


@given(sessions(), st.none() | MEMBERS)
def test_a_session_is_in_one_place_or_in_no_inbox_at_all(session: Session, member: Member | None):
    place = category(session, member)

    unread = member is not None and is_unread(session, member)
    hidden = session.prompts == 0 or session.status is SessionStatus.ARCHIVED
    assert (place is None) == hidden
    assert (place is Category.NEEDS_ATTENTION) == (unread and not hidden)
    assert place is not Category.IN_PROGRESS or session.status is SessionStatus.ACTIVE
    assert place is not Category.RECENT or session.status is not SessionStatus.ACTIVE


@given(sessions(), MEMBERS, st.integers(0, 99))
def test_reading_never_goes_back_nor_beyond_what_has_finished(
    session: Session, member: Member, prompt: int
):
    read = reading(member, session, prompt, NOW).read

    assert read >= member.read
    assert read <= max(member.read, session.finished or 0)


@given(sessions(), MEMBERS, st.integers(0, 99))
def test_whoever_reads_is_listed_as_unread_only_with_something_left(
    session: Session, member: Member, prompt: int
):
    after = reading(member, session, prompt, NOW)

    archived = session.status is SessionStatus.ARCHIVED
    assert after.unread == (is_unread(session, after) and not archived)


@given(MEMBERS, st.permutations(range(4)))
def test_in_whatever_order_versions_are_filed_the_last_one_counts(member: Member, order: list[int]):
    versions = [
        build.session(SessionStatus.COMPLETED, prompts=9, finished=number + 2, version=number + 10)
        for number in range(3)
    ]
    versions.append(replace(versions[-1], status=SessionStatus.ARCHIVED, version=20))

    for number in order:
        member = filed(member, versions[number])

    assert (member.filed, member.unread) == (20, False)


def test_what_finished_before_somebody_came_is_no_news_to_them():
    session = build.session(SessionStatus.ACTIVE, prompts=3, finished=2)

    assert joining(session, EVE) == Member(user=EVE, read=2)
    assert joining(session, ADA.user) == Member(user=ADA.user, read=0)


def test_an_owner_is_a_participant_of_whom_nothing_was_written_down():
    session = build.session(SessionStatus.COMPLETED, prompts=1, finished=1)

    assert membership(session, ADA.user, None) == joining(session, ADA.user)
    assert membership(session, EVE, None) is None
    assert category(session, joining(session, ADA.user)) is Category.NEEDS_ATTENTION
    assert category(session, None) is Category.RECENT


def test_a_finished_turn_is_news_and_so_is_the_archive():
    session = build.session(SessionStatus.COMPLETED, prompts=2, finished=1)
    archived = replace(session, status=SessionStatus.ARCHIVED)

    assert work(session, replace(session, finished=2)) == (UpdateInboxes(),)
    assert work(session, archived) == work(archived, session) == (UpdateInboxes(),)
    later = replace(session, title="other", prompts=3, updated_at=NOW + timedelta(hours=1))
    assert work(session, replace(later, status=SessionStatus.ACTIVE)) == ()
