"""As much of a comparison as a bundle holds: patches in order while there is room, then names.

Pure. Every repository is named, and every number is that of all files.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.protocol.change_bundles import (
    MAX_BUNDLE_BYTES,
    MAX_FILES,
    MAX_PATCH_BYTES,
    MAX_PATCHES_BYTES,
    BundledFile,
    BundledRepository,
    NewChanges,
)

_FRAME_BYTES = 100
"""More than what a bundle has around its repositories, and a list around its items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    files: int = MAX_FILES
    patch: int = MAX_PATCH_BYTES
    patches: int = MAX_PATCHES_BYTES
    bundle: int = MAX_BUNDLE_BYTES


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class _Room:
    files: int
    patches: int
    bundle: int


def fit(
    repositories: Sequence[BundledRepository],
    *,
    compared_at: datetime,
    prompt: int,
    limits: Limits = LIMITS,
) -> NewChanges:
    """All of it, or with less of its patches and files."""
    room = _Room(limits.files, limits.patches, limits.bundle - _FRAME_BYTES)
    bare = [repository.model_copy(update={"files": []}) for repository in repositories]
    room = replace(room, bundle=room.bundle - sum(_bytes(each) + _FRAME_BYTES for each in bare))
    listed, room = _without_patches(repositories, room)
    fitted = list(_with_patches(repositories, listed, room, limits.patch))
    return NewChanges(
        compared_at=compared_at,
        prompt=prompt,
        repositories=fitted,
        truncated=any(map(_is_less, fitted, repositories)),
    )


def _without_patches(
    repositories: Sequence[BundledRepository], room: _Room
) -> tuple[list[list[BundledFile]], _Room]:
    """First of all the names: a patch more is worth less than a file that nobody hears of."""
    listed: list[list[BundledFile]] = []
    for repository in repositories:
        kept: list[BundledFile] = []
        for file in repository.files:
            bare = _bare(file)
            left = room.bundle - _bytes(bare) - 1
            if not room.files or left < 0:
                break
            room = replace(room, files=room.files - 1, bundle=left)
            kept.append(bare)
        listed.append(kept)
    return listed, room


def _with_patches(
    repositories: Sequence[BundledRepository],
    listed: Sequence[Sequence[BundledFile]],
    room: _Room,
    limit: int,
) -> Iterator[BundledRepository]:
    for repository, bare in zip(repositories, listed, strict=True):
        kept: list[BundledFile] = []
        for whole, without in zip(repository.files, bare, strict=False):
            file, room = _one(whole, without, room, limit)
            kept.append(file)
        left_out = repository.left_out + len(repository.files) - len(kept)
        yield repository.model_copy(update={"files": kept, "left_out": left_out})


def _one(
    whole: BundledFile, bare: BundledFile, room: _Room, limit: int
) -> tuple[BundledFile, _Room]:
    if whole.render != "renderable":
        return whole, room
    size = len(whole.patch.encode())
    if size > limit:
        return bare.model_copy(update={"render": "too_large"}), room
    patches, bundle = room.patches - size, room.bundle - (_bytes(whole) - _bytes(bare))
    if patches < 0 or bundle < 0:
        return bare, room
    return whole, replace(room, patches=patches, bundle=bundle)


def _bare(file: BundledFile) -> BundledFile:
    render = "metadata_only" if file.render == "renderable" else file.render
    return file.model_copy(update={"patch": "", "render": render})


def _is_less(fitted: BundledRepository, whole: BundledRepository) -> bool:
    return fitted.left_out > 0 or any(
        now.render != before.render for now, before in zip(fitted.files, whole.files, strict=False)
    )


def _bytes(value: BundledFile | BundledRepository) -> int:
    return len(value.model_dump_json(by_alias=True).encode())
