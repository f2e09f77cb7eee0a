"""S3's objects are on disk for certain before a write is answered, and expire as their bucket says.

MiniStack writes them without waiting for the disk, only logs when that fails, leaves half of a file
beside the others when it is killed, and never looks at a lifecycle rule.
"""

import logging
import os
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ministack.services import s3

from infra.local.aws import emulator

assert emulator.VERSION == "1.5.33", "written for the private names of this MiniStack"

logger = logging.getLogger(__name__)


def install() -> None:
    unfinished = Path(f"{s3.DATA_DIR}.unfinished")
    unfinished.mkdir(mode=0o700, exist_ok=True)
    for left in unfinished.iterdir():
        left.unlink()

    def write(path: str, content: Any, *, text: bool = False) -> None:
        try:
            _written(unfinished, Path(path), content.encode() if text else content)
        except OSError:
            # As with the ledger: memory is ahead of the disk, and a start mends it.
            logger.critical("object_not_written", exc_info=True)
            os._exit(os.EX_IOERR)

    s3._atomic_write = write


def _written(unfinished: Path, path: Path, content: bytes) -> None:
    descriptor, draft = tempfile.mkstemp(dir=unfinished)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    Path(draft).replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def expire() -> None:
    """As S3 does: a day counts in full, from midnight to midnight."""
    now = datetime.now(UTC)
    for bucket, rules in list(s3._bucket_lifecycle.items()):
        for rule in rules:
            if rule["Status"] == "Enabled" and "Days" in rule.get("Expiration", {}):
                _expire(bucket, rule["Filter"].get("Prefix", ""), rule["Expiration"]["Days"], now)


def _expire(name: str, prefix: str, days: int, now: datetime) -> None:
    bucket = s3._buckets.get(name)
    if bucket is None:
        return
    for key, found in list(bucket["objects"].items()):
        if key.startswith(prefix) and _ends(found["last_modified"], days) <= now:
            s3._purge_current_object(name, key, bucket)


def _ends(last_modified: str, days: int) -> datetime:
    exact = datetime.fromisoformat(last_modified).astimezone(UTC) + timedelta(days=days)
    midnight = exact.replace(hour=0, minute=0, second=0, microsecond=0)
    return exact if exact == midnight else midnight + timedelta(days=1)
