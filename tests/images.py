"""Real images of any size in pixels, as their formats' specifications say, for tests."""

import struct
import zlib


def png(width: int = 3, height: int = 2, *, padding: int = 0) -> bytes:
    """`padding` bytes more, in a chunk that every reader passes over."""
    rows = b"".join(b"\x00" + b"\x00\x80\xff" * width for _ in range(height))
    extra = _chunk(b"teSt", b"x" * (padding - 12)) if padding else b""
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + extra
        + _chunk(b"IDAT", zlib.compress(rows))
        + _chunk(b"IEND", b"")
    )


def _chunk(kind: bytes, content: bytes) -> bytes:
    check = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)


def png_of(size: int) -> bytes:
    """Of exactly that many bytes."""
    whole = png(padding=size - len(png()))
    assert len(whole) == size
    return whole


def gif(width: int = 3, height: int = 2) -> bytes:
    return b"GIF89a" + struct.pack("<HHBBB", width, height, 0, 0, 0) + b";"


def jpeg(width: int = 3, height: int = 2) -> bytes:
    """With a thumbnail before its own frame, as cameras make them."""
    thumbnail = b"\xff\xd8" + _frame(160, 120) + b"\xff\xd9"
    exif = b"\xff\xe1" + struct.pack(">H", len(thumbnail) + 2) + thumbnail
    return b"\xff\xd8" + exif + b"\xff" + _frame(width, height) + b"\xff\xda\x00\x02\xff\xd9"


def _frame(width: int, height: int) -> bytes:
    return b"\xff\xc0" + struct.pack(">HBHHB", 17, 8, height, width, 3) + b"\x01\x11\x00" * 3


def webp(kind: str, width: int = 3, height: int = 2) -> bytes:
    match kind:
        case "VP8 ":
            body = b"\x10\x00\x00\x9d\x01\x2a" + struct.pack("<HH", width, height)
        case "VP8L":
            body = b"\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14) + b"\0" * 5
        case _:
            pixels = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
            body = b"\x10\0\0\0" + pixels
    content = b"WEBP" + kind.encode() + struct.pack("<I", len(body)) + body
    return b"RIFF" + struct.pack("<I", len(content)) + content
