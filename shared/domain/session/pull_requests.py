"""What is told of a session's pull requests: recorded once, and never backwards."""

from shared.domain.pull_request import MAX_PULL_REQUESTS, PullRequest
from shared.domain.session.commands import OfferPullRequest, RecordPullRequest
from shared.domain.session.decision import NOTHING, Decision
from shared.domain.session.facts import PullRequestOffered, PullRequestRecorded
from shared.domain.session.state import Session


def record_pull_request(session: Session, command: RecordPullRequest) -> Decision:
    told = command.pull_request
    if not _has(session, told.repository):
        return NOTHING
    known = known_pull_request(session, told)
    if known is None:
        full = len(session.pull_requests) >= MAX_PULL_REQUESTS
        return NOTHING if full else Decision((PullRequestRecorded(told, first=True),))
    newest = known.then(told, asked=command.asked)
    if newest == known:
        return NOTHING
    return Decision((PullRequestRecorded(newest, first=False),))


def offer_pull_request(session: Session, command: OfferPullRequest) -> Decision:
    offer = command.offer
    if not _has(session, offer.repository) or any(known.is_same(offer) for known in session.offers):
        return NOTHING
    return Decision((PullRequestOffered(offer),))


def known_pull_request(session: Session, told: PullRequest) -> PullRequest | None:
    return next((known for known in session.pull_requests if known.key == told.key), None)


def _has(session: Session, repository: str) -> bool:
    return any(known.name == repository for known in session.target)
