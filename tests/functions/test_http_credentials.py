"""Git's credentials over HTTP: for the session's own repositories, and for a living attempt."""

import json
import logging
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import pytest

from functions.http_api.handler import routes
from shared.app import tokens
from shared.app.git_credentials import ASKING
from shared.app.ports.forges import Access
from shared.domain.errors import DomainError, NotFound, Unavailable
from shared.domain.repository_url import directory
from shared.domain.session.commands import Launching, Retire
from shared.domain.session.state import Repository, SessionId
from shared.edge.http.resolver import http
from tests import build
from tests.events import request
from tests.fakes.forges import FakeForge, FakeForges
from tests.functions.test_http_api import CONTEXT
from tests.world import World

PASSWORD = "ghs_0"
HOST = "https://git.example.com"
URL = build.repository().url
LIBRARY = build.repository("library").url
ELSEWHERE = "https://code.example.org/acme/other.git"


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: Any


@dataclass(frozen=True, slots=True)
class Sandbox:
    world: World
    session: SessionId
    token: str

    @property
    def host(self) -> FakeForge:
        return self.world.forges.forges[0]

    @property
    def made(self) -> list[tuple[tuple[str, ...], Access]]:
        """For what credentials were given."""
        return [(tuple(made.urls), made.access) for made in self.host.given]

    def ask(self, path: str, body: object = None) -> Answer:
        event = request("POST", f"/sandbox/{path}", self.token, body)
        answer = http(routes, lambda: self.world.app)(event, CONTEXT)
        return Answer(answer["statusCode"], json.loads(answer["body"]))

    def git(self, url: str = URL, operation: str = "write") -> Answer:
        return self.ask("git-credentials", {"url": url, "operation": operation})

    def gh(self) -> Answer:
        return self.ask("gh-credentials")


def sandbox(*urls: str, world: World | None = None, name: str = "s1") -> Sandbox:
    """Of a living attempt of a session of these repositories."""
    world = world or World(forges=FakeForges([_host()]))
    target = tuple(Repository(url=url, name=directory(url)) for url in urls or (URL,))
    session = SessionId(name)
    world.app.store.create(build.session(id=session, target=target), name)
    world.submit(session)
    token = tokens.new_sandbox_token(session, 1)
    world.app.sessions.handle(session, Launching(1, tokens.digest(token), "key"))
    return Sandbox(world, session, token)


def _host() -> FakeForge:
    host = FakeForge(HOST)
    host.has("acme/tool")
    host.has("acme/library")
    return host


def test_a_repository_of_the_session_has_credentials_for_itself_alone():
    asking = sandbox(URL, LIBRARY)

    answer = asking.git()

    assert answer == Answer(
        200,
        {"username": "x-access-token", "password": PASSWORD, "expiresAt": "2026-01-02T04:04:05Z"},
    )
    assert asking.made == [((URL,), Access.WRITE)]


def test_what_only_reads_asks_for_no_more():
    asking = sandbox()

    asking.git(operation="read")

    assert asking.made == [((URL,), Access.READ)]


def test_a_host_where_git_needs_no_credentials_has_none():
    asking = sandbox(f"{HOST}/acme/open.git")
    asking.host.has("acme/open", private=False, installed=False)

    assert asking.git(f"{HOST}/acme/open", "read") == Answer(200, None)


@pytest.mark.parametrize(
    "url",
    [
        "https://GIT.example.com/acme/tool.git",
        "https://git.example.com/acme/tool",
        "https://git.example.com/acme/tool.git/",
        "https://somebody@git.example.com/acme/tool.git",
        "https://git.example.com:443/acme/tool.git",
    ],
)
def test_another_spelling_of_the_same_repository_gets_what_is_made_for_the_sessions_own(url: str):
    asking = sandbox()

    assert asking.git(url).status == 200
    assert asking.made == [((URL,), Access.WRITE)]


@pytest.mark.parametrize(
    "url",
    [
        LIBRARY,
        "https://git.example.com/acme/Tool.git",
        "https://git.example.com/acme/tool2.git",
        "https://git.example.com/acme/tool.git/info",
        "https://git.example.com/acme/other/../tool.git",
        "https://git.example.com/acme/tool.git/../secret.git",
        "https://git.example.com/acme/../acme/tool.git",
        "https://git.example.com//acme/tool.git",
        "https://git.example.com/acme/tool.git?of=secret",
        "https://git.example.com/acme/%74ool.git",
        "https://git.example.com:8443/acme/tool.git",
        "http://git.example.com/acme/tool.git",
        "ssh://git@git.example.com/acme/tool.git",
        "https://git.example.com.evil.example/acme/tool.git",
        "https://git.example.com@evil.example/acme/tool.git",
        "https://evil.example\\@git.example.com/acme/tool.git",
        "https://evil.example#@git.example.com/acme/tool.git",
        "https://git.example.com",
        "https://user:password@git.example.com/acme/tool.git",
        "file:///etc/passwd",
        "https://[git.example.com/acme/tool.git",
        "nothing like a url",
    ],
)
def test_what_is_not_the_sessions_is_refused_before_any_host_is_asked(url: str):
    asking = sandbox()

    answer = asking.git(url)

    assert (answer.status, answer.body["code"]) == (403, "forbidden")
    assert asking.made == []


@pytest.mark.parametrize(
    "body",
    [
        {"url": URL},
        {"url": URL, "operation": "admin"},
        {"url": "", "operation": "read"},
        {"url": f"https://git.example.com/{'x' * 2_000}", "operation": "read"},
        {},
    ],
)
def test_what_does_not_say_what_it_is_for_gets_nothing(body: dict[str, str]):
    assert sandbox().ask("git-credentials", body).status == 422


def test_an_attempt_that_is_over_gets_nothing():
    asking = sandbox()
    asking.world.app.sessions.handle(asking.session, Retire(1, None))

    assert (asking.git().status, asking.gh().status) == (401, 401)
    assert asking.made == []


@pytest.mark.parametrize("token", ["", "obs.s1.1.guessed", "nonsense"])
def test_without_the_token_of_an_attempt_there_is_nothing(token: str):
    asking = sandbox()
    stranger = Sandbox(asking.world, asking.session, token)

    assert (stranger.git().status, stranger.gh().status) == (401, 401)


def test_a_persons_token_is_none_of_an_attempt():
    asking = sandbox()
    person = Sandbox(asking.world, asking.session, asking.world.owner()[1])

    assert (person.git().status, person.gh().status) == (401, 401)


def test_the_sandbox_of_another_session_gets_nothing_of_this_one():
    asking = sandbox()
    other = sandbox(LIBRARY, world=asking.world, name="s2")

    assert (other.git(URL).status, other.git(LIBRARY).status) == (403, 200)


def test_gh_has_one_token_for_all_of_the_session_on_the_first_github():
    asking = sandbox(ELSEWHERE, URL, "https://ghe.example.net/acme/far.git", LIBRARY)

    answer = asking.gh()

    assert answer == Answer(
        200,
        {"host": "git.example.com", "token": PASSWORD, "expiresAt": "2026-01-02T04:04:05Z"},
    )
    assert asking.made == [((URL, LIBRARY), Access.WORK)]


def test_gh_has_no_token_in_a_session_without_a_repository_on_github():
    asking = sandbox(ELSEWHERE)

    assert asking.gh() == Answer(200, None)
    assert asking.made == []


@pytest.mark.parametrize(
    ("failure", "status"),
    [(NotFound("the app is not installed there"), 404), (Unavailable("GitHub is away"), 503)],
)
def test_what_the_host_says_is_the_answer(failure: DomainError, status: int):
    asking = sandbox()
    asking.host.fail(failure)

    answer = asking.git()

    assert (answer.status, answer.body["message"]) == (status, str(failure))


def test_an_attempt_that_asks_in_a_loop_is_slowed_down_and_no_other_one():
    asking = sandbox()
    other = sandbox(world=asking.world, name="s2")
    statuses = [asking.git().status for _ in range(ASKING.burst + 1)]

    assert statuses == [200] * ASKING.burst + [409]
    assert other.git().status == 200

    asking.world.pass_time(ASKING.every)
    assert asking.git().status == 200


def test_the_log_knows_which_repository_and_nothing_else(caplog: pytest.LogCaptureFixture):
    asking = sandbox()

    with caplog.at_level(logging.INFO):
        asking.git()
        asking.gh()
        asking.git("https://git.example.com/acme/secret-name.git")

    said = [str(vars(record)) for record in caplog.records]
    assert [record.msg for record in caplog.records if "credential" in str(record.msg)] == [
        "credential",
        "credential",
        "no credential",
    ]
    assert any("tool" in line for line in said)
    for secret in (PASSWORD, "secret-name", asking.token):
        assert not any(secret in line for line in said)


def test_gh_has_credentials_for_the_repository_it_is_asked_about():
    asking = sandbox(URL, LIBRARY)

    answer = asking.ask("gh-credentials", {"url": LIBRARY})

    assert answer.body["host"] == "git.example.com"
    assert asking.made == [((LIBRARY,), Access.WORK)]
    assert asking.ask("gh-credentials", {"url": ELSEWHERE}).status == 403


def test_repositories_of_two_owners_each_have_credentials_of_their_own():
    others = f"{HOST}/team/site.git"
    asking = sandbox(URL, others, LIBRARY)
    asking.host.has("team/site")

    answers = [
        asking.git(),
        asking.git(others),
        asking.ask("gh-credentials", {"url": others}),
        asking.gh(),
    ]

    assert {answer.status for answer in answers} == {200}
    assert asking.made == [
        ((URL,), Access.WRITE),
        ((others,), Access.WRITE),
        ((others,), Access.WORK),
        ((URL, LIBRARY), Access.WORK),
    ]


def test_repositories_of_several_hosts_each_have_credentials_of_their_own_host():
    gitlab = FakeForge("https://gitlab.example", is_a="gitlab")
    plain = FakeForge("https://plain.example", is_a="git")
    urls = [gitlab.has("acme/tool"), plain.has("open/lib", private=False, installed=False)]
    asking = sandbox(*urls, URL, world=World(forges=FakeForges([_host(), gitlab, plain])))

    assert asking.git(urls[0]).status == 200
    assert asking.git(urls[1], "read") == Answer(200, None)
    assert asking.git().status == 200
    assert asking.gh().body["host"] == "git.example.com"
    assert asking.ask("gh-credentials", {"url": urls[0]}) == Answer(200, None)
    assert [tuple(made.urls) for made in gitlab.given] == [(urls[0],)]
    assert [made[0] for made in asking.made] == [(URL,), (URL,)]


def test_what_the_host_no_longer_takes_is_not_given_again_and_what_it_takes_is():
    asking = sandbox()
    asking.host.keeps = True
    first = asking.git()
    refused = {"url": URL, "operation": "write", "refused": sha256(PASSWORD.encode()).hexdigest()}

    again = asking.ask("git-credentials", refused)
    third = asking.ask("git-credentials", refused)

    passwords = [answer.body["password"] for answer in (first, again, third)]
    assert passwords == ["ghs_0", "ghs_1", "ghs_1"]
