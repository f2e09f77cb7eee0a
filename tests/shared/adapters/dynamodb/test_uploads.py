"""Uploaded files: what is known of them, and that the commit which names them keeps them."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.adapters.dynamodb import keys
from shared.adapters.dynamodb.table import Table
from shared.app.ports.sessions import Commit
from shared.app.ports.uploads import Owner, Upload
from shared.domain.attachment import AttachmentId
from shared.domain.errors import NotFound, Rejected
from shared.domain.session.facts import Event, PromptQueued, ScreenshotHandedIn
from shared.domain.session.state import Session
from tests import build
from tests.fakes.store_faults import Fault
from tests.shared.adapters.dynamodb.worlds import World

ONE = AttachmentId("file-1")


def upload(**fields: object) -> Upload:
    plain = Upload(
        id=ONE,
        owner=Owner("user ada"),
        name="page.png",
        type="image/png",
        size=70,
        expires_at=build.NOW + timedelta(hours=23),
    )
    return replace(plain, **fields)


def complete(digest: str = "d1") -> Upload:
    return upload(digest=digest, pixels=(3, 2))


def commit(session: Session, *facts: Event) -> Commit:
    return Commit(
        before=session,
        after=replace(session, version=session.version + 1),
        facts=facts,
        effects=(),
        frame=None,
        after_slot=0,
        now=build.NOW,
    )


def test_an_upload_is_known_as_it_was_begun(world: World):
    world.uploads.begin(upload())
    world.uploads.begin(upload())

    assert world.uploads.load(ONE) == upload()


def test_parts_are_counted_once_each(world: World):
    world.uploads.begin(upload())

    for part in (1, 0, 1):
        world.uploads.received(ONE, part)

    assert world.uploads.load(ONE).parts == {0, 1}


def test_whoever_completes_first_decides_what_it_is(world: World):
    world.uploads.begin(upload())

    first = world.uploads.complete(complete("d1"))
    second = world.uploads.complete(complete("d2"))

    assert first == second == world.uploads.load(ONE) == complete("d1")
    with pytest.raises(Rejected):
        world.uploads.received(ONE, 0)


def test_nothing_is_known_of_what_nobody_began(world: World):
    for ask in (
        lambda: world.uploads.load(ONE),
        lambda: world.uploads.received(ONE, 0),
        lambda: world.uploads.complete(complete()),
    ):
        with pytest.raises(NotFound):
            ask()


@pytest.mark.parametrize(
    "fact",
    [
        PromptQueued(build.prompt(), "look", (build.attachment(),)),
        ScreenshotHandedIn("shot-1", "The page", build.attachment(), 1),
    ],
)
def test_the_commit_that_names_it_keeps_it(world: World, fact: Event):
    session = world.sessions.create(build.session(), "f")
    world.uploads.begin(upload())
    world.uploads.complete(complete())

    world.sessions.commit(commit(session, fact))

    assert world.uploads.load(ONE).sessions == {session.id}


def test_a_prompt_and_an_artifact_come_back_with_their_files(world: World):
    session = world.sessions.create(build.session(), "f")
    world.uploads.begin(upload())
    files = (build.attachment(),)

    world.sessions.commit(commit(session, PromptQueued(build.prompt(), "", files)))
    later = world.sessions.load(session.id)
    world.sessions.commit(commit(later, ScreenshotHandedIn("shot-1", "The page", files[0], 1)))

    (artifact,) = world.sessions.artifacts(session.id)
    assert world.sessions.prompt(session.id, 1).attachments == files
    assert (artifact.kind, artifact.title, artifact.file) == ("screenshot", "The page", files[0])
    assert artifact.metadata == (("prompt", "1"),)


@pytest.mark.local_aws
def test_a_lost_answer_changes_nothing(dynamodb: World):
    dynamodb.faults.plan(Fault.LOST)

    dynamodb.uploads.begin(upload())

    assert dynamodb.uploads.load(ONE) == upload()


@pytest.mark.local_aws
def test_what_is_kept_has_no_time_to_live_any_more(dynamodb: World, session_table: Table):
    session = dynamodb.sessions.create(build.session(), "f")
    dynamodb.uploads.begin(upload())
    before = session_table.get(keys.upload(ONE), keys.FILE)

    dynamodb.sessions.commit(
        commit(session, PromptQueued(build.prompt(), "x", (build.attachment(),)))
    )

    after = session_table.get(keys.upload(ONE), keys.FILE)
    assert before is not None
    assert after is not None
    assert keys.EXPIRES_AT in before
    assert keys.EXPIRES_AT not in after
