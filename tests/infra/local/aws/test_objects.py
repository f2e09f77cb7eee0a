"""A bucket's objects expire as its stack says; those that were written are whole."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from ministack.services import s3

from infra.local.aws import objects, stack_lifecycle
from tests.infra.local.aws import stacks
from tests.local_aws import LocalAws

RULE = {"Id": "uploads", "Prefix": "uploads/", "Status": "Enabled", "ExpirationInDays": 1}


@pytest.mark.local_aws
def test_a_stacks_bucket_has_its_rules_and_a_later_one_takes_them_away(aws: LocalAws):
    rules = {"LifecycleConfiguration": {"Rules": [RULE]}}
    bucket = {"Files": {"Type": "AWS::S3::Bucket", "Properties": rules}}
    plain = {"Files": {"Type": "AWS::S3::Bucket"}}
    client = aws.client("s3")

    name = aws.deploy(stacks.template(bucket, outputs={"Name": stacks.ref("Files")}))["Name"]
    first = client.get_bucket_lifecycle_configuration(Bucket=name)["Rules"]
    aws.deploy(stacks.template(plain, outputs={"Name": stacks.ref("Files")}))

    (rule,) = first
    assert (rule["Status"], rule["Filter"]["Prefix"]) == ("Enabled", "uploads/")
    assert rule["Expiration"]["Days"] == 1
    with pytest.raises(client.exceptions.ClientError, match="NoSuchLifecycleConfiguration"):
        client.get_bucket_lifecycle_configuration(Bucket=name)


def test_what_is_old_enough_under_the_prefix_goes_and_the_rest_stays(
    monkeypatch: pytest.MonkeyPatch,
):
    kept = {"last_modified": "2026-05-01T00:00:00.000Z"}
    found = {"uploads/old": kept, "uploads/new": {"last_modified": _now()}, "kept/old": kept}
    rules = [stack_lifecycle._rule(RULE)]
    monkeypatch.setattr(s3, "_buckets", {"files": {"objects": found}})
    monkeypatch.setattr(s3, "_bucket_lifecycle", {"files": rules})
    monkeypatch.setattr(s3, "_purge_current_object", lambda _, key, bucket: found.pop(key))

    objects.expire()

    assert set(found) == {"uploads/new", "kept/old"}


@pytest.mark.parametrize(
    ("modified", "ends"),
    [
        ("2026-05-04T12:30:00.000Z", "2026-05-06"),
        ("2026-05-04T23:59:59.999Z", "2026-05-06"),
        ("2026-05-04T00:00:00.000Z", "2026-05-05"),
    ],
)
def test_a_day_ends_at_the_midnight_after_it(modified: str, ends: str):
    assert objects._ends(modified, 1) == datetime.fromisoformat(ends).replace(tzinfo=UTC)


def test_a_file_that_was_written_is_whole_and_nothing_is_left_beside_it(tmp_path: Path):
    unfinished, place = tmp_path / "unfinished", tmp_path / "s3" / "a"
    unfinished.mkdir()
    place.parent.mkdir()

    objects._written(unfinished, place, b"first")
    objects._written(unfinished, place, b"second")

    assert place.read_bytes() == b"second"
    assert list(unfinished.iterdir()) == []


def _now() -> str:
    return (datetime.now(UTC) - timedelta(hours=1)).isoformat()
