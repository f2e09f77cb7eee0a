"""Files of a sandbox through the unmodified SDK, however the sandbox is fenced in."""

import io
import os
from collections.abc import Iterator

import httpx
import pytest
from e2b import (
    FileNotFoundException,
    FileType,
    InvalidArgumentException,
    Sandbox,
    SandboxException,
)

from tests.infra.local.sandbox_host.hosting import Host

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module")
def sandbox(any_host: Host) -> Iterator[Sandbox]:
    sandbox = any_host.sandbox()
    yield sandbox
    sandbox.kill()


def test_what_was_written_is_read_back_byte_for_byte(sandbox: Sandbox):
    content = bytes(range(256)) * 300 + b"\r\n--boundary\r\n"

    written = sandbox.files.write("/workspace/new/directory/file", content)

    assert written.path == "/workspace/new/directory/file"
    assert sandbox.files.read("/workspace/new/directory/file", format="bytes") == content


def test_many_files_are_written_at_once(sandbox: Sandbox):
    sandbox.files.write_files(
        [{"path": "/workspace/m/ä", "data": "1"}, {"path": "/workspace/m/2", "data": b"\x00\xff"}]
    )

    assert sandbox.files.read("/workspace/m/ä") == "1"
    assert sandbox.files.read("/workspace/m/2", format="bytes") == b"\x00\xff"


def test_a_large_file_goes_in_and_out_as_a_stream(sandbox: Sandbox):
    content = os.urandom(1024) * (20 * 1024)

    sandbox.files.write("/workspace/large", io.BytesIO(content))

    with sandbox.files.read("/workspace/large", format="stream") as chunks:
        assert b"".join(chunks) == content


def test_a_path_may_begin_at_home(sandbox: Sandbox):
    sandbox.files.write("relative", "1")
    sandbox.files.write("~/tilde", "2")

    assert sandbox.files.read("/home/user/relative") == "1"
    assert sandbox.files.read("/home/user/tilde") == "2"


def test_files_and_commands_mean_the_same_files(sandbox: Sandbox):
    sandbox.files.write("/workspace/from-outside", "1")

    sandbox.commands.run(
        'cd "${OUTBOARD_ROOT:-}/workspace" && cp from-outside from-inside && echo 2 >> from-inside'
    )

    assert sandbox.files.read("/workspace/from-inside") == "12\n"


def test_an_existing_file_keeps_its_mode(sandbox: Sandbox):
    sandbox.commands.run('umask 077; : > "${OUTBOARD_ROOT:-}/dev/shm/secret"')

    sandbox.files.write("/dev/shm/secret", "hidden")

    assert sandbox.files.get_info("/dev/shm/secret").permissions == "-rw-------"
    assert sandbox.files.read("/dev/shm/secret") == "hidden"


def test_a_listing_describes_each_entry(sandbox: Sandbox):
    sandbox.commands.run(
        'cd "${OUTBOARD_ROOT:-}/workspace" && mkdir -p l/deep/er && echo 12345 > l/file '
        "&& ln -s file l/link"
    )

    entries = {entry.path: entry for entry in sandbox.files.list("/workspace/l", depth=2)}

    assert {path: entry.type for path, entry in entries.items()} == {
        "/workspace/l/deep": FileType.DIR,
        "/workspace/l/deep/er": FileType.DIR,
        "/workspace/l/file": FileType.FILE,
        "/workspace/l/link": FileType.SYMLINK,
    }
    assert entries["/workspace/l/file"].size == 6
    assert entries["/workspace/l/file"].owner == "user"
    assert entries["/workspace/l/link"].symlink_target == "file"
    assert len(sandbox.files.list("/workspace/l")) == 3


def test_directories_are_made_once(sandbox: Sandbox):
    assert sandbox.files.make_dir("/workspace/made/deep")

    assert not sandbox.files.make_dir("/workspace/made/deep")
    assert sandbox.files.exists("/workspace/made/deep")


def test_entries_are_moved_and_removed(sandbox: Sandbox):
    sandbox.files.write("/workspace/tree/a/b", "moved")

    sandbox.files.rename("/workspace/tree", "/home/user/elsewhere/tree")

    assert sandbox.files.read("/home/user/elsewhere/tree/a/b") == "moved"
    sandbox.files.remove("/home/user/elsewhere")
    sandbox.files.remove("/home/user/elsewhere")
    assert not sandbox.files.exists("/home/user/elsewhere")


def test_what_is_not_there_or_no_file_is_refused(sandbox: Sandbox):
    with pytest.raises(FileNotFoundException):
        sandbox.files.read("/workspace/nothing")
    with pytest.raises(FileNotFoundException):
        sandbox.files.list("/workspace/nothing")
    with pytest.raises(InvalidArgumentException):
        sandbox.files.read("/workspace")
    with pytest.raises(InvalidArgumentException):
        sandbox.files.write("/workspace", "x")
    with pytest.raises(FileNotFoundException):
        sandbox.files.rename("/workspace/nothing", "/workspace/something")


def test_a_pipe_in_a_files_place_holds_up_nobody(sandbox: Sandbox):
    sandbox.commands.run('mkfifo "${OUTBOARD_ROOT:-}/workspace/pipe"')

    with pytest.raises(InvalidArgumentException):
        sandbox.files.read("/workspace/pipe")


def test_a_name_that_is_none_breaks_nothing(sandbox: Sandbox):
    with pytest.raises(InvalidArgumentException):
        sandbox.files.read("/workspace/a\0b")
    with pytest.raises(InvalidArgumentException):
        sandbox.files.list("/workspace/a\0b")

    assert sandbox.is_running()


def test_a_name_that_is_no_utf8_is_listed_all_the_same(sandbox: Sandbox):
    sandbox.commands.run("mkdir -p ~/odd/deeper && touch ~/odd/deeper/$'\\xff'")

    assert [entry.name for entry in sandbox.files.list("~/odd", depth=2)] == ["deeper", "\ufffd"]


def test_the_template_is_read_and_never_written(sandbox: Sandbox):
    assert "greetings" in sandbox.files.read("/opt/outboard/bin/greet")

    with pytest.raises(SandboxException):
        sandbox.files.write("/opt/outboard/bin/greet", "mine")
    with pytest.raises(SandboxException):
        sandbox.files.write("/opt/outboard/bin/new", "mine")
    with pytest.raises(SandboxException):
        sandbox.files.remove("/opt/outboard/bin")


@pytest.mark.parametrize(
    "link", ["{root}", "/etc/../{root}", "../../../../../../../../../..{root}"]
)
def test_no_link_leads_out_of_a_sandbox(any_host: Host, sandbox: Sandbox, link: str):
    """In a sandbox of its own namespace the links dangle; in plain mode they are checked."""
    target = link.format(root=any_host.root)
    sandbox.commands.run(f'ln -sfn "{target}" "${{OUTBOARD_ROOT:-}}/workspace/out"')

    for attempt in (
        lambda: sandbox.files.read("/workspace/out/key"),
        lambda: sandbox.files.write("/workspace/out/planted", "x"),
        lambda: sandbox.files.list("/workspace/out"),
        lambda: sandbox.files.make_dir("/workspace/out/planted"),
        lambda: sandbox.files.rename("/workspace/out/key", "/workspace/stolen"),
        lambda: sandbox.files.rename("/home/user/.profile", "/workspace/out/planted"),
    ):
        with pytest.raises(SandboxException):
            attempt()

    assert sorted(path.name for path in any_host.root.iterdir() if path.name != "interpreter") == [
        "host.log",
        "key",
        "state",
        "template",
    ]


def test_a_dangling_link_is_not_written_through(any_host: Host, sandbox: Sandbox):
    target = any_host.root / "planted"
    sandbox.commands.run(f'ln -sfn "{target}" "${{OUTBOARD_ROOT:-}}/workspace/dangling"')

    with pytest.raises(SandboxException):
        sandbox.files.write("/workspace/dangling", "x")

    assert not target.exists()


def test_dots_end_at_the_root(any_host: Host, sandbox: Sandbox):
    with pytest.raises(FileNotFoundException):
        sandbox.files.read(f"/../../../../..{any_host.root}/key")


def test_a_body_that_is_too_large_is_refused(any_host: Host, sandbox: Sandbox):
    def endless() -> Iterator[bytes]:
        for _ in range(80):
            yield bytes(1 << 20)

    answer = httpx.post(
        f"{any_host.url}/files?path=/workspace/too-large",
        headers=sandbox.connection_config.sandbox_headers
        | {"Content-Type": "multipart/form-data; boundary=b"},
        content=endless(),
    )

    assert answer.status_code == 413
    assert not sandbox.files.exists("/workspace/too-large")
