"""Pull requests as watchers and the API's callers see them."""

from shared.app.ports.sessions import Artifact
from shared.domain.pull_request import PullRequest, PullRequestOffer, PullRequestState
from shared.domain.session import facts
from shared.domain.session.state import Session
from shared.protocol import pull_requests, server_events
from shared.protocol.base import Tolerant


def told_of(fact: facts.Event) -> Tolerant | None:
    match fact:
        case facts.PullRequestRecorded(told, first):
            return server_events.PullRequestTold(
                repository=told.repository,
                number=told.number,
                url=told.url,
                title=told.title,
                state=told.state.value,
                draft=told.draft,
                base=told.base,
                author=told.author,
                first=first,
            )
        case facts.PullRequestOffered(offer):
            return server_events.PullRequestOffered(
                repository=offer.repository, head=offer.head, base=offer.base, url=offer.url
            )
        case _:
            return None


def of_pull_request(told: PullRequest) -> pull_requests.PullRequestView:
    return pull_requests.PullRequestView(
        repository=told.repository,
        number=told.number,
        url=told.url,
        title=told.title,
        state=told.state.value,
        draft=told.draft,
        head=told.head,
        base=told.base,
        head_commit=told.head_commit,
        author=told.author,
        updated_at=told.updated_at,
    )


def of_offer(offer: PullRequestOffer) -> pull_requests.PullRequestOfferView:
    return pull_requests.PullRequestOfferView(
        repository=offer.repository, head=offer.head, base=offer.base, url=offer.url
    )


def of_all(session: Session) -> pull_requests.PullRequestList:
    return pull_requests.PullRequestList(
        pull_requests=[of_pull_request(told) for told in session.pull_requests],
        offers=[of_offer(offer) for offer in session.offers],
    )


def artifacts_of(session: Session) -> list[Artifact]:
    """They are kept in the session itself, and are what came of it all the same."""
    told = [_artifact(pull_request) for pull_request in session.pull_requests]
    return told + [_link(offer) for offer in session.offers]


def _artifact(told: PullRequest) -> Artifact:
    draft = told.draft and told.state is PullRequestState.OPEN
    metadata = {
        "repository": told.repository,
        "number": str(told.number),
        "state": "draft" if draft else told.state.value,
        "base": told.base,
    }
    return Artifact(
        id=f"pull-request-{told.repository}-{told.number}",
        kind="pull_request",
        title=told.title,
        url=told.url,
        metadata=tuple(metadata.items()),
        created_at=told.updated_at,
    )


def _link(offer: PullRequestOffer) -> Artifact:
    return Artifact(
        id=f"pull-request-{offer.repository}",
        kind="pull_request_link",
        title=f"Open a pull request for {offer.repository}",
        url=offer.url,
        metadata=(("repository", offer.repository), ("branch", offer.head), ("base", offer.base)),
        created_at=offer.at,
    )
