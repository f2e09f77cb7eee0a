"""What GitHub's webhooks say, as far as we listen: fields that we use, and no other.

Strict models of the whole payloads refuse a third of GitHub's own examples.
"""

from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, Field, StringConstraints

from shared.protocol.base import Strict

type Line = Annotated[str, StringConstraints(max_length=1_000)]
type Address = Annotated[str, StringConstraints(max_length=2_000, pattern=r"^https?://\S+$")]


class HookRepository(BaseModel):
    clone_url: Address


class HookRef(BaseModel):
    """`repo` is null when the fork that it was in is gone."""

    ref: Line
    sha: Line
    repo: HookRepository | None = None


class HookPullRequest(BaseModel):
    number: Annotated[int, Field(ge=1, lt=2**63)]
    html_url: Address
    title: Line
    state: Literal["open", "closed"]
    draft: bool = False
    merged_at: AwareDatetime | None = None
    updated_at: AwareDatetime
    head: HookRef
    base: HookRef


class PullRequestHook(BaseModel):
    repository: HookRepository
    pull_request: HookPullRequest


class WebhookTaken(Strict):
    """`about`: it was about a pull request of a session."""

    about: bool
