"""A bundle as it is kept: what is listed of it as one object, its patches end to end as another."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from pydantic import BaseModel

from shared.domain.errors import Invalid
from shared.domain.session.state import SessionId
from shared.protocol.change_bundles import (
    MAX_BUNDLE_BYTES,
    MAX_FILES,
    MAX_PATCH_BYTES,
    MAX_PATCHES_BYTES,
    BundledFile,
    BundledRepository,
    NewChanges,
)
from shared.protocol.changes import ChangedFile, ChangedRepository, ChangeTotals


class Listing(BaseModel):
    """`places`: where each file's patch begins, and its bytes."""

    repositories: list[ChangedRepository]
    totals: ChangeTotals
    truncated: bool
    places: dict[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Kept:
    listing: Listing
    patches: bytes


def check(new: NewChanges) -> None:
    """Raises `Invalid` for more than a bundle may hold."""
    patches = [len(file.patch.encode()) for file in _files(new)]
    if len(patches) > MAX_FILES:
        raise Invalid("repositories", f"more than {MAX_FILES} files")
    if max(patches, default=0) > MAX_PATCH_BYTES:
        raise Invalid("repositories", f"a patch of more than {MAX_PATCH_BYTES} bytes")
    if sum(patches) > MAX_PATCHES_BYTES:
        raise Invalid("repositories", f"patches of more than {MAX_PATCHES_BYTES} bytes in all")
    if len(new.model_dump_json(by_alias=True).encode()) > MAX_BUNDLE_BYTES:
        raise Invalid("body", f"more than {MAX_BUNDLE_BYTES} bytes")


def digest(new: NewChanges) -> str:
    """Of what is shown, not of when it was seen."""
    shown = new.model_dump_json(include={"repositories", "truncated"})
    return sha256(shown.encode()).hexdigest()


def shows_anything(new: NewChanges) -> bool:
    return any(each.files or each.left_out or each.error for each in new.repositories)


def kept(new: NewChanges) -> Kept:
    places: dict[str, tuple[int, int]] = {}
    patches = bytearray()
    repositories: list[ChangedRepository] = []
    for bundled in new.repositories:
        files: list[ChangedFile] = []
        for file in bundled.files:
            file_id = _id(bundled.name, file.path, len(places))
            patch = file.patch.encode()
            places[file_id] = (len(patches), len(patch))
            patches += patch
            files.append(_file(file_id, file))
        repositories.append(_repository(bundled, files))
    listing = Listing(
        repositories=repositories,
        totals=_totals(new),
        truncated=new.truncated,
        places=places,
    )
    return Kept(listing, bytes(patches))


def listing_key(session_id: SessionId, revision: str) -> str:
    return f"changes/{session_id}/{revision}/listing"


def patches_key(session_id: SessionId, revision: str) -> str:
    return f"changes/{session_id}/{revision}/patches"


def _files(new: NewChanges) -> Iterator[BundledFile]:
    return (file for repository in new.repositories for file in repository.files)


def _id(repository: str, path: str, number: int) -> str:
    """With its number: names that are no UTF-8 may read the same."""
    return sha256(f"{number} {repository} {path}".encode()).hexdigest()[:16]


def _file(file_id: str, file: BundledFile) -> ChangedFile:
    return ChangedFile(
        id=file_id,
        path=file.path,
        old_path=file.old_path,
        status=file.status,
        additions=file.additions,
        deletions=file.deletions,
        render=file.render,
    )


def _repository(bundled: BundledRepository, files: list[ChangedFile]) -> ChangedRepository:
    return ChangedRepository(
        name=bundled.name,
        base=bundled.base,
        head=bundled.head,
        files=files,
        left_out=bundled.left_out,
        error=bundled.error,
    )


def _totals(new: NewChanges) -> ChangeTotals:
    return ChangeTotals(
        files=sum(len(each.files) + each.left_out for each in new.repositories),
        additions=sum(each.additions for each in new.repositories),
        deletions=sum(each.deletions for each in new.repositories),
    )
