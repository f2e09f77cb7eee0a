"""What git and gh run to get at credentials: asks the bridge's socket and passes the answer on.

    client.py git <runtime> get|store|erase    as git asks a credential helper
    client.py gh <wrapper> <arguments…>        becomes the real gh, with a token for it alone

It starts at each operation, by its path, and has the standard library alone.
"""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

SOCKET = "credentials.sock"
PATIENCE_SECONDS = 180
NOT_FOUND = 127

_READS = frozenset({"clone", "fetch", "ls-remote", "pull", "remote", "fetch-pack"})
_WRITES = frozenset({"push", "send-pack"})
_OWN = ("GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")
_ANCESTORS = 8
_NOT_HERE = (
    "gh opens no pull request here: the tool outboard_pull_request does, as the person who asked"
)
_OPENS = frozenset({"create", "new"})
_NAMES_REPOSITORY = frozenset({"-R", "--repo"})
_REPOSITORY_OPTION = re.compile(r"--repo=|-R=?(?=.)")
_API_PATH = re.compile(r"/?repos/([^/?]+/[^/?]+)")
_LARGE_FILES = "/info/lfs"
"""Below a repository, where git-lfs asks for what is the repository's."""


class NotAnswered(Exception):
    """Carries one sentence."""


def main(arguments: Sequence[str]) -> int:
    match arguments:
        case ["git", runtime, "get"]:
            return _get(Path(runtime))
        case ["git", runtime, "erase"]:
            return _erase(Path(runtime))
        case ["git", *_]:
            return 0  # nothing is stored, whatever else git may come to ask
        case ["gh", wrapper, *rest]:
            return _gh(wrapper, rest)
        case _:
            return 2


def _get(runtime: Path) -> int:
    asked = _attributes()
    place = f"{asked.get('host')}/{asked.get('path', '').partition(_LARGE_FILES)[0]}"
    url = f"{asked.get('protocol')}://{place}"
    try:
        found = _ask(runtime, {"ask": "git", "url": url, "operation": _operation()})
    except NotAnswered as problem:
        # Nobody else is asked: not a terminal that nobody sits at, for one.
        sys.stdout.write("quit=1\n")
        return _complain(f"{place}: {problem}")
    if not found:
        return _complain(f"Outboard has no credentials for {asked.get('host')}")
    sys.stdout.write(f"username={found['username']}\npassword={found['password']}\n")
    if found["expires_at"]:
        expires = datetime.fromisoformat(found["expires_at"])
        sys.stdout.write(f"password_expiry_utc={int(expires.timestamp())}\n")
    return 0


def _erase(runtime: Path) -> int:
    with suppress(NotAnswered):
        _ask(runtime, {"ask": "erase", "password": _attributes().get("password", "")})
    return 0


def _gh(wrapper: str, rest: Sequence[str]) -> int:
    own = any(os.environ.get(name) for name in _OWN)
    if not own and _opens_a_pull_request(rest):
        _complain(_NOT_HERE)
        return 1
    program = _real(wrapper)
    if program is not None:
        given = {} if own else _token(_repository(rest))
        os.execve(program, ["gh", *rest], {**os.environ, **given})  # noqa: S606  its whole point
    _complain("gh is not installed in this sandbox")
    return NOT_FOUND


def _real(wrapper: str) -> str | None:
    for directory in os.environ.get("PATH", os.defpath).split(os.pathsep):
        program = Path(directory or ".") / "gh"
        if os.access(program, os.X_OK) and program.is_file() and not program.samefile(wrapper):
            return str(program)
    return None


def _opens_a_pull_request(arguments: Sequence[str]) -> bool:
    """`gh pr create`, by either of its names and with the repository before or after it."""
    words = list(_words(arguments))
    return words[:1] == ["pr"] and not _OPENS.isdisjoint(words[1:2])


def _words(arguments: Sequence[str]) -> Iterator[str]:
    """Without options, and without what `-R` is given."""
    left = iter(arguments)
    for each in left:
        if each in _NAMES_REPOSITORY:
            next(left, None)
        elif not each.startswith("-"):
            yield each


def _repository(arguments: Sequence[str]) -> str:
    """The one that gh is asked about, as far as that can be told: empty where it can't be."""
    for each, after in zip(arguments, [*arguments[1:], ""], strict=True):
        if each in _NAMES_REPOSITORY:
            return after
        if found := _REPOSITORY_OPTION.match(each):
            return each[found.end() :]
    if arguments[:1] == ["api"]:
        paths = (_API_PATH.match(each) for each in arguments[1:])
        return next((path[1] for path in paths if path), "")
    return os.environ.get("GH_REPO") or _origin()


def _origin() -> str:
    """Of the directory that gh was started in."""
    command = ["git", "config", "--get", "remote.origin.url"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return found.stdout.strip()


def _token(repository: str) -> dict[str, str]:
    """For the environment of gh."""
    runtime = os.environ.get("OUTBOARD_RUNTIME")
    if not runtime:
        return {}
    try:
        found = _ask(Path(runtime), {"ask": "gh", "repository": repository})
    except NotAnswered as problem:
        _complain(str(problem))
        return {}
    if not found:
        _complain("no repository of this session is on GitHub, so there is no token for gh")
        return {}
    host: str = found["host"]
    is_githubs = host == "github.com" or host.endswith(".ghe.com")
    name = "GH_TOKEN" if is_githubs else "GH_ENTERPRISE_TOKEN"
    return {name: str(found["token"]), "GH_HOST": os.environ.get("GH_HOST") or host}


def _attributes() -> dict[str, str]:
    pairs = (line.rstrip("\n").partition("=") for line in sys.stdin)
    return {name: value for name, _, value in pairs}


def _ask(runtime: Path, question: dict[str, str]) -> dict[str, Any]:
    try:
        answer = json.loads(_exchanged(runtime, json.dumps(question).encode() + b"\n"))
    except (OSError, ValueError):
        raise NotAnswered("the sandbox's bridge does not answer, so there are none") from None
    if "problem" in answer:
        raise NotAnswered(answer["problem"])
    return answer


def _exchanged(runtime: Path, question: bytes) -> bytes:
    # The address of a socket has room for 107 bytes, and the directory's path may have more.
    directory = os.open(runtime, os.O_PATH | os.O_DIRECTORY)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
            asking.settimeout(PATIENCE_SECONDS)
            asking.connect(f"/proc/self/fd/{directory}/{SOCKET}")
            asking.sendall(question)
            return b"".join(iter(lambda: asking.recv(65536), b""))
    finally:
        os.close(directory)


def _operation() -> str:
    """What the git that asks was started for. Writing, where that can't be told."""
    for command in _git_commands():
        if not _WRITES.isdisjoint(command):
            return "write"
        if not _READS.isdisjoint(command):
            return "read"
    return "write"


def _git_commands() -> Iterator[list[str]]:
    """Of the processes that this one descends from, the nearest first."""
    pid = os.getppid()
    for _ in range(_ANCESTORS):
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
            stat = Path(f"/proc/{pid}/stat").read_bytes()
        except OSError:
            return
        program, *arguments = command.split("\0")
        if Path(program).name == "git":
            yield arguments
        # "pid (any name) state parent ...": the name may hold spaces and brackets itself.
        pid = int(stat.rpartition(b") ")[2].split()[1])


def _complain(sentence: str) -> int:
    sys.stderr.write(f"outboard: {sentence}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
