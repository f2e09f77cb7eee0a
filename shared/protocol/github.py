"""What GitHub's webhooks say, as far as we listen: fields that we use, and no other.

Strict models of the whole payloads refuse a third of GitHub's own examples.
"""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

from shared.protocol.base import Strict


class HookRepository(BaseModel):
    clone_url: str


class HookRef(BaseModel):
    """`repo` is null when the fork that it was in is gone."""

    ref: str
    sha: str
    repo: HookRepository | None = None


class HookPullRequest(BaseModel):
    number: int
    html_url: str
    title: str
    state: Literal["open", "closed"]
    draft: bool = False
    merged_at: datetime | None = None
    updated_at: datetime
    head: HookRef
    base: HookRef


class PullRequestHook(BaseModel):
    repository: HookRepository
    pull_request: HookPullRequest


class WebhookTaken(Strict):
    """`about`: it was about a pull request of a session."""

    about: bool
