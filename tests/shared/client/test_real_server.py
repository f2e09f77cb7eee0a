"""The command line against the real entry points: what the scripted server claims holds there."""

from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from shared.app.bridges import Caller
from shared.app.lives import Life
from shared.domain.attachment import PART_BYTES
from shared.domain.session.state import SessionId
from shared.protocol import bridge as wire
from shared.protocol import events as on
from tests import images
from tests.eventually import eventually
from tests.shared.client import told
from tests.shared.client.outboard import Outboard
from tests.shared.client.real_server import RealServer

URL = "https://git.example.com/acme/tool.git"


@pytest.fixture
def outboard(real_outboard: Outboard) -> Outboard:
    return real_outboard


class Bridge:
    """The bridge of the only session there is, from when somebody watches it."""

    def __init__(self, real: RealServer) -> None:
        self._world = real.world
        eventually(lambda: self._watched() is not None)
        session = SessionId(self._watched() or "")
        self._world.lives.launch(Life(session, 1))
        self.branch = f"outboard/{session}"
        self._caller = Caller(session, 1, "b1")
        self._world.app.bridges.connect(self._caller)
        self._cursor = ""
        self._say(wire.Hello())

    def _watched(self) -> str | None:
        sessions = self._world.app.store.recent(limit=1).sessions
        if not sessions or not sessions[0].unfinished:
            return None
        audience = self._world.app.bridges.connections.audience(sessions[0].id)
        return sessions[0].id if audience.live else None

    def tell(self, *events: Any) -> None:
        raw = [told.json(event) for event in events]
        self._say(wire.FrameMessage(id=f"f{id(events)}", after=self._cursor, events=raw))

    def _say(self, message: wire.FromBridge) -> None:
        self._world.bridge_sockets.take("b1")
        self._world.app.bridges.handle(self._caller, message)
        for text in self._world.bridge_sockets.take("b1"):
            answer = wire.TO_BRIDGE.validate_json(text)
            self._cursor = getattr(answer, "cursor", self._cursor)


def play(real: RealServer) -> Thread:
    def turn() -> None:
        bridge = Bridge(real)
        bridge.tell(on.BootProgress(phase="sync", status="completed", elapsed_ms=900))
        bridge.tell(on.Ready(isolation="plain"))
        bridge.tell(on.PromptStarted(prompt=1))
        bridge.tell(on.TextDelta(prompt=1, part="p", delta="done, "))
        bridge.tell(on.Text(prompt=1, part="p", text="done, and well", final=True))
        branch, commit = bridge.branch, told.HEX
        bridge.tell(on.Pushed(prompt=1, repository="tool", branch=branch, commit=commit))
        bridge.tell(
            on.ExecutionComplete(
                prompt=1, status="completed", cost=0.25, branch=branch, commit=commit
            )
        )

    playing = Thread(target=turn)
    playing.start()
    return playing


def test_a_run_is_told_from_the_first_slot_to_the_result(real: RealServer, outboard: Outboard):
    playing = play(real)

    ran = outboard("prompt", "--repo", URL, "--wait", "add a flag")
    playing.join()

    assert ran.status == 0, ran.err
    branch = f"outboard/{ran.out.split()[1]}"
    assert ran.out.splitlines()[1:-1] == [
        "demo model: its answers are scripted, no real model is asked",
        "prompt 1 is taken",
        "title: add a flag",
        "sandbox 1 starts",
        "boot: sync done in 0.9 s",
        "sandbox ready: opencode, isolation: plain",
        "prompt 1 runs",
        "done, and well",
        f"pushed {branch} at 0123456789ab",
        "prompt 1 completed · $0.2500",
        "demo model: its answers are scripted, no real model is asked",
        f"branch {branch} at {told.HEX}",
    ]


def test_every_command_is_understood(real: RealServer, outboard: Outboard):
    assert outboard("prompt", "--repo", URL, "--title", "a title", "add a flag").status == 0
    (session,) = outboard("sessions", "--json", "--all", "--mine").json
    start = session["id"][:6]

    statuses = {
        words: outboard(*words).status
        for words in [
            ("show", start),
            ("events", start, "--after", "0"),
            ("boots", start, "--limit", "20"),
            ("settings",),
            ("settings", "set", "--repository", URL, "--cpu", "2"),
            ("settings", "unset", "cpu", "--repository", URL),
            ("rename", start, "another"),
            ("stop", start),
            ("archive", start),
            ("unarchive", start),
            ("prompt", "--session", start, "go on"),
            ("unqueue", start, "2"),
            ("cancel", start),
            ("models",),
            ("user", "add", "bob"),
            ("user", "token", "bob"),
            ("user", "list"),
            ("sessions", "--as", "bob", "--status", "cancelled"),
        ]
    }

    assert set(statuses.values()) == {0}, statuses


def test_images_go_with_the_prompt(real: RealServer, outboard: Outboard, tmp_path: Path):
    large, gif = tmp_path / "page.png", tmp_path / "b.gif"
    large.write_bytes(images.png_of(PART_BYTES + 7))
    gif.write_bytes(images.gif())

    done = outboard("prompt", "--repo", URL, "", "--attach", str(large), "--attach", str(gif))

    assert done.status == 0, done.err
    (session,) = real.world.app.store.recent(limit=1).sessions
    files = real.world.app.store.prompt(session.id, 1).attachments
    assert [(file.name, file.type) for file in files] == [
        ("page.png", "image/png"),
        ("b.gif", "image/gif"),
    ]
    assert real.world.objects.contents[f"kept/{files[0].id}"] == large.read_bytes()


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "cannot be read"), (b"<svg/>", "is no PNG, JPEG, WebP or GIF image")],
)
def test_what_cannot_be_attached_opens_no_session(
    real: RealServer, outboard: Outboard, tmp_path: Path, content: bytes | None, said: str
):
    if content is not None:
        (tmp_path / "page.png").write_bytes(content)

    done = outboard("prompt", "--repo", URL, "look", "--attach", str(tmp_path / "page.png"))

    assert done.status == 2
    assert said in done.err
    assert not real.world.app.store.recent(limit=1).sessions


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("prompt", "--repo", URL, "--model", "none/such", "x"), "'none/such' is not offered here"),
        (("prompt", "--session", "abc", "x"), "no session 'abc'"),
        (("sessions", "--as", "nobody"), "no token of user 'nobody'"),
    ],
)
def test_what_the_real_server_refuses_is_a_sentence(
    outboard: Outboard, words: tuple[str, ...], sentence: str
):
    ran = outboard(*words)

    assert ran.status == 2
    assert sentence in ran.err


def test_events_are_the_same_over_http_and_over_the_socket(real: RealServer, outboard: Outboard):
    playing = play(real)
    over_socket = outboard("prompt", "--repo", URL, "--wait", "--json", "add a flag").json[1:-1]
    playing.join()

    session = real.app.store.recent(limit=1).sessions[0].id
    over_http = outboard("events", session, "--json").json

    assert over_socket == over_http
