"""`outboard pr list | open | refresh`: the pull requests of a session."""

from argparse import Namespace

from shared.client.api import Api
from shared.client.console import Console
from shared.client.deployment import Deployment
from shared.client.find import find
from shared.client.requests import build
from shared.client.untrusted import clean_line
from shared.protocol.pull_requests import (
    NewPullRequest,
    PullRequestList,
    PullRequestOfferView,
    PullRequestOutcome,
    PullRequestView,
)


async def run(arguments: Namespace, deployment: Deployment, console: Console) -> int:
    async with Api(deployment, notice=console.remark) as api:
        session = await find(api, arguments.session)
        match arguments.verb:
            case "open":
                outcome = await api.open_pull_request(session.id, _asked(arguments))
                console.say(outcome, _opened(outcome))
            case "refresh":
                _list(await api.refresh_pull_requests(session.id), console)
            case _:
                _list(await api.pull_requests(session.id), console)
    return 0


def _asked(arguments: Namespace) -> NewPullRequest:
    return build(
        NewPullRequest,
        repository=arguments.repository,
        title=arguments.title,
        body=arguments.body,
        base=arguments.base,
        draft=True if arguments.draft else None,
    )


def _list(found: PullRequestList, console: Console) -> None:
    if not found.pull_requests and not found.offers:
        console.remark("no pull requests")
    for told in found.pull_requests:
        console.say(told, (_line(told),))
    for offer in found.offers:
        console.say(offer, (_to_open(offer),))


def _opened(outcome: PullRequestOutcome) -> tuple[str, ...]:
    warnings = tuple(clean_line(warning) for warning in outcome.warnings)
    if outcome.pull_request is not None:
        return (f"{outcome.outcome}: {_line(outcome.pull_request)}", *warnings)
    assert outcome.offer is not None
    return (_to_open(outcome.offer), *warnings)


def _line(told: PullRequestView) -> str:
    state = "draft" if told.draft and told.state == "open" else told.state
    title = clean_line(told.title)
    return f"{clean_line(told.repository)} #{told.number} {state}: {title} {clean_line(told.url)}"


def _to_open(offer: PullRequestOfferView) -> str:
    """Nobody's token was there to open it with."""
    return f"{clean_line(offer.repository)}: open it yourself at {clean_line(offer.url)}"
