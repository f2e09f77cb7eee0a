"""Changes over HTTP: handed in by a sandbox, looked at by people, asked for anew."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from shared.app import tokens
from shared.app.ports.connections import BridgeLink
from shared.domain.session.commands import Launching, Retire
from shared.domain.session.state import SessionId
from shared.protocol.bridge import PROTOCOL
from tests.functions.test_http_attachments import Answer, Asking
from tests.world import World

BASE = "a" * 40


@dataclass
class Told:
    """A session with a sandbox, and somebody who looks."""

    world: World
    id: SessionId
    sandbox: Asking
    ada: Asking

    def put(self, *files: dict[str, Any], **more: Any) -> Answer:
        self.world.pass_time(timedelta(minutes=1))
        repository = {"name": "tool", "base": BASE, "head": BASE, "files": list(files)}
        counts = {"additions": len(files), "deletions": 0}
        new = {
            "comparedAt": self.world.now.isoformat(),
            "prompt": 1,
            "repositories": [repository | counts],
        }
        return self.sandbox.ask("PUT", "/sandbox/changes", new | more)

    def revision(self, *files: dict[str, Any]) -> str:
        answer = self.put(*files)
        assert answer.status == 200, answer.body
        return str(answer.body["revision"])

    def get(self, rest: str = "") -> Answer:
        return self.ada.ask("GET", f"/sessions/{self.id}/changes{rest}")

    def view(self) -> Any:
        answer = self.get()
        assert answer.status == 200, answer.body
        return answer.body

    def refresh(self) -> Answer:
        return self.ada.ask("POST", f"/sessions/{self.id}/changes/refresh")

    def connect(self, **link: Any) -> None:
        given: dict[str, Any] = {"live": True, "protocol": PROTOCOL} | link
        bridge = BridgeLink("bridge-1", 1, "key", **given)
        self.world.memory.bridges[self.id] = bridge


@pytest.fixture
def told() -> Told:
    world = World()
    session = world.open_session()
    world.submit(session)
    token = tokens.new_sandbox_token(session, 1)
    world.app.sessions.handle(session, Launching(1, tokens.digest(token), "key"))
    return Told(world, session, Asking(world, token), Asking(world, world.owner()[1]))


def file(path: str, patch: str = "@@ -1 +1 @@\n-é\n+e\n", **more: Any) -> dict[str, Any]:
    render = "renderable" if patch else "binary"
    return {"path": path, "status": "modified", "render": render, "patch": patch, **more}


def test_before_the_first_there_is_nothing(told: Told):
    assert told.view() == {
        "revision": None,
        "comparedAt": None,
        "prompt": None,
        "repositories": [],
        "totals": {"files": 0, "additions": 0, "deletions": 0},
        "truncated": False,
        "error": None,
    }


def test_what_was_handed_in_is_shown_file_by_file(told: Told):
    files = [file("a", additions=1, deletions=1), file("b", ""), file("c", "+ünd\n", oldPath="d")]

    revision = told.revision(*files)

    view = told.view()
    (repository,) = view["repositories"]
    assert (view["revision"], view["prompt"], view["truncated"]) == (revision, 1, False)
    assert view["totals"] == {"files": 3, "additions": 3, "deletions": 0}
    assert (repository["name"], repository["base"], repository["leftOut"]) == ("tool", BASE, 0)
    assert [shown["path"] for shown in repository["files"]] == ["a", "b", "c"]
    assert repository["files"][2]["oldPath"] == "d"
    patches = [told.get(f"/{revision}/{shown['id']}").body for shown in repository["files"]]
    assert [patch["patch"] for patch in patches] == [files[0]["patch"], "", "+ünd\n"]
    assert patches[0]["revision"] == revision


def test_it_is_shown_when_the_sandbox_is_gone_too(told: Told):
    revision = told.revision(file("a"))

    told.world.app.sessions.handle(told.id, Retire(1, None))

    assert told.view()["revision"] == revision
    assert told.put(file("b")).status == 401


def test_the_same_again_is_the_same_revision_seen_later(told: Told):
    first = told.put(file("a"))
    before = told.view()["comparedAt"]
    second = told.put(file("a"))

    assert first.body["changed"]
    assert second.body == {"revision": first.body["revision"], "changed": False}
    assert told.view()["comparedAt"] > before


def test_nothing_changed_is_no_news_and_all_taken_back_is(told: Told):
    assert not told.put().body["changed"]
    told.put(file("a"))

    assert told.put().body["changed"]


def test_an_earlier_revision_is_stale_and_nothing_is_left_of_it(told: Told):
    told.revision(file("a"))
    shown = told.view()
    revision = told.revision(file("b"))

    stale = told.get(f"/{shown['revision']}/{shown['repositories'][0]['files'][0]['id']}")

    assert (stale.status, stale.body["code"]) == (409, "changes_stale")
    keys = {key for key in told.world.objects.contents if key.startswith("changes/")}
    assert keys == {f"changes/{told.id}/{revision}/{part}" for part in ("listing", "patches")}
    assert told.get(f"/{revision}/{'0' * 16}").status == 404


def test_a_failure_keeps_what_there_was(told: Told):
    revision = told.revision(file("a"))

    told.put(repositories=[], error="it took too long")

    view = told.view()
    assert (view["revision"], view["error"]) == (revision, "it took too long")
    assert len(view["repositories"]) == 1
    told.revision(file("a"))
    assert told.view()["error"] is None


@pytest.mark.parametrize(
    "more",
    [
        {"error": "x" * 2_001},
        {"repositories": [{"name": "t", "files": [file("a", "+" * (512 * 1024 + 1))]}]},
        {"repositories": [{"name": "t", "files": [file("a", "+" * 400_000)] * 3}]},
        {"repositories": [{"name": "t", "files": [file("a", "")] * 501}] * 2},
        {"repositories": [{"name": "t", "files": [file("a", "\x01" * 300_000)]}]},
        {"version": 2},
    ],
)
def test_what_is_too_much_is_refused(told: Told, more: dict[str, Any]):
    assert told.put(**more).status == 422
    assert told.view()["revision"] is None


def test_too_many_are_refused(told: Told):
    def put_at_once() -> int:
        told.world.pass_time(timedelta(minutes=-1))
        return told.put().status

    assert {put_at_once() for _ in range(30)} == {200, 409}


def test_old_objects_that_cannot_be_deleted_hold_up_nothing(told: Told):
    told.revision(file("a"))
    told.world.objects.undeletable = True

    revision = told.revision(file("b"))

    assert told.view()["revision"] == revision


def test_only_sandboxes_hand_in_and_only_users_look(told: Told):
    assert told.ada.ask("PUT", "/sandbox/changes", {}).status in {401, 422}
    assert told.sandbox.ask("GET", f"/sessions/{told.id}/changes").status == 401
    assert told.sandbox.ask("POST", f"/sessions/{told.id}/changes/refresh").status == 401
    for rest in ("", f"/r1/{'0' * 16}"):
        assert told.ada.ask("GET", f"/sessions/none/changes{rest}").status == 404


def test_a_connected_sandbox_is_asked_to_compare(told: Told):
    revision = told.revision(file("a"))
    told.connect()

    answer = told.refresh()

    assert (answer.status, answer.body) == (202, {"revision": revision})
    assert told.world.bridge_sockets.take("bridge-1") == ['{"type":"compare"}']


@pytest.mark.parametrize("link", [None, {"live": False}, {"protocol": PROTOCOL - 1}])
def test_without_one_that_could_it_is_refused(told: Told, link: dict[str, Any] | None):
    if link is not None:
        told.connect(**link)

    answer = told.refresh()

    assert (answer.status, answer.body["code"]) == (409, "rejected")
    assert told.world.bridge_sockets.take("bridge-1") == []
