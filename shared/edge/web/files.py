"""The files of a built client, read once: their addresses, types, marks and how long they keep."""

import gzip
from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from pathlib import Path, PurePosixPath

INDEX = "/index.html"

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
_WORTH_COMPRESSING = ("text/", "image/svg+xml", "application/json", "application/manifest+json")
_SMALL = 1_000

# Vite names what is in here after its content.
_HASHED = "/assets/"


class File:
    def __init__(self, address: str, content: bytes) -> None:
        self.content = content
        self.type = _TYPES.get(PurePosixPath(address).suffix, "application/octet-stream")
        self.cache = (
            "public, max-age=31536000, immutable" if address.startswith(_HASHED) else "no-cache"
        )

    @cached_property
    def mark(self) -> str:
        return sha256(self.content).hexdigest()[:32]

    @cached_property
    def compressed(self) -> bytes | None:
        """None: it is not worth it."""
        if len(self.content) < _SMALL or not self.type.startswith(_WORTH_COMPRESSING):
            return None
        return gzip.compress(self.content, compresslevel=9, mtime=0)


def read(build: Path) -> Mapping[str, File]:
    """By address. Whatever a request asks for, no other file is ever looked for."""
    found = {
        f"/{path.relative_to(build).as_posix()}": path.read_bytes()
        for path in sorted(build.rglob("*"))
        if path.is_file()
    }
    return {address: File(address, content) for address, content in found.items()}
