"""A sandbox's files, asked of the functions as the bridge asks: by HTTP, with its own token."""

import asyncio
from collections.abc import Generator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from sandbox_bridge.files.screenshots import Screenshots
from sandbox_bridge.files.server import FileFailed, Files
from sandbox_bridge.harness.seam import NotHandedIn, TurnFile
from sandbox_bridge.redaction import Redactor
from shared.app import tokens
from shared.app.attachments import user_asks
from shared.domain.attachment import MAX_ATTACHMENT_BYTES, PART_BYTES, AttachmentId
from shared.domain.errors import Unavailable
from shared.domain.session.commands import Launching, Retire
from shared.domain.session.state import SessionId, UserId
from shared.protocol.api import NewPrompt
from shared.protocol.attachments import Attached, NewAttachment
from shared.protocol.bridge import Identity
from tests import images
from tests.shared.client.real_server import RealServer
from tests.world import AUTHOR

ADA = user_asks(UserId("ada"))
LARGE = images.png_of(2 * PART_BYTES + 5)
PAUSES = (timedelta(milliseconds=1),) * 3


@pytest.fixture
def server() -> Generator[RealServer]:
    with RealServer().running() as running:
        yield running


class Inside:
    """The sandbox of a session that was given images."""

    def __init__(self, server: RealServer, *contents: bytes) -> None:
        self.server = server
        self.world = server.world
        self.session: SessionId = self.world.open_session()
        ids = [self._uploaded(content) for content in contents]
        asked = NewPrompt(request_id="p1", text="look", author=AUTHOR, attachments=ids)
        server.app.desk.submit(self.session, UserId("ada"), asked)
        token = tokens.new_sandbox_token(self.session, 1)
        launching = Launching(1, tokens.digest(token), "key")
        server.app.sessions.handle(self.session, launching)
        self.files = Files(self._identity(token), PAUSES)
        record = server.app.store.prompt(self.session, 1)
        self.attached = [
            Attached.model_validate({name: getattr(file, name) for name in Attached.model_fields})
            for file in record.attachments
        ]

    def _uploaded(self, content: bytes) -> str:
        app = self.server.app.attachments
        new = NewAttachment(name="a.png", type="image/png", size=len(content))
        begun = app.begin(ADA, new)
        for part, start in enumerate(range(0, len(content), PART_BYTES)):
            app.put_part(ADA, begun.id, part, content[start : start + PART_BYTES])
        return app.complete(ADA, begun.id).id

    def _identity(self, token: str) -> Identity:
        return Identity(
            session=self.session,
            attempt=1,
            token=token,
            socket_url="",
            api_url=self.server.http,
            repositories=[],
            session_branch="",
        )

    def fetch(self) -> tuple[TurnFile, ...]:
        return asyncio.run(self.files.fetch(self.attached))

    def hand_in(self, place: Path, path: str, title: str = "The page") -> str:
        return asyncio.run(Screenshots(self.files, place, Redactor({}))(path, title))

    def artifacts(self) -> list[Any]:
        return list(self.server.app.store.artifacts(self.session))


def test_images_of_several_parts_come_whole_and_in_order(server: RealServer):
    inside = Inside(server, LARGE, images.png())

    fetched = inside.fetch()

    assert [file.content for file in fetched] == [LARGE, images.png()]
    assert {(file.name, file.type) for file in fetched} == {("a.png", "image/png")}


def test_a_store_that_answers_in_the_end_is_asked_again(server: RealServer):
    inside = Inside(server, images.png())
    inside.world.objects.failures = [Unavailable("not now")] * 3

    assert inside.fetch()[0].content == images.png()


def test_a_store_that_never_answers_fails_the_fetch_with_a_sentence(server: RealServer):
    inside = Inside(server, images.png())
    inside.world.objects.failure = Unavailable("the file store does not answer; try again")

    with pytest.raises(FileFailed, match=r"the image a\.png could not be fetched: the file store"):
        inside.fetch()


def test_a_dead_attempt_is_not_asked_for_twice(server: RealServer):
    inside = Inside(server, images.png())
    server.app.sessions.handle(inside.session, Retire(1, None))

    with pytest.raises(FileFailed, match="attempt that is not over"):
        inside.fetch()


def test_a_server_without_files_is_said_to_be_one():
    identity = Identity(
        session="s", attempt=1, token="t", socket_url="", repositories=[], session_branch=""
    )
    attached = Attached(id="a", name="a.png", type="image/png", size=1, width=1, height=1)
    files = Files(identity)

    assert not files.exist
    assert asyncio.run(files.fetch([])) == ()
    with pytest.raises(FileFailed, match="did not say where its files are"):
        asyncio.run(files.fetch([attached]))


def test_a_screenshot_is_handed_in_by_its_path(server: RealServer, tmp_path: Path):
    inside = Inside(server)
    (tmp_path / "shot.png").write_bytes(LARGE)

    said = inside.hand_in(tmp_path, "shot.png")
    inside.hand_in(tmp_path, str(tmp_path / "shot.png"))

    (artifact,) = inside.artifacts()
    assert said == "The user sees it as 'The page' (3x2)."
    assert (artifact.title, artifact.file.name, artifact.file.size) == (
        "The page",
        "shot.png",
        len(LARGE),
    )
    parts = [
        server.app.attachments.part(ADA, AttachmentId(artifact.file.id), part)[1]
        for part in range(3)
    ]
    assert b"".join(parts) == LARGE


def test_an_image_without_a_title_has_its_name(server: RealServer, tmp_path: Path):
    inside = Inside(server)
    (tmp_path / "a\nb.gif").write_bytes(images.gif())

    inside.hand_in(tmp_path, "a\nb.gif", " ")

    assert inside.artifacts()[0].title == "a_b.gif"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "there is no file"),
        (b"<svg/>", "is no PNG, JPEG, WebP or GIF image"),
        (b"", "is no PNG, JPEG, WebP or GIF image"),
        (images.png() + bytes(MAX_ATTACHMENT_BYTES), "is larger than 10 MiB"),
    ],
)
def test_what_is_no_image_costs_nothing(
    server: RealServer, tmp_path: Path, content: bytes | None, said: str
):
    inside = Inside(server)
    if content is not None:
        (tmp_path / "shot.png").write_bytes(content)

    with pytest.raises(NotHandedIn, match=said):
        inside.hand_in(tmp_path, "shot.png")

    assert server.world.memory.uploads == {}


def test_what_the_server_refuses_is_a_sentence_for_the_agent(server: RealServer, tmp_path: Path):
    inside = Inside(server)
    (tmp_path / "shot.png").write_bytes(images.png())
    server.app.sessions.handle(inside.session, Retire(1, None))

    with pytest.raises(NotHandedIn, match=r"shot\.png was not handed in: this needs the token"):
        inside.hand_in(tmp_path, "shot.png")
