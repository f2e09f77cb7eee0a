"""What is sealed opens where it was sealed, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.app.sealed_bytes import SealedBytes
from shared.domain.errors import Unavailable
from tests.fakes.sealing import FakeSealer


@given(st.binary(max_size=200))
def test_what_was_sealed_comes_back(plain: bytes):
    seal = SealedBytes(FakeSealer())

    assert seal.open("grant:ada", seal.seal("grant:ada", plain)) == plain


def test_it_does_not_open_elsewhere():
    seal = SealedBytes(FakeSealer())
    sealed = seal.seal("grant:ada", b"token")

    with pytest.raises(Unavailable):
        seal.open("grant:bob", sealed)


@pytest.mark.parametrize("junk", [b"", b"{", b"[]", b"{}", b'{"key_id": 1}'])
def test_junk_does_not_open(junk: bytes):
    with pytest.raises(Unavailable):
        SealedBytes(FakeSealer()).open("grant:ada", junk)
