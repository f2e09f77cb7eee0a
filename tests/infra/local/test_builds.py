import os
import signal
import threading
from pathlib import Path

import pytest

from infra.local.builds import build_all
from infra.local.refusal import Refusal
from tests.eventually import eventually


def _python(code: str, *arguments: object) -> tuple[str, ...]:
    return ("-c", code, *map(str, arguments))


def test_all_of_them_are_built(tmp_path: Path):
    touch = "import sys; open(sys.argv[1], 'w').close()"

    build_all(print, {name: _python(touch, tmp_path / name) for name in ("one", "two")})

    assert {path.name for path in tmp_path.iterdir()} == {"one", "two"}


def test_what_is_up_to_date_takes_one_line():
    said: list[str] = []

    build_all(said.append, {"nothing": _python("pass")})

    assert said == ["building what has changed of nothing"]


def test_what_fails_is_named_with_what_it_said():
    with pytest.raises(Refusal, match="the roof can't be built: no wood"):
        build_all(print, {"the roof": _python("raise SystemExit('no wood')")})


@pytest.mark.parametrize("ended_by", ["failure", "interrupt"])
def test_the_others_are_ended_with_all_they_started(tmp_path: Path, ended_by: str):
    """As npm under a build: a process of a process."""
    pid = tmp_path / "pid"
    nested = (
        "import subprocess, sys; child = subprocess.Popen(['sleep', '60']);"
        "open(sys.argv[1] + '.new', 'w').write(str(child.pid));"
        "__import__('os').rename(sys.argv[1] + '.new', sys.argv[1]); child.wait()"
    )
    waiting = "import os, sys, time\nwhile not os.path.exists(sys.argv[1]): time.sleep(0.02)\n"
    first = waiting + ("raise SystemExit('no')" if ended_by == "failure" else "time.sleep(60)")
    builds = {"first": _python(first, pid), "second": _python(nested, pid)}

    if ended_by == "interrupt":
        threading.Thread(target=_interrupt_once, args=(pid,)).start()

    with pytest.raises(Refusal if ended_by == "failure" else KeyboardInterrupt):
        build_all(print, builds)

    eventually(lambda: _is_gone(int(pid.read_text())))


def _interrupt_once(there: Path) -> None:
    eventually(there.exists)
    os.kill(os.getpid(), signal.SIGINT)


def _is_gone(pid: int) -> bool:
    return not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text()
