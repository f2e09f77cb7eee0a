"""Repositories inside a repository: a commit may name one only at a commit that others can get."""

from pathlib import Path
from typing import Final

from sandbox_bridge.git.checkout import Checkout

_GITLINK: Final = b"160000"


async def unpublished(checkout: Checkout) -> list[str]:
    """Paths whose new commit is on no remote: to record it would break everybody's clone."""
    before = await _in_head(checkout)
    return [
        path
        for path, staged in (await _in_index(checkout)).items()
        if not await _may_be_recorded(checkout, path, staged, before.get(path))
    ]


async def _may_be_recorded(checkout: Checkout, path: str, staged: str, before: str | None) -> bool:
    inner = checkout.git.within(checkout.git.directory / path)
    if not _is_repository(inner.directory):
        return staged == before
    now = await inner.line("rev-parse", "HEAD")
    if now == before:
        return True
    return bool(await inner.line("for-each-ref", "--count=1", "--contains", now, "refs/remotes"))


def _is_repository(directory: Path) -> bool:
    return (directory / ".git").exists()


async def _in_index(checkout: Checkout) -> dict[str, str]:
    # Entries: "<mode> <commit> <stage>\t<path>".
    entries = (await checkout.git("ls-files", "--stage", "-z")).split(b"\0")
    return dict(_link(entry, 1) for entry in entries if entry.startswith(_GITLINK))


async def _in_head(checkout: Checkout) -> dict[str, str]:
    if await checkout.commit_at("HEAD") is None:
        return {}
    # Entries: "<mode> commit <commit>\t<path>".
    entries = (await checkout.git("ls-tree", "-r", "-z", "HEAD")).split(b"\0")
    return dict(_link(entry, 2) for entry in entries if entry.startswith(_GITLINK))


def _link(entry: bytes, column: int) -> tuple[str, str]:
    described, _, path = entry.partition(b"\t")
    return path.decode(errors="surrogateescape"), described.split()[column].decode()
