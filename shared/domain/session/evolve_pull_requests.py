"""What a session knows of its pull requests after something was told of one."""

from dataclasses import replace

from shared.domain.pull_request import PullRequestOffer
from shared.domain.session.facts import PullRequestOffered, PullRequestRecorded
from shared.domain.session.state import Session


def evolve_pull_requests(
    session: Session, event: PullRequestRecorded | PullRequestOffered
) -> Session:
    match event:
        case PullRequestRecorded(told):
            known = tuple(known for known in session.pull_requests if known.key != told.key)
            left = _without(session, told.repository)
            return replace(session, pull_requests=(*known, told), offers=left)
        case PullRequestOffered(offer):
            return replace(session, offers=(*_without(session, offer.repository), offer))


def _without(session: Session, repository: str) -> tuple[PullRequestOffer, ...]:
    """An offer is over when somebody has taken it, or there is a newer one."""
    return tuple(offer for offer in session.offers if offer.repository != repository)
