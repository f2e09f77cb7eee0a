"""Pull requests of a session: asked for by a person or by the agent, told of by the code host.

POST /sessions/{id}/pull-requests            NewPullRequest ─▶ PullRequestOutcome
GET  /sessions/{id}/pull-requests            PullRequestList, as last told
POST /sessions/{id}/pull-requests/refresh    PullRequestList, as the host has them now
POST /sandbox/pull-requests                  NewPullRequest ─▶ PullRequestOutcome
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import StringConstraints

from shared.domain.pull_request import MAX_BODY_CHARS, MAX_TITLE_CHARS
from shared.protocol.base import BranchName, Strict

type State = Literal["open", "closed", "merged"]


class NewPullRequest(Strict):
    """`repository` by its name in the session; null: the only one that something was pushed to.

    `title` empty: the session's. `base` null: where the work began. `draft` null: as the settings
    have it. Asking again while one is open changes its title and its body, each where it is given,
    and nothing else.
    """

    repository: Annotated[str, StringConstraints(min_length=1, max_length=100)] | None = None
    title: Annotated[str, StringConstraints(max_length=MAX_TITLE_CHARS)] = ""
    body: Annotated[str, StringConstraints(max_length=MAX_BODY_CHARS)] = ""
    base: BranchName | None = None
    draft: bool | None = None


class PullRequestView(Strict):
    """`author`: in whose name Outboard opened it; null: somebody did at the host."""

    repository: str
    number: int
    url: str
    title: str
    state: State
    draft: bool
    head: str
    base: str
    head_commit: str
    author: str | None
    updated_at: datetime


class PullRequestOfferView(Strict):
    """The host's page on which a person opens it."""

    repository: str
    head: str
    base: str
    url: str


class PullRequestList(Strict):
    pull_requests: list[PullRequestView]
    offers: list[PullRequestOfferView]


class PullRequestOutcome(Strict):
    """Either `pull_request` or, for want of the asker's token, `offer`."""

    outcome: Literal["opened", "updated", "offered"]
    pull_request: PullRequestView | None = None
    offer: PullRequestOfferView | None = None
    warnings: list[str] = []


class PullRequestPolicyView(Strict):
    """How pull requests are wanted. `draft`: always. `label`: set when one is opened."""

    draft: bool = False
    label: Annotated[str, StringConstraints(max_length=50, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""


class PullRequestPolicyInEffect(Strict):
    """`own`: of what was asked about; else it is what everything has."""

    draft: bool
    label: str
    own: bool
