"""As much of GitLab's REST API as we use, on loopback."""

import json
import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.forge.callers import Refused
from tests.forge.troubles import Refusal, Troubles, Wire, encoded

API = "/api/v4"
OURS = "glpat-ours"
DEVELOPER, MAINTAINER = 30, 40
NO_TOKENS = "400 Bad request - User does not have permission to create project access token"
_ROUTE = re.compile(rf"{API}/projects(?:/(?P<project>[^/]+))?(?P<below>/.*)?")


@dataclass(slots=True)
class Project:
    path: str
    branches: Mapping[str, str]
    private: bool
    installed: bool
    description: str
    default_branch: str
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


@dataclass(slots=True)
class GitLab:
    url: str = ""
    page: int = 100
    our_level: int = MAINTAINER
    now: datetime = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    issued: dict[str, tuple[str, Any]] = field(default_factory=dict[str, tuple[str, Any]])
    """By token: its project, and what was asked for it."""
    projects: dict[str, Project] = field(default_factory=dict[str, Project])
    people: dict[str, str] = field(default_factory=dict[str, str])
    troubles: Troubles = field(default_factory=Troubles)

    def has(
        self,
        path: str,
        branches: Sequence[str] = ("main",),
        *,
        private: bool = True,
        installed: bool = True,
        description: str = "",
    ) -> str:
        commits = {name: f"{number:040x}" for number, name in enumerate(sorted(branches), 1)}
        project = Project(path, commits, private, installed, description, branches[0])
        self.projects[path] = project
        return f"{self.url}/{path}.git"

    def answer(self, method: str, path: str, query: Mapping[str, str], token: str, body: Any):
        if token not in {OURS, *self.people}:
            raise Refused(401, "401 Unauthorized")
        found = _ROUTE.fullmatch(path)
        if not found:
            raise Refused(404, "404 Not Found")
        if found["project"] is None:
            return [self._shape(one) for one in self.projects.values() if one.installed]
        project = self.projects.get(unquote(found["project"]))
        ours = token == OURS
        if not project or (project.private and ours and not project.installed):
            raise Refused(404, "404 Project Not Found")
        if method != "GET" and ours and not project.installed:
            raise Refused(403, "403 Forbidden")
        return self._below(project, method, found["below"] or "", query, body)

    def _below(
        self, project: Project, method: str, below: str, query: Mapping[str, str], body: Any
    ):
        match [method, *below.strip("/").split("/")]:
            case ["GET", ""]:
                return self._shape(project)
            case ["GET", "repository", "branches"]:
                return [
                    {"name": name, "commit": {"id": commit}}
                    for name, commit in project.branches.items()
                ]
            case ["POST", "merge_requests"]:
                return self._create(project, body)
            case ["POST", "access_tokens"]:
                return self._issue(project, body)
            case ["GET", "merge_requests"]:
                return [one for one in project.requests if _matches(one, query)]
            case ["GET", "merge_requests", number]:
                return _numbered(project, number)
            case ["PUT", "merge_requests", number]:
                return _change(_numbered(project, number), body)
            case _:
                raise Refused(404, "404 Not Found")

    def _issue(self, project: Project, body: Any) -> Any:
        if self.our_level < MAINTAINER:
            raise Refused(400, NO_TOKENS)
        if body.keys() != {"name", "scopes", "access_level", "expires_at"}:
            raise Refused(400, "something is missing, or unknown")
        if date.fromisoformat(body["expires_at"]) <= self.now.date():
            raise Refused(400, "400 Bad request - Expires at must be in the future")
        token = f"glpat-project-{len(self.issued)}"
        self.issued[token] = (project.path, body)
        return {**body, "id": len(self.issued), "active": True, "revoked": False, "token": token}

    def _create(self, project: Project, body: Any) -> Any:
        head, base = body["source_branch"], body["target_branch"]
        if head not in project.branches:
            raise Refused(422, f'Source branch "{head}" does not exist')
        asked = {"state": "opened", "source_branch": head, "target_branch": base}
        if any(_matches(one, asked) for one in project.requests):
            raise Refused(409, "Another open merge request already exists for this source branch")
        number = len(project.requests) + 1
        made = {
            "iid": number,
            "web_url": f"{self.url}/{project.path}/-/merge_requests/{number}",
            "state": "opened",
            "source_branch": head,
            "target_branch": base,
            "sha": project.branches[head],
            "updated_at": "2026-01-02T03:04:05.678Z",
            "labels": [],
            "source_project_id": 1,
            "target_project_id": 1,
            "description": body["description"],
        }
        project.requests.append(_change(made, {"title": body["title"]}))
        return made

    def _shape(self, project: Project) -> Any:
        access = {"access_level": self.our_level} if project.installed else None
        return {
            "path_with_namespace": project.path,
            "http_url_to_repo": f"{self.url}/{project.path}.git",
            "description": project.description or None,
            "default_branch": project.default_branch,
            "visibility": "private" if project.private else "public",
            "archived": False,
            "permissions": {"project_access": access, "group_access": None},
        }


def _matches(one: dict[str, Any], query: Mapping[str, str]) -> bool:
    names = ("state", "source_branch", "target_branch")
    since = datetime.fromisoformat(query.get("updated_after", "2000-01-01T00:00:00Z"))
    if datetime.fromisoformat(one["updated_at"]) < since:
        return False
    return all(one[name] == query[name] for name in names if name in query)


def _numbered(project: Project, number: str) -> dict[str, Any]:
    for one in project.requests:
        if str(one["iid"]) == number:
            return one
    raise Refused(404, "404 Not found")


def _change(one: dict[str, Any], body: Any) -> dict[str, Any]:
    if "title" in body:
        one |= {"title": body["title"], "draft": body["title"].startswith("Draft: ")}
    if "description" in body:
        one["description"] = body["description"]
    if label := body.get("add_labels"):
        one["labels"] = sorted({*one["labels"], label})
    return one


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    gitlab: GitLab


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  its name there
        pass

    def _go(self) -> None:
        assert isinstance(self.server, _Server)
        gitlab, parts = self.server.gitlab, urlsplit(self.path)
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        trouble = gitlab.troubles.meet(parts.path)
        if isinstance(trouble, Refusal):
            self._say(trouble.status, trouble.content, trouble.headers)
            return
        token = self.headers.get("authorization", "").removeprefix("Bearer ")
        query = dict(parse_qsl(parts.query))
        try:
            content = gitlab.answer(
                self.command, parts.path, query, token, json.loads(raw) if raw else None
            )
        except Refused as refused:
            self._say(refused.status, {"message": refused.message}, {})
            return
        if trouble is not Wire.LOST:
            self._say_page(gitlab, parts.path, query, content)

    def do_GET(self) -> None:
        self._go()

    def do_POST(self) -> None:
        self._go()

    def do_PUT(self) -> None:
        self._go()

    def _say_page(self, gitlab: GitLab, path: str, query: Mapping[str, str], content: Any) -> None:
        headers: dict[str, str] = {}
        if isinstance(content, list):
            page, size = int(query.get("page", "1")), gitlab.page
            if page * size < len(content):
                headers["link"] = f'<{gitlab.url}{path}?page={page + 1}>; rel="next"'
            content = content[(page - 1) * size : page * size]
        self._say(201 if self.command == "POST" else 200, content, headers)

    def _say(self, status: int, content: Any, headers: Mapping[str, str]) -> None:
        body = encoded(content)
        self.send_response(status)
        for name, value in {"content-type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def hosting_gitlab() -> Generator[GitLab]:
    server = _Server(("127.0.0.1", 0), _Handler)
    server.gitlab = GitLab(f"http://127.0.0.1:{server.server_port}")
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server.gitlab
    server.shutdown()
    thread.join()
    server.server_close()
