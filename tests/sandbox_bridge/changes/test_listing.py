"""What git lists is read to the byte, whatever files are called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox_bridge.changes.listing import Change, changes, patches

ID = "a" * 40
NONE = "0" * 40
NAMES = st.binary(min_size=1, max_size=20).filter(lambda name: b"\0" not in name)
COUNTS = st.none() | st.integers(0, 10**6)


def counted(change: Change) -> bytes:
    added = "-" if change.additions is None else str(change.additions)
    deleted = "-" if change.deletions is None else str(change.deletions)
    names = (b"", *change.paths) if change.old_path else change.paths
    return f"{added}\t{deleted}\t".encode() + b"\0".join(names) + b"\0"


def listed(change: Change) -> bytes:
    letter = "R090" if change.old_path else "M"
    head = f":100644 100644 {change.before or NONE} {NONE} {letter}".encode()
    return b"\0".join((head, *change.paths)) + b"\0"


@st.composite
def listings(draw: st.DrawFn) -> list[Change]:
    names = draw(st.lists(NAMES, unique=True, max_size=8))
    found: list[Change] = []
    for name in names:
        old = draw(st.none() | NAMES)
        count = draw(COUNTS)
        status = "renamed" if old else "modified"
        found.append(Change(name, status, old, ID, count, count))
    return sorted(found, key=lambda change: change.path)


@given(listings())
def test_every_name_comes_back_with_its_lines(found: list[Change]):
    output = b"".join(map(listed, found)) + b"".join(map(counted, found))

    assert changes(output) == found


def test_nothing_listed_is_nothing_changed():
    assert changes(b"") == []


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (f":000000 100644 {NONE} {NONE} A", "added"),
        (f":100644 000000 {ID} {NONE} D", "deleted"),
        (f":100644 120000 {ID} {NONE} T", "type_changed"),
        (f":160000 160000 {ID} {ID} M", "submodule"),
        (f":000000 160000 {NONE} {ID} A", "submodule"),
        (f":100644 000000 {ID} {NONE} U", "unmerged"),
        (f":100644 100755 {ID} {ID} X", "modified"),
    ],
)
def test_what_became_of_it(head: str, status: str):
    (change,) = changes(f"{head}\0a\0".encode())

    assert (change.path, change.status, change.additions) == (b"a", status, None)


def test_one_with_conflicts_is_unmerged_whatever_else_is_said_of_it():
    output = f":100644 000000 {ID} {NONE} U\0a\0:100644 100644 {ID} {NONE} M\0a\0001\t2\ta\0"

    (change,) = changes(output.encode())

    assert (change.status, change.additions, change.deletions) == ("unmerged", 1, 2)


@pytest.mark.parametrize("output", [b"M\0a\0", f":100644 100644 {ID} {NONE} M\0".encode()])
def test_what_is_no_listing_is_refused(output: bytes):
    with pytest.raises(ValueError, match="git lists"):
        changes(output)


@given(
    st.lists(st.lists(st.sampled_from([b"+diff --git a/x b/x", b" ", b"-\xff", b"@@ -1 +1 @@"])))
)
def test_a_content_that_looks_like_a_head_is_none(contents: list[list[bytes]]):
    files = [
        b"\n".join((b"diff --git a/f b/f", b"--- a/f", b"+++ b/f", *lines)) + b"\n"
        for lines in contents
    ]

    assert patches(b"".join(files)) == files
