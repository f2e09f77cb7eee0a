import os
import shutil
import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.infra.local.repository_host.conftest import (
    Host,
    clone,
    git,
    make,
    out,
    push,
    start,
    stop,
)

STRANGER = 61_234

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root to make another's files")


def _commit(place: Path, text: str = "two\n") -> str:
    (place / "README").write_text(text)
    git(place, "commit", "--quiet", "--all", "--message=two")
    return out(place, "rev-parse", "HEAD")


def _give_away(place: Path) -> None:
    for path in (place, *place.rglob("*")):
        os.chown(path, STRANGER, STRANGER, follow_symlinks=False)


def _everything(place: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(place)): path.read_bytes()
        for path in sorted(place.rglob("*"))
        if path.is_file()
    }


def test_a_repository_is_described_as_it_is_registered(host: Host, repository: Path):
    status, answer = host.register(repository)

    assert status == 200
    assert answer == {
        "url": answer["url"],
        "path": str(repository),
        "head": out(repository, "rev-parse", "HEAD"),
        "branch": "main",
        "dirty": False,
    }
    assert answer["url"].startswith(host.url)
    assert answer["url"].endswith("/project.git")


def test_the_same_path_has_the_same_url(host: Host, repository: Path):
    assert host.serve(repository) == host.serve(repository)


def test_a_folder_inside_is_its_repository(host: Host, repository: Path):
    (repository / "docs").mkdir()

    assert host.serve(repository / "docs") == host.serve(repository)


@pytest.mark.parametrize("change", ["README", "new file"])
def test_what_is_not_committed_is_mentioned(host: Host, repository: Path, change: str):
    (repository / change).write_text("changed\n")

    assert host.register(repository)[1]["dirty"] is True


def test_looking_writes_nothing(host: Host, repository: Path):
    os.utime(repository / "README", (0, 0))
    before = _everything(repository)

    host.register(repository)

    assert _everything(repository) == before


def test_a_detached_head_has_no_branch(host: Host, repository: Path):
    git(repository, "checkout", "--quiet", "--detach")

    assert host.register(repository)[1]["branch"] is None


def test_a_clone_is_of_the_last_commit(host: Host, repository: Path, tmp_path: Path):
    (repository / "README").write_text("not committed\n")

    copy = clone(host.serve(repository), tmp_path / "copy")

    assert (copy / "README").read_text() == "one\n"
    assert out(copy, "rev-parse", "HEAD") == out(repository, "rev-parse", "HEAD")


def test_a_session_branch_arrives_and_nothing_else_changes(
    host: Host, repository: Path, tmp_path: Path
):
    copy = clone(host.serve(repository), tmp_path / "copy")
    head = out(repository, "rev-parse", "HEAD")
    before = _everything(repository)
    commit = _commit(copy)

    pushed = push(copy, "HEAD:refs/heads/outboard/s1")

    assert pushed.returncode == 0, pushed.stderr
    assert out(repository, "rev-parse", "outboard/s1") == commit
    assert out(repository, "rev-parse", "HEAD") == head
    assert out(repository, "status", "--porcelain") == ""
    after = _everything(repository)
    assert {name: after[name] for name in before} == before
    places = (".git/objects/", ".git/refs/heads/outboard/", ".git/logs/refs/heads/outboard/")
    assert all(name.startswith(places) for name in after.keys() - before.keys())


def test_a_large_push_arrives_too(host: Host, repository: Path, tmp_path: Path):
    copy = clone(host.serve(repository), tmp_path / "copy")
    (copy / "blob").write_bytes(os.urandom(3_000_000))  # above git's buffer: sent in chunks
    git(copy, "add", "blob")
    commit = _commit(copy)

    pushed = push(copy, "HEAD:refs/heads/outboard/s1")

    assert pushed.returncode == 0, pushed.stderr
    assert out(repository, "rev-parse", "outboard/s1") == commit


@pytest.mark.parametrize(
    "refspec", ["HEAD:refs/heads/main", "HEAD:refs/tags/v1", "HEAD:refs/heads/outboard-x"]
)
def test_any_other_ref_is_refused_with_the_reason(
    host: Host, repository: Path, tmp_path: Path, refspec: str
):
    copy = clone(host.serve(repository), tmp_path / "copy")
    _commit(copy)
    before = _everything(repository)

    pushed = push(copy, refspec)

    assert pushed.returncode != 0
    assert "only branches outboard/* may be pushed here" in pushed.stderr
    assert _everything(repository) == before


def test_a_push_of_both_is_refused_as_a_whole(host: Host, repository: Path, tmp_path: Path):
    copy = clone(host.serve(repository), tmp_path / "copy")
    _commit(copy)
    before = _everything(repository)

    pushed = git(
        copy,
        "push",
        "origin",
        "HEAD:refs/heads/outboard/s1",
        "HEAD:refs/heads/main",
        check=False,
    )

    assert pushed.returncode != 0
    assert _everything(repository) == before


def test_the_branch_that_is_checked_out_is_never_moved(
    host: Host, repository: Path, tmp_path: Path
):
    git(repository, "checkout", "--quiet", "-b", "outboard/s1")
    copy = clone(host.serve(repository), tmp_path / "copy")
    _commit(copy)

    pushed = push(copy, "HEAD:refs/heads/outboard/s1")

    assert pushed.returncode != 0
    assert "checked out" in pushed.stderr
    assert (repository / "README").read_text() == "one\n"


def test_a_session_branch_is_not_deleted(host: Host, repository: Path, tmp_path: Path):
    git(repository, "branch", "outboard/s1")
    copy = clone(host.serve(repository), tmp_path / "copy")

    pushed = push(copy, ":refs/heads/outboard/s1")

    assert pushed.returncode != 0
    assert out(repository, "rev-parse", "outboard/s1")


def test_what_another_session_pushed_is_not_taken_back(
    host: Host, repository: Path, tmp_path: Path
):
    theirs = clone(host.serve(repository), tmp_path / "theirs")
    kept = _commit(theirs)
    push(theirs, "HEAD:refs/heads/outboard/s1")
    copy = clone(host.serve(repository), tmp_path / "copy")
    _commit(copy, "three\n")

    pushed = push(copy, "+HEAD:refs/heads/outboard/s1")

    assert pushed.returncode != 0
    assert out(repository, "rev-parse", "outboard/s1") == kept


def test_hooks_of_the_repository_are_not_run(host: Host, repository: Path, tmp_path: Path):
    hook = repository / ".git" / "hooks" / "post-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    hook.chmod(0o755)
    copy = clone(host.serve(repository), tmp_path / "copy")
    _commit(copy)

    assert push(copy, "HEAD:refs/heads/outboard/s1").returncode == 0

    assert not (tmp_path / "ran").exists()


def test_a_bare_repository_is_served(host: Host, repository: Path, tmp_path: Path):
    git(tmp_path, "clone", "--quiet", "--bare", str(repository), "bare.git")
    copy = clone(host.serve(tmp_path / "bare.git"), tmp_path / "copy")
    commit = _commit(copy)

    assert push(copy, "HEAD:refs/heads/outboard/s1").returncode == 0

    assert out(tmp_path / "bare.git", "rev-parse", "outboard/s1") == commit


def test_a_worktree_is_served_with_its_own_head(host: Host, repository: Path, tmp_path: Path):
    git(repository, "worktree", "add", "--quiet", "-b", "topic", str(tmp_path / "topic"))
    commit = _commit(tmp_path / "topic")

    copy = clone(host.serve(tmp_path / "topic"), tmp_path / "copy")
    pushed = push(copy, "HEAD:refs/heads/outboard/s1")

    assert out(copy, "rev-parse", "HEAD") == commit
    assert out(copy, "branch", "--show-current") == "topic"
    assert pushed.returncode == 0, pushed.stderr
    assert out(repository, "rev-parse", "outboard/s1") == commit


def test_an_id_is_not_guessed_from_another(host: Host, repository: Path, tmp_path: Path):
    other = host.serve(repository).split("/")[-2][:-1] + "x"

    cloned = git(tmp_path, "clone", f"{host.url}/{other}/project.git", "copy", check=False)

    assert cloned.returncode != 0
    assert "not found" in cloned.stderr


def test_a_repository_that_is_gone_is_said_to_be(host: Host, repository: Path, tmp_path: Path):
    url = host.serve(repository)
    shutil.rmtree(repository)

    cloned = git(tmp_path, "clone", url, "copy", check=False)

    assert cloned.returncode != 0
    assert "410" in cloned.stderr


def test_nothing_but_git_s_own_protocol_is_served(host: Host, repository: Path):
    path = host.serve(repository).removeprefix(host.url)

    for other in ("/HEAD", "/info/refs", "/config", "/objects/info/packs"):
        assert host.ask(path + other)[0] in {403, 404}


def test_registering_needs_the_key(host: Host, repository: Path):
    status, answer = host.register(repository, key="another")

    assert (status, answer["code"]) == (401, "unauthenticated")


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"path": 1, "key": "k"}', b"x" * 20_000])
def test_a_malformed_registration_is_refused(host: Host, body: bytes):
    status, answer = host.ask("/repositories", body)

    assert (status, answer["code"]) == (400, "invalid")


def test_pages_in_a_browser_are_kept_out(host: Host):
    assert host.ask("/", Origin="http://127.0.0.1")[0] == 403
    assert host.ask("/", Host="rebound.example")[0] == 403
    assert host.ask("/")[0] == 200


def test_what_can_t_be_served_is_refused_with_a_sentence(host: Host, tmp_path: Path):
    (tmp_path / "file").write_text("")
    (tmp_path / "plain").mkdir()
    git(tmp_path, "init", "--quiet", "empty")
    inside = make(tmp_path / "project") / ".git" / "refs"

    sentences = {
        "relative/path": "is not an absolute path",
        str(tmp_path / "none"): "can't be opened: No such file or directory",
        str(tmp_path / "file"): "is a file, not a git repository",
        str(tmp_path / "plain"): "is not a git repository",
        str(tmp_path / "empty"): "has no commit yet",
        str(inside): "name the repository itself",
    }

    for path, sentence in sentences.items():
        status, answer = host.register(path)
        assert status == 422
        assert sentence in answer["message"], answer


def test_ids_survive_a_restart_of_the_host(tmp_path: Path, repository: Path):
    process, first = start(tmp_path)
    before = first.serve(repository).removeprefix(first.url)
    stop(process)
    process, second = start(tmp_path)

    after = second.serve(repository).removeprefix(second.url)
    stop(process)

    assert before == after
    assert (tmp_path / "repositories.json").stat().st_mode & 0o077 == 0


def test_a_push_that_stalls_does_not_keep_the_host_from_ending(tmp_path: Path, repository: Path):
    process, host = start(tmp_path)
    address = urlsplit(host.serve(repository))
    with socket.create_connection((address.hostname, address.port)) as client:
        command = b" ".join((b"0" * 40, b"a" * 40, b"refs/heads/outboard/s1\0report-status"))
        body = f"{len(command) + 4:04x}".encode() + command + b"0000"
        client.sendall(
            f"POST {address.path}/git-receive-pack HTTP/1.1\r\nHost: {address.netloc}\r\n"
            "Content-Type: application/x-git-receive-pack-request\r\n"
            f"Transfer-Encoding: chunked\r\n\r\n{len(body):x}\r\n".encode()
            + body
            + b"\r\n"
        )
        assert client.recv(1_000).startswith(b"HTTP/1.1 200")

        stop(process)

    assert process.returncode == 0
    assert out(repository, "branch", "--list", "outboard/*") == ""


@as_root
@pytest.mark.parametrize("reachable", [True, False])
def test_a_repository_of_somebody_else_is_served_and_stays_theirs(
    host: Host, repository: Path, tmp_path: Path, reachable: bool
):
    place = Path("/tmp/outboard-test-of-a-stranger") if reachable else tmp_path / "locked" / "p"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(repository, place)
    _give_away(place)
    place.parent.chmod(place.parent.stat().st_mode if reachable else 0o700)
    copy = clone(host.serve(place), tmp_path / "copy")
    _commit(copy)

    pushed = push(copy, "HEAD:refs/heads/outboard/s1")

    made = place / ".git/refs/heads/outboard/s1"
    owner = made.stat().st_uid
    if reachable:
        shutil.rmtree(place)
    assert pushed.returncode == 0, pushed.stderr
    assert owner == (STRANGER if reachable else 0)


@as_root
def test_settings_of_somebody_else_s_repository_run_nothing(
    host: Host, repository: Path, tmp_path: Path
):
    evil = f"touch {tmp_path}/ran"
    for name in ("core.fsmonitor", "filter.evil.clean", "core.alternateRefsCommand"):
        git(repository, "config", name, evil)
    (repository / ".gitattributes").write_text("* filter=evil\n")
    (repository / "README").write_text("two\n")
    tmp_path.chmod(0o700)
    _give_away(repository)

    assert host.register(repository)[1]["dirty"] is True

    assert not (tmp_path / "ran").exists()


@as_root
def test_a_repository_that_can_t_be_written_is_refused_at_once(host: Host, tmp_path: Path):
    place = make(Path("/tmp/outboard-test-read-only") / "project")
    _give_away(place)
    (place / ".git/objects").chmod(0o555)

    status, answer = host.register(place)

    shutil.rmtree(place.parent)
    assert status == 422
    assert f"can't be written by user id {STRANGER}" in answer["message"]
