"""Bytes under keys: the fake, and the real SDK against the local AWS host's S3."""

from collections.abc import Generator
from hashlib import sha256

import pytest
from botocore.session import Session as BotocoreSession

from shared.adapters.s3 import S3Objects
from shared.app.ports.uploads import Objects
from shared.domain.errors import NotFound, Unavailable
from tests.fakes.uploads import InMemoryObjects
from tests.local_aws import LocalAws

BUCKET = "files"
CONTENT = bytes(range(256)) * 4


@pytest.fixture(scope="module")
def aws() -> Generator[LocalAws]:
    with LocalAws() as running:
        running.client("s3").create_bucket(Bucket=BUCKET)
        yield running


@pytest.fixture
def real(aws: LocalAws, monkeypatch: pytest.MonkeyPatch) -> S3Objects:
    """As a function finds its vendors: by its environment."""
    key = aws.target.key
    monkeypatch.setenv("AWS_ENDPOINT_URL", aws.target.endpoint)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", key.id)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", key.secret)
    return S3Objects(BotocoreSession(), BUCKET)


@pytest.fixture(params=["fake", pytest.param("real", marks=pytest.mark.local_aws)])
def objects(request: pytest.FixtureRequest) -> Objects:
    return InMemoryObjects() if request.param == "fake" else request.getfixturevalue("real")


def test_what_was_put_is_there_whole_and_in_pieces(objects: Objects):
    objects.put("uploads/a/0", CONTENT)

    assert objects.get("uploads/a/0") == CONTENT
    assert objects.get("uploads/a/0", offset=1000) == CONTENT[1000:]
    assert objects.get("uploads/a/0", offset=10, length=20) == CONTENT[10:30]
    assert objects.get("uploads/a/0", offset=1000, length=1000) == CONTENT[1000:]


def test_putting_again_replaces(objects: Objects):
    objects.put("uploads/b/0", b"first")

    objects.put("uploads/b/0", b"second")

    assert objects.get("uploads/b/0") == b"second"


def test_a_copy_is_the_same_bytes_and_may_be_made_again(objects: Objects):
    objects.put("uploads/c/0", CONTENT)

    objects.copy("uploads/c/0", "kept/c")
    objects.put("uploads/c/0", b"other")

    assert objects.get("kept/c") == CONTENT
    objects.copy("uploads/c/0", "kept/c")
    assert objects.get("kept/c") == b"other"


def test_what_was_deleted_is_gone_and_may_be_deleted_again(objects: Objects):
    objects.put("changes/a/1", CONTENT)

    objects.delete("changes/a/1")
    objects.delete("changes/a/1")

    with pytest.raises(NotFound):
        objects.get("changes/a/1")


def test_what_is_not_there_is_not_found(objects: Objects):
    with pytest.raises(NotFound):
        objects.get("uploads/none")
    with pytest.raises(NotFound):
        objects.copy("uploads/none", "kept/none")


@pytest.mark.local_aws
def test_a_store_that_nobody_answers_for_is_for_trying_again(
    real: S3Objects, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")

    with pytest.raises(Unavailable):
        S3Objects(BotocoreSession(), BUCKET).put("uploads/a", b"x")


@pytest.mark.local_aws
def test_what_was_acknowledged_is_there_after_kill_9(tmp_path, monkeypatch: pytest.MonkeyPatch):
    host = LocalAws(state=tmp_path)
    host.start()
    s3 = host.client("s3")
    s3.create_bucket(Bucket=BUCKET)
    contents = {f"kept/{n}": sha256(str(n).encode()).digest() * 10_000 for n in range(8)}

    for key, content in contents.items():
        s3.put_object(Bucket=BUCKET, Key=f"uploads/{key}", Body=content)
        s3.copy_object(
            Bucket=BUCKET, Key=key, CopySource={"Bucket": BUCKET, "Key": f"uploads/{key}"}
        )
    host.kill()
    host.start()

    found = {key: s3.get_object(Bucket=BUCKET, Key=key)["Body"].read() for key in contents}
    host.stop()
    assert found == contents
