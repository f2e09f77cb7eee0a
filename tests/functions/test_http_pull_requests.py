"""Pull requests, from an event to the answer: opened as who asked, followed by webhooks."""

import base64
import hmac
import json
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest

from functions.http_api.handler import routes
from shared.app import tokens
from shared.app.app import App
from shared.app.ports.forges import ForgeLimited, ForgeRefused, NewPullRequest, PullRequest
from shared.domain.errors import Unavailable
from shared.domain.repository_url import directory, key
from shared.domain.session.commands import BecomeReady, Connect, Launched, Launching
from shared.domain.session.sandbox import ProviderId
from shared.domain.session.state import PromptStatus, Push, Repository, SessionId, UserId
from shared.edge.http.resolver import http
from tests import build
from tests.events import request
from tests.fakes.forges import FakeForge, FakeForges
from tests.functions.test_http_api import CONTEXT
from tests.shared.domain.session.situations import finish_of
from tests.world import World

ADA, BOB = UserId("ada"), UserId("bob")
SECRET = "of the webhook"


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: Any


class Desk:
    """A session whose branch is pushed in each of its repositories, and people who ask."""

    def __init__(self, *names: str) -> None:
        self.forge = FakeForge()
        self.world = World(forges=FakeForges([self.forge]))
        self.world.secrets.values["GITHUB_WEBHOOK_SECRET"] = SECRET
        self.token = self.world.owner()[1]
        urls = [self.forge.has(name) for name in names or ("acme/tool",)]
        target = tuple(Repository(url=url, name=directory(url)) for url in urls)
        self.session = SessionId("s1")
        pushes = tuple(Push(one.name, "outboard/s1", "c1") for one in target)
        session = build.session(id=self.session, target=target, pushes=pushes)
        self.world.app.store.create(session, "s1")
        for url in urls:
            self.forge.held[key(url)].branches["outboard/s1"] = "c1"
        self.url = urls[0]

    def signs_in(self, user: UserId, token: str) -> None:
        self.world.user_tokens.tokens[user, "github"] = token
        self.forge.known_tokens.add(token)

    def ask(self, method: str, path: str, body: object = None, token: str | None = None) -> Answer:
        event = request(method, path, self.token if token is None else token, body)
        return self.resolve(event)

    def resolve(self, event: dict[str, Any]) -> Answer:
        answer = http(routes, lambda: self.world.app)(event, CONTEXT)
        return Answer(answer["statusCode"], json.loads(answer["body"]))

    def open(self, **asked: Any) -> Answer:
        return self.ask("POST", "/sessions/s1/pull-requests", {"title": "Add a flag", **asked})

    def run(self) -> str:
        """Ada's prompt begins to run; the answer is the token of its sandbox."""
        self.world.submit(self.session)
        token = tokens.new_sandbox_token(self.session, 1)
        ends = self.world.now + timedelta(hours=8)
        launching = Launching(1, tokens.digest(token), "key")
        launched = Launched(1, ProviderId("box"), ends)
        for command in (launching, launched, Connect(1), BecomeReady(1)):
            self.world.app.sessions.handle(self.session, command)
        return token

    def hook(self, kind: str, payload: object, secret: str = SECRET) -> Answer:
        raw = json.dumps(payload).encode()
        signature = hmac.new(secret.encode(), raw, sha256).hexdigest()
        event = request("POST", "/webhooks/github", "", None)
        event["headers"] = {
            "content-type": "application/json",
            "x-github-event": kind,
            "x-hub-signature-256": f"sha256={signature}",
        }
        event |= {"body": base64.b64encode(raw).decode(), "isBase64Encoded": True}
        return self.resolve(event)

    def known(self) -> list[Any]:
        return self.ask("GET", "/sessions/s1").body["pullRequests"]


def payload(desk: Desk, **changes: Any) -> dict[str, Any]:
    """As GitHub words it, with what we do not read left out."""
    here = {"clone_url": desk.url}
    branch = {"ref": "outboard/s1", "sha": "c2", "repo": here}
    told = {
        "number": 1,
        "html_url": "https://github.com/acme/tool/pull/1",
        "title": "Add a flag",
        "state": "open",
        "draft": False,
        "merged_at": None,
        "updated_at": "2026-01-02T04:00:00Z",
        "head": branch,
        "base": {"ref": "main", "sha": "c0", "repo": here},
    }
    return {"action": "edited", "repository": here, "pull_request": {**told, **changes}}


def test_it_is_opened_as_who_asked_and_says_where_it_came_from():
    desk = Desk()
    desk.signs_in(ADA, "ghu_ada")

    answer = desk.open(body="Because.")

    assert (answer.status, answer.body["outcome"]) == (200, "opened")
    told = answer.body["pullRequest"]
    assert (told["author"], told["head"], told["base"]) == ("ada", "outboard/s1", "main")
    assert desk.forge.authors == {told["url"]: "ghu_ada"}
    assert desk.known() == [told]


def test_the_text_ends_with_the_sessions_page():
    desk = Desk()
    desk.signs_in(ADA, "ghu_ada")
    asked: list[NewPullRequest] = []
    create = desk.forge.create_pull_request

    def remember(url: str, new: NewPullRequest, *, token: str | None) -> PullRequest:
        asked.append(new)
        return create(url, new, token=token)

    desk.world.app = with_forges(desk.world.app, _Only(desk.forge, remember))
    desk.open(body="Because.")

    (new,) = asked
    page = "https://outboard.example.com/sessions/s1"
    assert new.body == f"Because.\n\n---\nOpened with [Outboard]({page})"


def with_forges(app: App, forges: Any) -> App:
    """The same one, which opens pull requests at these hosts."""
    return replace(app, pull_requests=replace(app.pull_requests, forges=forges))


class _Only:
    """A host whose creation is looked at."""

    def __init__(self, forge: FakeForge, create: Any) -> None:
        self._forge = forge
        self.create_pull_request = create

    def __getattr__(self, name: str) -> Any:
        return getattr(self._forge, name)

    def of(self, url: str) -> Any:
        return self

    def all(self) -> Any:
        return [self]


def test_asked_twice_it_is_the_same_one():
    desk = Desk()
    desk.signs_in(ADA, "ghu_ada")

    first, second = desk.open(), desk.open(title="Add two flags", body="More.")

    assert (first.body["outcome"], second.body["outcome"]) == ("opened", "updated")
    assert second.body["pullRequest"]["number"] == first.body["pullRequest"]["number"]
    assert [known["author"] for known in desk.known()] == ["ada"]


@pytest.mark.parametrize(
    ("asked", "title", "text"),
    [
        ({"title": ""}, "Add a flag", "Because."),
        ({"title": "  ", "body": " \n"}, "Add a flag", "Because."),
        ({"title": "Add two flags"}, "Add two flags", "Because."),
        ({"title": "", "body": "More."}, "Add a flag", "More."),
        ({"title": "Add two flags", "body": "More."}, "Add two flags", "More."),
    ],
    ids=["neither", "blanks", "title", "body", "both"],
)
def test_asked_again_it_changes_what_is_given_and_nothing_else(
    asked: dict[str, Any], title: str, text: str
):
    desk = Desk()
    desk.signs_in(ADA, "ghu_ada")
    desk.open(body="Because.")

    again = desk.open(**asked, draft=True)

    told = again.body["pullRequest"]
    page = "https://outboard.example.com/sessions/s1"
    assert (again.status, again.body["outcome"]) == (200, "updated")
    assert (told["title"], told["draft"], desk.known()) == (title, False, [told])
    assert desk.forge.bodies[told["url"]] == f"{text}\n\n---\nOpened with [Outboard]({page})"


def test_a_label_is_set_once_so_that_whoever_takes_it_off_has_it_off():
    desk = Desk()
    desk.signs_in(ADA, "ghu_ada")
    desk.ask("PUT", "/settings/pull-requests", {"draft": False, "label": "agents"})
    desk.open()
    desk.forge.held[key(desk.url)].labels.clear()

    desk.open(title="Add two flags", body="More.")

    assert desk.forge.held[key(desk.url)].labels == set()


def test_a_change_with_a_token_that_is_not_taken_any_more_is_made_as_without_one():
    desk = Desk()
    desk.signs_in(ADA, "ghu_ada")
    desk.open()
    desk.forge.known_tokens.clear()

    again = desk.open(title="Add two flags")

    assert (again.status, again.body["pullRequest"]["title"]) == (200, "Add two flags")


def test_a_crash_between_creating_and_recording_makes_no_second_one():
    desk = Desk()
    desk.signs_in(ADA, "ghu_ada")
    desk.forge.lose_answer()

    lost, again = desk.open(), desk.open()

    assert (lost.status, again.status) == (503, 200)
    assert again.body["outcome"] == "updated"
    assert len(desk.forge.held[key(desk.url)].pulls) == 1
    assert len(desk.known()) == 1


def test_two_calls_at_once_come_to_the_same_one():
    desk = Desk()
    desk.signs_in(ADA, "ghu_ada")
    looked = desk.forge.open_pull_request
    others: list[Answer] = []

    def meanwhile(url: str, head: str, base: str | None) -> PullRequest | None:
        found = looked(url, head, base)
        if not others:
            others.append(Answer(0, None))
            others[0] = desk.open()
        return found

    only = _Only(desk.forge, desk.forge.create_pull_request)
    only.open_pull_request = meanwhile  # type: ignore[attr-defined]
    desk.world.app = with_forges(desk.world.app, only)

    answer = desk.open()

    assert (others[0].body["outcome"], answer.body["outcome"]) == ("opened", "updated")
    assert len(desk.forge.held[key(desk.url)].pulls) == 1


def test_who_has_not_signed_in_at_the_host_gets_a_link_and_the_session_an_artifact():
    desk = Desk()

    first, second = desk.open(), desk.open()

    link = "https://github.com/acme/tool/compare/main...outboard/s1?expand=1"
    assert (first.body["outcome"], first.body["offer"]["url"]) == ("offered", link)
    assert second.body["outcome"] == "offered"
    artifacts = desk.ask("GET", "/sessions/s1/artifacts").body["artifacts"]
    assert [(one["kind"], one["url"]) for one in artifacts] == [("pull_request_link", link)]
    assert desk.forge.held[key(desk.url)].pulls == []


def test_a_token_that_the_host_does_not_take_any_more_is_none():
    desk = Desk()
    desk.signs_in(ADA, "ghu_ada")
    desk.forge.known_tokens.clear()

    assert desk.open().body["outcome"] == "offered"


def test_the_agent_opens_it_as_the_author_of_the_prompt_that_runs():
    desk = Desk()
    desk.signs_in(ADA, "ghu_ada")
    token = desk.run()

    answer = desk.ask("POST", "/sandbox/pull-requests", {"title": "Add a flag"}, token)

    assert (answer.status, answer.body["pullRequest"]["author"]) == (200, "ada")


def test_while_nothing_runs_nobody_has_asked_for_one():
    desk = Desk()
    token = desk.run()
    desk.world.app.sessions.handle(desk.session, finish_of(1, 1, PromptStatus.COMPLETED))

    answer = desk.ask("POST", "/sandbox/pull-requests", {"title": "Add a flag"}, token)

    assert (answer.status, answer.body["code"]) == (409, "rejected")


def test_where_nothing_was_pushed_there_is_nothing_to_open():
    desk = Desk()
    desk.signs_in(ADA, "ghu_ada")
    bare = build.session(id=SessionId("s2"), target=desk.world.app.store.load(desk.session).target)
    desk.world.app.store.create(bare, "s2")

    answer = desk.ask("POST", "/sessions/s2/pull-requests", {"title": "Add a flag"})

    assert (answer.status, answer.body["code"]) == (409, "rejected")
    assert "nothing was pushed" in answer.body["message"]


def test_a_person_is_no_sandbox():
    assert Desk().ask("POST", "/sandbox/pull-requests", {"title": "x"}).status == 401


def test_of_several_repositories_one_is_named():
    desk = Desk("acme/tool", "acme/library")
    desk.signs_in(ADA, "ghu_ada")

    unnamed, elsewhere = desk.open(), desk.open(repository="other")
    both = [desk.open(repository=name) for name in ("tool", "library")]

    assert (unnamed.status, elsewhere.status) == (422, 422)
    assert "tool, library" in unnamed.body["message"]
    assert [answer.body["outcome"] for answer in both] == ["opened", "opened"]
    assert {known["repository"] for known in desk.known()} == {"tool", "library"}


def test_what_the_host_says_about_a_refusal_is_said():
    desk = Desk()
    desk.signs_in(ADA, "ghu_ada")
    desk.forge.fail(ForgeRefused("there are no commits between main and outboard/s1"))

    answer = desk.open()

    assert (answer.status, answer.body["message"]) == (
        409,
        "there are no commits between main and outboard/s1",
    )


def test_a_host_that_wants_fewer_requests_is_asked_later():
    desk = Desk()
    desk.signs_in(ADA, "ghu_ada")
    desk.forge.fail(ForgeLimited("GitHub wants fewer requests", 30))

    assert desk.open().status == 503


def test_the_policy_of_the_repository_beats_that_of_all():
    desk = Desk()
    desk.signs_in(ADA, "ghu_ada")
    everywhere = {"draft": False, "label": "from outboard"}
    here = {"draft": True, "label": "agents"}
    desk.ask("PUT", "/settings/pull-requests", everywhere)
    path = "/settings/pull-requests/repository"
    event = request("PUT", path, desk.token, here, url=desk.url)
    assert desk.resolve(event).body == here | {"own": True}

    opened = desk.open()

    assert desk.ask("GET", "/settings/pull-requests").body == everywhere | {"own": True}
    assert opened.body["pullRequest"]["draft"] is True
    assert desk.forge.held[key(desk.url)].labels == {(1, "agents")}


def test_a_repository_has_what_everything_has_until_it_chooses_and_may_do_so_again():
    desk = Desk()
    path = "/settings/pull-requests/repository"

    def ask(method: str, body: object = None) -> object:
        return desk.resolve(request(method, path, desk.token, body, url=desk.url)).body

    nothing = ask("GET")
    desk.ask("PUT", "/settings/pull-requests", {"draft": True, "label": "agents"})
    inherited = ask("GET")
    ask("PUT", {"draft": False})
    own = ask("GET")
    again = ask("DELETE")

    assert nothing == {"draft": False, "label": "", "own": False}
    assert inherited == again == {"draft": True, "label": "agents", "own": False}
    assert own == {"draft": False, "label": "", "own": True}


def test_a_label_that_is_refused_leaves_the_pull_request_open():
    desk = Desk()
    desk.signs_in(ADA, "ghu_ada")
    desk.ask("PUT", "/settings/pull-requests", {"draft": False, "label": "agents"})
    label = _Only(desk.forge, desk.forge.create_pull_request)

    def refuse(*_: object) -> None:
        raise ForgeRefused("no such label")

    label.label = refuse  # type: ignore[attr-defined]
    desk.world.app = with_forges(desk.world.app, label)

    answer = desk.open()

    assert answer.body["outcome"] == "opened"
    assert answer.body["warnings"] == ["the label 'agents' was not set: no such label"]


def test_a_policy_that_cannot_be_read_opens_nothing():
    desk = Desk()
    desk.signs_in(ADA, "ghu_ada")

    class Unreadable:
        def get(self, repository: object) -> None:
            raise Unavailable("the table does not answer")

    unreadable = replace(desk.world.app.pull_requests, policies=Unreadable())
    desk.world.app = replace(desk.world.app, pull_requests=unreadable)

    assert desk.open().status == 503
    assert desk.forge.held[key(desk.url)].pulls == []


def test_a_refresh_asks_the_host_and_leaves_what_it_does_not_say():
    desk = Desk()
    desk.signs_in(ADA, "ghu_ada")
    desk.open()
    desk.forge.merge(desk.url, 1)

    desk.forge.fail(Unavailable("down"))
    unanswered = desk.ask("POST", "/sessions/s1/pull-requests/refresh")
    answered = desk.ask("POST", "/sessions/s1/pull-requests/refresh")

    assert [one["state"] for one in unanswered.body["pullRequests"]] == ["open"]
    assert [one["state"] for one in answered.body["pullRequests"]] == ["merged"]


def test_a_webhook_tells_of_one_that_was_opened_by_hand():
    desk = Desk()

    answer = desk.hook("pull_request", payload(desk))

    assert (answer.status, answer.body) == (202, {"about": True})
    assert [(one["number"], one["author"]) for one in desk.known()] == [(1, None)]


def test_webhooks_may_come_late_and_twice():
    desk = Desk()
    merged = payload(
        desk, state="closed", merged_at="2026-01-02T05:00:00Z", updated_at="2026-01-02T05:00:00Z"
    )

    for told in (merged, payload(desk), merged):
        desk.hook("pull_request", told)

    assert [one["state"] for one in desk.known()] == ["merged"]


@pytest.mark.parametrize("secret", ["", "another"])
def test_what_is_not_signed_with_the_secret_is_not_read(secret: str):
    desk = Desk()

    answer = desk.hook("pull_request", payload(desk), secret)

    assert (answer.status, desk.known()) == (401, [])


def test_without_a_secret_nothing_is_believed():
    desk = Desk()
    desk.world.secrets.values["GITHUB_WEBHOOK_SECRET"] = ""

    assert desk.hook("pull_request", payload(desk), "").status == 401


def test_a_branch_of_that_name_in_a_fork_is_nobodys():
    desk = Desk()
    fork = {"ref": "outboard/s1", "sha": "c2", "repo": {"clone_url": "https://github.com/x/t.git"}}

    assert desk.hook("pull_request", payload(desk, head=fork)).body == {"about": False}
    assert desk.hook("pull_request", payload(desk, head=fork | {"repo": None})).body == {
        "about": False
    }


@pytest.mark.parametrize("ref", ["main", "outboard/", "outboard/nobody", "x/outboard/s1"])
def test_of_other_branches_nothing_is_kept(ref: str):
    desk = Desk()
    head = {"ref": ref, "sha": "c2", "repo": {"clone_url": desk.url}}

    assert desk.hook("pull_request", payload(desk, head=head)).body == {"about": False}
    assert desk.known() == []


def test_other_kinds_of_webhooks_are_let_pass():
    assert Desk().hook("ping", {"zen": "Design for failure."}).status == 202


def test_what_is_no_pull_request_is_refused():
    assert Desk().hook("pull_request", {"action": "opened"}).status == 422


def test_another_persons_time_passes_before_a_refresh():
    desk = Desk()
    desk.signs_in(ADA, "ghu_ada")
    desk.open()
    desk.forge.now += timedelta(minutes=1)
    desk.forge.close(desk.url, 1)

    known = desk.ask("POST", "/sessions/s1/pull-requests/refresh").body["pullRequests"]

    assert [(one["state"], one["author"]) for one in known] == [("closed", "ada")]
