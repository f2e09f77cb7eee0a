"""File operations for the host, done inside the sandbox, where its own view resolves paths.

In an isolated sandbox the root is `/` and the kernel is the fence. In plain mode the root is a
directory, and every directory stepped through and every file opened is checked to be below it, by
what the descriptor turned out to be and not by what the path promised.
"""

import errno
import os
import shutil
import stat
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any

HOME = "/home/user"
USER = "user"

type Entry = dict[str, Any]


class Files:
    def __init__(self, root: str, readable_elsewhere: str) -> None:
        self._root = os.path.realpath(root)
        self._readable_elsewhere = os.path.realpath(readable_elsewhere)

    def real(self, path: str) -> str:
        """Where a path of the sandbox is for this process."""
        return os.path.normpath(f"{self._root}/{absolute(path)}")

    def open_for_reading(self, path: str) -> int:
        with self._parent(path, writing=False) as (parent, name):
            # Without O_NONBLOCK a named pipe would hold up the opener until somebody writes.
            flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
            return self._regular(os.open(name, flags, dir_fd=parent), writing=False)

    def open_for_writing(self, path: str) -> int:
        """Missing directories are made. An existing file keeps its mode, as at E2B."""
        with self._parent(path, writing=True, create=True) as (parent, name):
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK | os.O_CLOEXEC
            if self._contained:
                flags |= os.O_NOFOLLOW  # a dangling link would create its target outside
            return self._regular(os.open(name, flags, 0o666, dir_fd=parent), writing=True)

    def entry(self, path: str) -> Entry:
        with self._parent(path, writing=False) as (parent, name):
            return _entry(parent, name, absolute(path))

    def entries(self, path: str, depth: int) -> list[Entry]:
        with self._directory(absolute(path), writing=False) as directory:
            return list(_walk(directory, absolute(path), depth))

    def make_directory(self, path: str) -> Entry:
        with self._parent(path, writing=True, create=True) as (parent, name):
            os.mkdir(name, 0o777, dir_fd=parent)
            return _entry(parent, name, absolute(path))

    def remove(self, path: str) -> None:
        """What is not there is removed already."""
        try:
            with self._parent(path, writing=True) as (parent, name):
                if stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):
                    shutil.rmtree(name, dir_fd=parent)
                else:
                    os.unlink(name, dir_fd=parent)
        except FileNotFoundError:
            return

    def move(self, source: str, destination: str) -> Entry:
        with (
            self._parent(source, writing=True) as (parent, name),
            self._parent(destination, writing=True, create=True) as (new_parent, new_name),
        ):
            _rename(parent, name, new_parent, new_name)
            return _entry(new_parent, new_name, absolute(destination))

    @property
    def _contained(self) -> bool:
        return self._root != "/"

    @contextmanager
    def _parent(
        self, path: str, *, writing: bool, create: bool = False
    ) -> Generator[tuple[int, str]]:
        head, name = os.path.split(absolute(path))
        if writing and not name:
            raise PermissionError(errno.EACCES, "the root can't be changed")
        with self._directory(head, writing=writing, create=create) as parent:
            yield parent, name or "."

    @contextmanager
    def _directory(self, path: str, *, writing: bool, create: bool = False) -> Generator[int]:
        here = os.open(self._root, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for name in filter(None, path.split("/")):
                below = _step(here, name, create=create)
                os.close(here)
                here = below
                self._check(here, writing=writing)
            yield here
        finally:
            os.close(here)

    def _regular(self, descriptor: int, *, writing: bool) -> int:
        try:
            self._check(descriptor, writing=writing)
            _check_regular(descriptor)
        except OSError:
            os.close(descriptor)
            raise
        return descriptor

    def _check(self, descriptor: int, *, writing: bool) -> None:
        if not self._contained:
            return
        real = os.readlink(f"/proc/self/fd/{descriptor}")  # noqa: PTH115 - text, as all here
        allowed = [self._root] if writing else [self._root, self._readable_elsewhere]
        if not any(real == root or real.startswith(f"{root}/") for root in allowed):
            raise PermissionError(errno.EACCES, "outside of the sandbox")


def absolute(path: str) -> str:
    """A path as the sandbox's user means it: relative to home, and `..` never above the root."""
    if path == "~" or path.startswith("~/"):
        path = HOME + path[1:]
    return os.path.normpath("/" + os.path.join(HOME, path)).replace("//", "/", 1)  # noqa: PTH118 - text


def _check_regular(descriptor: int) -> None:
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "not a regular file")


def _step(here: int, name: str, *, create: bool) -> int:
    flags = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC
    try:
        return os.open(name, flags, dir_fd=here)
    except FileNotFoundError:
        if not create:
            raise
    with suppress(FileExistsError):  # somebody was faster, or opening the dangling link says so
        os.mkdir(name, 0o777, dir_fd=here)
    return os.open(name, flags, dir_fd=here)


def _rename(parent: int, name: str, new_parent: int, new_name: str) -> None:
    try:
        os.rename(name, new_name, src_dir_fd=parent, dst_dir_fd=new_parent)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        # Home and workspace are separate mounts: across them a rename is a copy.
        shutil.move(f"/proc/self/fd/{parent}/{name}", f"/proc/self/fd/{new_parent}/{new_name}")


def _walk(directory: int, path: str, depth: int) -> Iterator[Entry]:
    # Listing needs a descriptor that can be read; O_PATH ones only lead on.
    readable = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=directory)
    try:
        for name in sorted(os.listdir(readable)):  # noqa: PTH208 - a descriptor
            entry = _entry(readable, name, f"{path.rstrip('/')}/{name}")
            yield entry
            if entry["type"] == "FILE_TYPE_DIRECTORY" and depth > 1:
                yield from _below(readable, name, f"{path.rstrip('/')}/{name}", depth - 1)
    finally:
        os.close(readable)


def _below(parent: int, name: str, path: str, depth: int) -> Iterator[Entry]:
    flags = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    directory = os.open(name, flags, dir_fd=parent)
    try:
        yield from _walk(directory, path, depth)
    finally:
        os.close(directory)


def _entry(parent: int, name: str, path: str) -> Entry:
    status = os.stat(name, dir_fd=parent, follow_symlinks=False)
    owner = USER if status.st_uid == os.getuid() else str(status.st_uid)
    entry: Entry = {
        "name": _text(os.path.basename(path)),  # noqa: PTH119 - text
        "type": _type(status.st_mode),
        "path": _text(path),
        "size": str(status.st_size),
        "mode": stat.S_IMODE(status.st_mode),
        "permissions": stat.filemode(status.st_mode),
        "owner": owner,
        "group": USER if status.st_gid == os.getgid() else str(status.st_gid),
        "modifiedTime": _moment(status.st_mtime),
    }
    if stat.S_ISLNK(status.st_mode):
        entry |= {"isSymlink": True, "symlinkTarget": _text(os.readlink(name, dir_fd=parent))}
    return entry


def _text(name: str) -> str:
    """File names are bytes; the wire has none that are no UTF-8."""
    return os.fsencode(name).decode(errors="replace")


def _type(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "FILE_TYPE_DIRECTORY"
    if stat.S_ISLNK(mode):
        return "FILE_TYPE_SYMLINK"
    return "FILE_TYPE_FILE" if stat.S_ISREG(mode) else "FILE_TYPE_UNSPECIFIED"


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
