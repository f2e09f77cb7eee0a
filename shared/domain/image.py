"""What an image's bytes say that they are: one of four formats, and its size in pixels.

Only the head is read and nothing is decoded. What comes behind it may be anything, so a file is
always served as the type that is found here, and browsers are told not to look for another.
"""

from collections.abc import Iterator
from dataclasses import dataclass

MAX_PIXELS = 100_000_000
"""A few bytes can say that they unfold to more than a browser has memory for."""

MAX_MARKERS = 4_000
"""In front of a JPEG's frame; there are some hundred at most, and millions would take seconds."""

_PNG = b"\x89PNG\r\n\x1a\n"
_GIF = (b"GIF87a", b"GIF89a")
_JPEG = b"\xff\xd8\xff"
_STANDALONE = frozenset({0x01, *range(0xD0, 0xD8)})
_ENDS_HEADER = frozenset({0xD9, 0xDA})
_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_VP8 = b"\x9d\x01\x2a"
_VP8L = 0x2F


@dataclass(frozen=True, slots=True)
class Image:
    type: str
    width: int
    height: int


IMAGE_TYPES = ("image/png", "image/jpeg", "image/webp", "image/gif")


def image_of(content: bytes) -> Image | None:
    """None: none of the four, broken at its head, or larger than `MAX_PIXELS`."""
    for kind, size in (
        ("image/png", _png(content)),
        ("image/jpeg", _jpeg(content)),
        ("image/webp", _webp(content)),
        ("image/gif", _gif(content)),
    ):
        if size is not None and 0 < size[0] * size[1] <= MAX_PIXELS:
            return Image(kind, *size)
    return None


type _Size = tuple[int, int] | None


def _png(content: bytes) -> _Size:
    if len(content) < 33 or not content.startswith(_PNG):  # noqa: PLR2004  signature and IHDR
        return None
    if content[8:16] != b"\x00\x00\x00\rIHDR":
        return None
    return _big(content[16:20]), _big(content[20:24])


def _gif(content: bytes) -> _Size:
    if len(content) < 13 or content[:6] not in _GIF:  # noqa: PLR2004  header and screen descriptor
        return None
    return _little(content[6:8]), _little(content[8:10])


def _jpeg(content: bytes) -> _Size:
    """The first frame header says it; what stands before it says how long it is itself."""
    if not content.startswith(_JPEG):
        return None
    for marker, segment in _segments(content):
        if marker in _FRAME and len(segment) > 5:  # noqa: PLR2004  precision, height, width
            return _big(segment[3:5]), _big(segment[1:3])
    return None


def _segments(content: bytes) -> Iterator[tuple[int, bytes]]:
    at = 2
    for _ in range(MAX_MARKERS):
        if at + 4 > len(content) or content[at] != 0xFF:  # noqa: PLR2004  every marker begins so
            return
        marker = content[at + 1]
        if marker == 0xFF or marker in _STANDALONE:  # noqa: PLR2004  padding
            at += 1 if marker == 0xFF else 2  # noqa: PLR2004
            continue
        length = _big(content[at + 2 : at + 4])
        if marker in _ENDS_HEADER or length < 2:  # noqa: PLR2004  the length counts itself
            return
        yield marker, content[at + 4 : at + 2 + length]
        at += 2 + length


def _webp(content: bytes) -> _Size:
    if len(content) < 30 or (content[:4], content[8:12]) != (b"RIFF", b"WEBP"):  # noqa: PLR2004
        return None
    match content[12:16]:
        case b"VP8X":
            return 1 + _little(content[24:27]), 1 + _little(content[27:30])
        case b"VP8 " if content[23:26] == _VP8:
            return _little(content[26:28]) & 0x3FFF, _little(content[28:30]) & 0x3FFF
        case b"VP8L" if content[20] == _VP8L:
            bits = _little(content[21:25])
            return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case _:
            return None


def _big(number: bytes) -> int:
    return int.from_bytes(number, "big")


def _little(number: bytes) -> int:
    return int.from_bytes(number, "little")
