"""Directories that are made from other files, and made again only when those have changed."""

import fcntl
import hashlib
import shutil
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUILD = ROOT / ".build"


def fingerprint(sources: Iterable[Path], *words: str) -> str:
    """Of the names and contents of all files in `sources`, and of what else matters."""
    digest = hashlib.sha256()
    for word in words:
        digest.update(f"{word}\0".encode())
    for path in sorted(file for source in sources for file in _files(source)):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(ROOT)}\0{content}\0".encode())
    return digest.hexdigest()


def make(target: Path, made_from: str, build: Callable[[Path], None]) -> bool:
    """Have `target` be what `build` makes of `made_from`; says whether it had to be built.

    Nobody ever sees half of it, and whoever asks at the same time waits.
    """
    mark = target.with_name(f"{target.name}.made-from")
    with _alone(target.with_name(f"{target.name}.lock")):
        if target.is_dir() and mark.is_file() and mark.read_text() == made_from:
            return False
        draft = target.with_name(f"{target.name}.draft")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir()
        build(draft)
        mark.unlink(missing_ok=True)
        shutil.rmtree(target, ignore_errors=True)
        draft.rename(target)
        mark.write_text(made_from)
        return True


def copy_package(source: Path, target: Path, *, without: tuple[str, ...] = ()) -> None:
    """The files of a package as they are imported, without caches and tests' leftovers."""
    shutil.copytree(
        source, target, ignore=shutil.ignore_patterns("__pycache__", *without), dirs_exist_ok=True
    )


def _files(source: Path) -> Iterator[Path]:
    if source.is_file():
        yield source
        return
    for path in source.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts and "node_modules" not in path.parts:
            yield path


@contextmanager
def _alone(lock: Path) -> Generator[None]:
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
