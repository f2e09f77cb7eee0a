"""GitLab's projects and merge requests in the port's words."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from shared.app.ports.forges import ForgeRepository, PullRequest, PullState

_STATES: Mapping[str, PullState] = {"closed": "closed", "merged": "merged"}
DRAFT = "Draft: "
_DEVELOPER = 30


def to_repository(said: Any) -> ForgeRepository:
    return ForgeRepository(
        url=said["http_url_to_repo"],
        full_name=said["path_with_namespace"],
        description=said.get("description") or "",
        default_branch=said.get("default_branch") or "main",
        private=said.get("visibility") != "public",
        archived=bool(said.get("archived")),
    )


def to_pull(said: Any) -> PullRequest:
    return PullRequest(
        number=said["iid"],
        url=said["web_url"],
        state=_STATES.get(said["state"], "open"),
        draft=bool(said.get("draft")),
        title=said["title"].removeprefix(DRAFT),
        head=said["source_branch"],
        base=said["target_branch"],
        head_commit=said.get("sha") or "",
        updated_at=datetime.fromisoformat(said["updated_at"]),
    )


def is_own(said: Any) -> bool:
    """Whether its branch is in the project itself: anybody may name a fork's as they like."""
    return said["source_project_id"] == said["target_project_id"]


def writable(project: Any) -> bool:
    """Whether a developer's rights, by the project or by a group of it, are the asker's."""
    permissions = project.get("permissions") or {}
    levels = [(one or {}).get("access_level", 0) for one in permissions.values()]
    return max(levels, default=0) >= _DEVELOPER
