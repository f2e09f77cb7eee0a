import socket
import subprocess
import sys
from pathlib import Path

import pytest

from infra.local import requirements
from infra.local.refusal import Refusal
from layers.artifact import ROOT

EVERYTHING = {name: f"/usr/bin/{name}" for name in ("node", "npm", "git", "bwrap", "rg")}


def _machine(*missing: str, node: str = "v20.20.2", git_core: str = "/nowhere"):
    """A machine without these programs, and what its programs say."""
    has = {name: path for name, path in EVERYTHING.items() if name not in missing}
    said = {("node", "--version"): node, ("git", "--exec-path"): git_core}
    return has.get, lambda *words: said[words]


@pytest.fixture
def git_core(tmp_path: Path) -> str:
    (tmp_path / "git-http-backend").touch()
    return str(tmp_path)


def test_a_machine_that_has_everything_needs_no_words(git_core: str):
    assert requirements.check(*_machine(git_core=git_core)) == ()


@pytest.mark.parametrize(
    ("missing", "sentence"),
    [
        ("node", "node is missing: install Node.js 20 or newer"),
        ("npm", "npm is missing: install Node.js 20 or newer"),
        ("git", "git is missing: install it"),
    ],
)
def test_what_is_missing_is_named(git_core: str, missing: str, sentence: str):
    with pytest.raises(Refusal, match=sentence):
        requirements.check(*_machine(missing, git_core=git_core))


@pytest.mark.parametrize("found", ["v18.19.0", "v9.1.0", ""])
def test_a_node_that_is_too_old_is_named_with_its_version(git_core: str, found: str):
    with pytest.raises(Refusal, match=f"node is {found or 'of unknown version'}: install"):
        requirements.check(*_machine(node=found, git_core=git_core))


@pytest.mark.parametrize("found", ["v20.0.0", "v22.12.0", "v100.0.0"])
def test_a_node_that_is_new_enough_is_fine(git_core: str, found: str):
    assert requirements.check(*_machine(node=found, git_core=git_core)) == ()


def test_a_git_without_its_http_backend_is_named(tmp_path: Path):
    with pytest.raises(Refusal, match="git has no http-backend here"):
        requirements.check(*_machine(git_core=str(tmp_path)))


def test_everything_that_is_missing_is_said_at_once(git_core: str):
    with pytest.raises(Refusal, match=r"node is missing.*git is missing"):
        requirements.check(*_machine("node", "git", git_core=git_core))


def test_what_can_be_done_without_is_mentioned(git_core: str):
    notes = requirements.check(*_machine("bwrap", "rg", git_core=git_core))

    assert [note.split(" ")[0] for note in notes] == ["bubblewrap", "ripgrep"]
    assert "plain mode" in notes[0]


def test_a_taken_port_is_named_with_the_way_out():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        with pytest.raises(
            Refusal, match=rf"port {port}, for the AWS host, is taken.*OUTBOARD_PORT"
        ):
            requirements.check_ports({"the AWS host": port})


def test_free_ports_are_left_free():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    requirements.check_ports({"the AWS host": port})

    socket.create_server(("127.0.0.1", port)).close()


def test_a_second_start_is_refused_and_told_about_the_first(tmp_path: Path):
    lock = tmp_path / "lock"
    first = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(lock)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert first.stdout is not None
    assert first.stdout.readline() == "held\n"

    with (
        pytest.raises(Refusal, match=f"running here already, as process {first.pid}"),
        requirements.alone(lock),
    ):
        pass
    first.kill()
    first.communicate()
    with requirements.alone(lock):
        pass


_HOLD = """\
import sys
from pathlib import Path
from infra.local import requirements
with requirements.alone(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""
