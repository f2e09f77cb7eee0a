"""Forms are taken apart without a byte being touched."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from infra.local.sandbox_host.multipart import Part, parts
from infra.local.sandbox_host.refusals import Malformed

BOUNDARY = "----a-boundary"
KIND = f"multipart/form-data; boundary={BOUNDARY}"

names = some.text(some.characters(exclude_categories=("Cs", "Cc"), exclude_characters='"'))


def _form(files: list[tuple[str, bytes]]) -> bytes:
    heads = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n".encode()
        for name, _ in files
    ]
    bodies = [head + content + b"\r\n" for head, (_, content) in zip(heads, files, strict=True)]
    return b"".join(bodies) + f"--{BOUNDARY}--\r\n".encode()


@given(some.lists(some.tuples(names, some.binary()), min_size=1, max_size=4))
def test_every_file_comes_out_as_it_went_in(files: list[tuple[str, bytes]]):
    assert parts(KIND, _form(files)) == tuple(Part(name, content) for name, content in files)


@given(some.binary(max_size=200))
def test_anything_else_is_refused_and_breaks_nothing(body: bytes):
    try:
        parts(KIND, body)
    except Malformed:
        return
    assert f"--{BOUNDARY}--".encode() in body


def test_a_form_that_is_cut_off_is_no_form():
    whole = _form([("name", b"content")])

    for length in range(len(whole) - 4):
        with pytest.raises(Malformed):
            parts(KIND, whole[:length])


def test_a_form_needs_its_boundary():
    with pytest.raises(Malformed, match="boundary"):
        parts("multipart/form-data", b"")
