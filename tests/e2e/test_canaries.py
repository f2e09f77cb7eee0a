"""Secrets of every kind in one session: where they may be, and that they are nowhere else.

A sandbox has them in memory, KMS and Secrets Manager keep them. What an agent uses or prints is in
no file of it and in no copy, what OpenCode remembers included.
"""

from collections.abc import Generator
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

import pytest

from tests.e2e.at_github import (
    MODEL_KEY,
    WEBHOOK_SECRET,
    AtGitHub,
    bash,
    wants_pull_request,
)
from tests.e2e.searching import Place, answers, aws, files, found, logs
from tests.e2e.talk import Api, Talk
from tests.forge.accounts import CLIENT
from tests.forge.hosting import keys, needs_openapi

pytestmark = needs_openapi

GLOBAL, OWN, OF_ENVIRONMENT = (f"canary-{of}-81d2c4f7" for of in ("all", "own", "environment"))
PRINTS = "env; tr '\\0' '\\n' </proc/self/environ; printf %s \"$A_GLOBAL\" | base64"


@dataclass(frozen=True)
class Shop:
    """A session of an environment, in which an agent has used what it was given.

    The secrets of its repository stay out of it, as those of any other would.
    """

    url: str
    environment: str
    talk: Talk


@pytest.fixture(scope="module")
def owner(at: AtGitHub) -> Generator[Api]:
    with Api(at.machine) as asking:
        yield asking


@pytest.fixture(scope="module")
def shop(at: AtGitHub, owner: Api) -> Shop:
    url, ada = at.has("acme/shop"), at.visitor("ada")
    named = {"requestId": uuid4().hex, "name": "Shop", "repositories": [{"url": url}]}
    environment = owner("POST", "/environments", named)["id"]
    for scope, target, name, value in (
        ("global", None, "A_GLOBAL", GLOBAL),
        ("repository", url, "AN_OWN", OWN),
        ("environment", environment, "OF_ENVIRONMENT", OF_ENVIRONMENT),
    ):
        aimed = {} if target is None else {"target": target}
        owner("PUT", "/secrets", {"scope": scope, **aimed, "values": {name: value}})
    asked = {"requestId": uuid4().hex, "environment": environment}
    talk = Talk(ada, ada("POST", "/sessions", asked)["id"])
    uses = 'printf %s "$A_GLOBAL$AN_OWN$OF_ENVIRONMENT" | sha256sum | cut -c1-64 >found.txt'
    talk.turn(bash(f"{uses}; git fetch -q origin"), wants_pull_request("shop", "Sell"))
    talk.wait(lambda: talk.events("snapshot_saved"))
    return Shop(url, environment, talk)


def test_what_an_agent_uses_is_in_none_of_its_files_nor_in_their_copies(at: AtGitHub, shop: Shop):
    expected = sha256(f"{GLOBAL}{OF_ENVIRONMENT}".encode()).hexdigest()

    used = at.repository(shop.url).git("show", f"{shop.talk.branch}:found.txt")
    opened = [one["opened_by"] for one in at.pulls(shop.url)]

    assert (used, opened) == (expected, ["ada"]), shop.talk.told()
    assert found(_canaries(at), files(at.machine.state / "sandboxes")) == []


def test_what_an_agent_prints_is_nowhere(at: AtGitHub, owner: Api, shop: Shop):
    asks_git = "; ".join(_asks_git(url) for url in (shop.url, f"{at.hosted.url}/acme/other"))

    ended = shop.talk.turn(bash(f"{PRINTS}; {asks_git}; echo 2 >b.txt"))

    assert (ended["status"], ended["error"]) == ("completed", None)
    said = shop.talk.events("tool", prompt=2, status="completed")[0]["output"]
    assert "A_GLOBAL=[redacted]" in said
    assert "username=x-access-token\npassword=[redacted]" in said
    assert "this is no repository of the session's" in said
    for places in (
        answers(owner, _paths(shop)),
        aws(at.machine),
        logs(at.machine),
        files(at.machine.state),
        _at_the_host(at, shop),
    ):
        kept = (place for place in places if "/aws/state.sqlite" not in place[0])
        assert found(_canaries(at), kept) == []


def _canaries(at: AtGitHub) -> list[str]:
    """All that nobody may find: people's, the deployment's, and what the host has given out."""
    private_key = keys()[0].splitlines()[1]
    hosted = at.hosted
    assert hosted.github.minted
    assert hosted.accounts.minted
    return [
        *(GLOBAL, OWN, OF_ENVIRONMENT),
        *(MODEL_KEY, CLIENT[1], WEBHOOK_SECRET, private_key),
        *(*hosted.github.minted, *hosted.accounts.minted),
    ]


def _asks_git(url: str) -> str:
    parts = urlsplit(url)
    asked = f"protocol={parts.scheme}\\nhost={parts.netloc}\\npath={parts.path[1:]}\\n\\n"
    return f"printf '{asked}' | git credential fill"


def _paths(shop: Shop) -> list[str]:
    session = f"/sessions/{shop.talk.id}"
    own = urlencode({"scope": "repository", "target": shop.url})
    below = ("", "/prompts", "/prompts/1", "/prompts/2", "/timeline?after=0&limit=1000")
    more = ("/artifacts", "/boots", "/changes", "/participants", "/pull-requests")
    return [
        *(f"{session}{path}" for path in (*below, *more)),
        *("/sessions?limit=20", "/inbox", "/models", "/me", "/users", "/tokens"),
        *("/environments", f"/environments/{shop.environment}", "/repositories"),
        *("/forge/repositories", f"/forge/branches?{urlencode({'url': shop.url})}"),
        *("/settings/sandbox", "/settings/pull-requests", "/sign-in/providers"),
        *("/secrets?scope=global", f"/secrets?{own}"),
        f"/secrets?scope=environment&target={shop.environment}",
    ]


def _at_the_host(at: AtGitHub, shop: Shop) -> Generator[Place]:
    """What everybody sees there who may see the repository."""
    repository = at.repository(shop.url)
    yield "pull requests", str(repository.pulls)
    yield "commits", repository.git("log", "--all", "--patch", "--format=fuller")
