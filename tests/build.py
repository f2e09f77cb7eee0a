"""Values for tests: each takes what the test is about and fills in the rest."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from shared.domain.attachment import Attachment, AttachmentId
from shared.domain.environment import Environment
from shared.domain.pull_request import PullRequest, PullRequestOffer, PullRequestState
from shared.domain.session.sandbox import Attempt, SandboxStatus
from shared.domain.session.state import (
    Author,
    EnvironmentId,
    Prompt,
    Repository,
    Session,
    SessionId,
    SessionStatus,
    UserId,
)

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
ADA = Author(UserId("ada"), "Ada Example", "ada@example.com")


def repository(name: str = "tool") -> Repository:
    return Repository(url=f"https://git.example.com/acme/{name}.git", name=name)


def environment(name: str = "Shop", **fields: Any) -> Environment:
    plain = Environment(
        id=EnvironmentId("env_shop"),
        name=name,
        description="all of the shop",
        repositories=(repository("shop"), repository("payments")),
        created_at=NOW,
        created_by=ADA.user,
        updated_at=NOW,
        updated_by=ADA.user,
        version="v1",
    )
    return replace(plain, **fields)


def prompt(number: int = 1, *, author: Author = ADA, model: str = "demo/scripted") -> Prompt:
    return Prompt(number=number, author=author, model=model)


def attachment(id_: str = "file-1", **fields: Any) -> Attachment:
    plain = Attachment(
        id=AttachmentId(id_), name="page.png", type="image/png", size=70, width=3, height=2
    )
    return replace(plain, **fields)


def session(
    status: SessionStatus = SessionStatus.CREATED,
    sandbox: SandboxStatus = SandboxStatus.PENDING,
    **fields: Any,
) -> Session:
    plain = Session(
        id=SessionId("s1"),
        owner=ADA.user,
        target=(repository(),),
        model="demo/scripted",
        created_at=NOW,
        updated_at=NOW,
        status=status,
        sandbox=sandbox,
    )
    return replace(plain, **fields)


def pull_request(number: int = 7, **fields: Any) -> PullRequest:
    known: dict[str, Any] = {
        "repository": "tool",
        "url": f"https://git.example.com/tool/pull/{number}",
        "title": "Add a flag",
        "state": PullRequestState.OPEN,
        "draft": False,
        "head": "outboard/s1",
        "base": "main",
        "head_commit": "c1",
        "updated_at": NOW,
    }
    return PullRequest(number=number, **(known | fields))


def offer(**fields: Any) -> PullRequestOffer:
    known: dict[str, Any] = {
        "repository": "tool",
        "head": "outboard/s1",
        "base": "main",
        "url": "https://git.example.com/tool/compare/main...outboard/s1",
        "at": NOW,
    }
    return PullRequestOffer(**(known | fields))


def attempt(number: int = 1, **fields: Any) -> Attempt:
    return replace(Attempt(number=number), **fields)
