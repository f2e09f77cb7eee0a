"""GitHub's webhooks: only what its secret has signed is read; what is not for us is let pass.

A delivery that comes twice, late or out of order changes nothing: the host's own time decides.
"""

import hmac
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from pydantic import ValidationError

from shared.app.ports.forges import PullRequest
from shared.app.ports.workspace import Secrets
from shared.app.pull_request_news import PullRequestNews
from shared.domain.errors import Invalid, Unauthenticated
from shared.protocol.github import HookPullRequest, PullRequestHook, WebhookTaken

logger = logging.getLogger(__name__)

SECRET = "GITHUB_WEBHOOK_SECRET"  # noqa: S105  its name
HEARD = ("pull_request",)
"""The kinds that are read, whatever their action; all others are let pass."""


@dataclass(frozen=True, slots=True)
class GitHubWebhooks:
    secrets: Secrets
    news: PullRequestNews

    def take(self, headers: Mapping[str, str], raw: bytes) -> WebhookTaken:
        """Raises `Unauthenticated`, also when no secret is there to check by; `Invalid`."""
        if not is_signed(self.secrets.all().get(SECRET, ""), headers, raw):
            raise Unauthenticated("this is not signed with this deployment's webhook secret")
        kind = headers.get("x-github-event", "")
        if kind not in HEARD:
            return WebhookTaken(about=False)
        url, told = pull_request_of(raw)
        about = told is not None and self.news.told(url, told)
        logger.info("webhook", extra={"kind": kind, "about": about})
        return WebhookTaken(about=about)


def is_signed(secret: str, headers: Mapping[str, str], raw: bytes) -> bool:
    """Whether it is, with a secret that there is."""
    digest = hmac.new(secret.encode(), raw, sha256).hexdigest()
    given = headers.get("x-hub-signature-256", "").encode()
    return bool(secret) and hmac.compare_digest(given, f"sha256={digest}".encode())


def pull_request_of(raw: bytes) -> tuple[str, PullRequest | None]:
    """The repository's URL, and the pull request if its branch is in that same repository.

    Raises `Invalid`.
    """
    try:
        hook = PullRequestHook.model_validate_json(raw)
    except ValidationError:
        raise Invalid("body", "it is no pull request of GitHub's") from None
    told, url = hook.pull_request, hook.repository.clone_url
    if told.head.repo is None or told.head.repo.clone_url != url:
        return url, None  # from a fork: anybody may name a branch there as they like
    return url, _told(told)


def _told(told: HookPullRequest) -> PullRequest:
    return PullRequest(
        number=told.number,
        url=told.html_url,
        state="merged" if told.merged_at else told.state,
        draft=told.draft,
        title=told.title,
        head=told.head.ref,
        base=told.base.ref,
        head_commit=told.head.sha,
        updated_at=told.updated_at,
    )
