"""An image is what its bytes say, never what somebody says about it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.image import IMAGE_TYPES, MAX_PIXELS, image_of
from tests import images

SIDES = st.integers(1, 9_999)
MAKERS = {
    "png": images.png,
    "gif": images.gif,
    "jpeg": images.jpeg,
    "webp": lambda width, height: images.webp("VP8X", width, height),
}


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("size", [(1, 1), (3, 2), (255, 256), (257, 300)])
def test_each_format_says_its_type_and_size(kind: str, size: tuple[int, int]):
    image = image_of(MAKERS[kind](*size))

    assert image is not None
    assert (image.type, image.width, image.height) == (f"image/{kind}", *size)


@given(kind=st.sampled_from(["VP8 ", "VP8L", "VP8X"]), width=SIDES, height=SIDES)
def test_all_three_kinds_of_webp_are_read(kind: str, width: int, height: int):
    image = image_of(images.webp(kind, width, height))

    assert image is not None
    assert (image.type, image.width, image.height) == ("image/webp", width, height)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"<!doctype html><script>alert(1)</script>",
        b"%PDF-1.7",
        b"RIFF\0\0\0\0WAVEfmt ",
        images.png()[:20],
        images.png(0, 5),
        images.jpeg()[:34],
        b"\xff\xd8\xff\xda\x00\x02",
    ],
)
def test_what_is_none_of_them_or_broken_is_none(content: bytes):
    assert image_of(content) is None


@pytest.mark.parametrize("filling", [b"\xff", b"\xff\xd0", b"\xff\xe0\x00\x02"])
def test_a_jpeg_whose_head_never_ends_is_not_read_on(filling: bytes):
    start, rest = images.jpeg()[:2], images.jpeg()[2:]

    assert image_of(start + 500 * filling + rest) is not None
    assert image_of(start + 5_000 * filling + rest) is None


def test_what_would_fill_a_browsers_memory_is_none():
    side = int(MAX_PIXELS**0.5)

    assert image_of(images.gif(side, side)) is not None
    assert image_of(images.gif(side, side + 1)) is None


@given(st.binary(max_size=200))
def test_any_bytes_have_an_answer(content: bytes):
    for start in (b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a", b"RIFF\0\0\0\0WEBPVP8 "):
        image = image_of(start + content)

        assert image is None or image.type in IMAGE_TYPES
