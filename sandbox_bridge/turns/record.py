"""What has become of each prompt of this attempt, on the tmpfs: a killed bridge leaves it behind.

A prompt is written down before its turn begins, and with everything it still owes the server before
the first word of that is said. So whatever happens in between, a later bridge knows whether to run
it, to say that it failed, or to say again what was not received.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sandbox_bridge import disk
from sandbox_bridge.wire.encoding import Said


@dataclass(frozen=True, slots=True)
class Record:
    """`owed` is None while the turn runs; then what the server has not acknowledged of its end."""

    owed: tuple[Said, ...] | None = None

    @property
    def is_done(self) -> bool:
        return self.owed is not None


class Records:
    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._records = {int(path.stem): _read(path) for path in directory.glob("*.json")}

    def of(self, prompt: int) -> Record | None:
        return self._records.get(prompt)

    def begin(self, prompt: int) -> None:
        self._put(prompt, Record())

    def finish(self, prompt: int, owed: Sequence[Said]) -> None:
        self._put(prompt, Record(tuple(owed)))

    def acknowledge(self, events: Sequence[Said]) -> None:
        for prompt, record in tuple(self._records.items()):
            if not record.owed:
                continue
            left = tuple(event for event in record.owed if event not in events)
            if left != record.owed:
                self._put(prompt, Record(left))

    def _put(self, prompt: int, record: Record) -> None:
        owed = None if record.owed is None else list(record.owed)
        disk.put(self._directory / f"{prompt}.json", json.dumps({"owed": owed}).encode())
        self._records[prompt] = record


def _read(path: Path) -> Record:
    owed = json.loads(path.read_bytes())["owed"]
    return Record(None if owed is None else tuple(owed))
