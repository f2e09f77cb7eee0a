"""Uploaded files in memory: what is known of them, and their bytes."""

from dataclasses import dataclass, field, replace

from shared.app.ports.sessions import Commit
from shared.app.ports.uploads import Upload
from shared.domain.attachment import AttachmentId
from shared.domain.errors import NotFound, Rejected, Unavailable
from shared.domain.session.facts import PromptQueued, ScreenshotHandedIn
from tests.fakes.store_memory import Memory


class InMemoryUploads:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def begin(self, upload: Upload) -> None:
        with self._memory.writing():
            self._memory.uploads.setdefault(upload.id, upload)

    def load(self, upload_id: AttachmentId) -> Upload:
        if upload_id not in self._memory.uploads:
            raise NotFound(f"no attachment {upload_id!r}")
        return self._memory.uploads[upload_id]

    def received(self, upload_id: AttachmentId, part: int) -> None:
        with self._memory.writing():
            there = self.load(upload_id)
            if there.digest is not None:
                raise Rejected("this attachment is complete already")
            self._memory.uploads[upload_id] = replace(there, parts=there.parts | {part})

    def complete(self, upload: Upload) -> Upload:
        with self._memory.writing():
            there = self.load(upload.id)
            if there.digest is None:
                known = replace(there, type=upload.type, digest=upload.digest, pixels=upload.pixels)
                self._memory.uploads[upload.id] = known
            return self._memory.uploads[upload.id]


def keep_uploads(memory: Memory, commit: Commit) -> None:
    """In the transaction of the commit that names them."""
    for fact in commit.facts:
        match fact:
            case PromptQueued(attachments=files):
                kept = files
            case ScreenshotHandedIn(file=file):
                kept = (file,)
            case _:
                kept = ()
        for file in kept:
            there = memory.uploads[file.id]
            sessions = there.sessions | {commit.after.id}
            memory.uploads[file.id] = replace(there, sessions=sessions)


@dataclass
class InMemoryObjects:
    contents: dict[str, bytes] = field(default_factory=dict[str, bytes])
    failure: Exception | None = None
    failures: list[Exception] = field(default_factory=list[Exception])
    """The next calls', one each."""
    undeletable: bool = False

    def put(self, key: str, content: bytes) -> None:
        self._fail()
        self.contents[key] = content

    def get(self, key: str, *, offset: int = 0, length: int | None = None) -> bytes:
        self._fail()
        if key not in self.contents:
            raise NotFound("no such file")
        end = None if length is None else offset + length
        return self.contents[key][offset:end]

    def copy(self, source: str, target: str) -> None:
        self.put(target, self.get(source))

    def delete(self, key: str) -> None:
        self._fail()
        if self.undeletable:
            raise Unavailable("not now")
        self.contents.pop(key, None)

    def _fail(self) -> None:
        if self.failures:
            raise self.failures.pop()
        if self.failure is not None:
            raise self.failure
