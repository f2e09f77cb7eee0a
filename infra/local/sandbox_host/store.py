"""The state directory: one small file per sandbox, snapshot and ended creation, and their files.

    sandboxes/<id>/sandbox.json   the record; without it the directory is a creation that failed
    sandboxes/<id>/files/         what the sandbox wrote (the whole tree, where nothing is overlaid)
    sandboxes/<id>/{work,merged}/ the overlay's
    layers/<id>/                  copies of files, never changed: `base`, and one for each snapshot
    snapshots/<id>.json  ended/<key>.json
    trash/                        renamed here at once, deleted when there is time

A write is a rename, so a record is the old one or the new one after any crash.
"""

import json
import os
import secrets
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from infra.local.sandbox_host.records import (
    Ended,
    Record,
    Sandbox,
    Snapshot,
    from_json,
    to_json,
    unreferenced,
)

BASE = "base"


class Unreadable(Exception):
    """A record that this version did not write, or that something has damaged."""


class Store:
    def __init__(self, root: Path) -> None:
        self.root = root
        for name in ("sandboxes", "layers", "snapshots", "ended", "trash"):
            (root / name).mkdir(parents=True, exist_ok=True)

    def home(self, sandbox: str) -> Path:
        return self.root / "sandboxes" / sandbox

    def layer(self, layer: str) -> Path:
        return self.root / "layers" / layer

    def sandboxes(self) -> list[Sandbox]:
        return [_read(Sandbox, path) for path in self.root.glob("sandboxes/*/sandbox.json")]

    def snapshots(self) -> list[Snapshot]:
        return [_read(Snapshot, path) for path in self.root.glob("snapshots/*.json")]

    def ended(self) -> list[Ended]:
        return [_read(Ended, path) for path in self.root.glob("ended/*.json")]

    def save(self, record: Record) -> None:
        path = self._path(record)
        aside = path.with_suffix(f".{secrets.token_hex(4)}")
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump(to_json(record), file)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)

    def remove_snapshot(self, snapshot: Snapshot) -> None:
        self._path(snapshot).unlink(missing_ok=True)

    def discard(self, path: Path) -> None:
        """Out of sight at once; `empty_trash` does the slow part."""
        if os.path.lexists(path):
            path.rename(self.root / "trash" / f"{path.name}.{secrets.token_hex(4)}")

    def discard_leftovers(self) -> None:
        """What a crash left half made, and layers that nobody stands on."""
        for records in ("sandboxes/*/sandbox.*", "snapshots/*", "ended/*"):
            for path in self.root.glob(records):
                if path.suffix != ".json":
                    self.discard(path)  # it was being written
        for home in (self.root / "sandboxes").iterdir():
            if not (home / "sandbox.json").exists():
                self.discard(home)
        names = {path.name for path in (self.root / "layers").iterdir()} - {BASE}
        for layer in unreferenced(names, self.sandboxes(), self.snapshots()):
            self.discard(self.layer(layer))

    def empty_trash(self) -> None:
        for path in (self.root / "trash").iterdir():
            if path.is_dir() and not path.is_symlink():
                remove_tree(path)
            else:
                path.unlink(missing_ok=True)

    def _path(self, record: Record) -> Path:
        match record:
            case Sandbox():
                return self.home(record.id) / "sandbox.json"
            case Snapshot():
                return self.root / "snapshots" / f"{quote(record.id, safe=':')}.json"
            case Ended():
                return self.root / "ended" / f"{record.key}.json"


def remove_tree(path: Path) -> None:
    """Whatever is in it: overlayfs and agents make directories that even their owner can't open."""
    shutil.rmtree(path, onexc=_force)


def _read[R: (Sandbox, Snapshot, Ended)](kind: type[R], path: Path) -> R:
    try:
        return from_json(kind, json.loads(path.read_bytes()))
    except (ValueError, TypeError, AttributeError) as error:
        # Going on without it would throw away the layers that it alone may name.
        raise Unreadable(f"{path} can't be read: move it away to start without it") from error


def _force(_: Callable[..., object], path: str, error: BaseException) -> None:
    if isinstance(error, FileNotFoundError):
        return  # two cleaners met
    if not isinstance(error, PermissionError):
        raise error
    for directory in (os.path.dirname(path), path):  # noqa: PTH120 - as rmtree says it
        if stat.S_ISDIR(os.lstat(directory).st_mode):
            os.chmod(directory, 0o700)  # noqa: PTH101 - as rmtree says it
    if os.path.isdir(path) and not os.path.islink(path):  # noqa: PTH112, PTH114 - as above
        shutil.rmtree(path, onexc=_force)
    else:
        os.unlink(path)  # noqa: PTH108 - as above
