import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.local.repository_host import pushes
from infra.local.repository_host.pushes import Malformed, Push

OLD, NEW = b"0" * 40, b"a" * 40


def _packet(content: bytes) -> bytes:
    return f"{len(content) + 4:04x}".encode() + content


def _head(*refs: bytes, capabilities: bytes = b" report-status side-band-64k") -> bytes:
    lines = [b" ".join((OLD, NEW, ref)) for ref in refs]
    if lines:
        lines[0] += b"\0" + capabilities
    return b"".join(map(_packet, lines)) + b"0000"


def test_what_a_push_would_change_is_read_from_its_head():
    push = pushes.read(_head(b"refs/heads/outboard/x", b"refs/heads/main") + b"PACK...")

    assert push == Push(
        ("refs/heads/outboard/x", "refs/heads/main"),
        frozenset({"report-status", "side-band-64k"}),
    )


@given(st.integers(min_value=0, max_value=200))
def test_a_head_is_read_once_it_is_whole_and_not_before(cut):
    whole = _head(b"refs/heads/outboard/x", b"refs/heads/outboard/y")

    push = pushes.read(whole[:cut])

    assert (push is None) == (cut < len(whole))


@pytest.mark.parametrize(
    "ref",
    [
        "refs/heads/main",
        "refs/heads/outboard",
        "refs/heads/outboard/",
        "refs/heads/outboardx/y",
        "refs/tags/outboard/x",
        "refs/heads/Outboard/x",
        "HEAD",
    ],
)
def test_everything_but_a_session_branch_is_forbidden(ref):
    assert Push((ref,)).forbidden == (ref,)


def test_session_branches_are_allowed():
    assert Push(("refs/heads/outboard/s1", "refs/heads/outboard/a/b")).forbidden == ()


def test_asking_whether_one_may_push_changes_nothing():
    assert pushes.read(b"0000") == Push()


def test_a_push_into_a_shallow_clone_says_so_first():
    push = pushes.read(_packet(b"shallow " + NEW) + _head(b"refs/heads/outboard/x"))

    assert push is not None
    assert push.refs == ("refs/heads/outboard/x",)


@pytest.mark.parametrize(
    "head",
    [
        b"zzzz",
        b"0003",
        b"0001",
        _packet(b"push-cert\0report-status"),
        _packet(b"not a command"),
        _packet(OLD + b" " + NEW + b" refs/heads/outboard/x\nrefs/heads/main"),
    ],
)
def test_what_no_git_sends_is_refused(head):
    with pytest.raises(Malformed):
        pushes.read(head)


def test_a_head_without_end_is_refused():
    line = _packet(b" ".join((OLD, NEW, b"refs/heads/outboard/x")))

    with pytest.raises(Malformed, match="longer than"):
        pushes.read(line * 2_000)


@given(st.binary(max_size=300))
def test_whatever_comes_is_a_push_or_malformed_or_not_whole(data):
    try:
        push = pushes.read(data)
    except Malformed:
        return
    assert push is None or isinstance(push, Push)


@pytest.mark.parametrize("capabilities", [frozenset({"side-band-64k"}), frozenset[str]()])
def test_a_refusal_names_every_ref(capabilities):
    report = pushes.refusal(Push(("refs/heads/main", "refs/heads/outboard/x"), capabilities))

    assert b"ng refs/heads/main only branches outboard/* may be pushed here\n" in report
    assert b"ng refs/heads/outboard/x " in report
    assert report.endswith(b"0000")
