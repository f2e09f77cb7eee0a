"""Commands in a sandbox, through the unmodified SDK."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from e2b import (
    CommandExitException,
    InvalidArgumentException,
    NotFoundException,
    Sandbox,
    SandboxException,
    SandboxNotRunningException,
    TimeoutException,
)

from tests.infra.local.sandbox_host.hosting import Host, nap, processes_of, until

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module")
def sandbox(host: Host) -> Iterator[Sandbox]:
    sandbox = host.sandbox(envs={"GIVEN": "at creation"})
    yield sandbox
    sandbox.kill()


def test_a_command_answers_with_what_it_wrote_and_how_it_ended(sandbox: Sandbox):
    result = sandbox.commands.run("echo out; echo err >&2")

    assert (result.stdout, result.stderr, result.exit_code) == ("out\n", "err\n", 0)


def test_a_failing_command_is_reported_with_its_exit_code(sandbox: Sandbox):
    with pytest.raises(CommandExitException) as failed:
        sandbox.commands.run("echo before; exit 7")

    assert (failed.value.exit_code, failed.value.stdout) == (7, "before\n")
    assert failed.value.error == "exit status 7"


def test_a_command_that_a_signal_ended_says_so(sandbox: Sandbox):
    with pytest.raises(CommandExitException) as failed:
        sandbox.commands.run("kill -9 $$")

    assert (failed.value.exit_code, failed.value.error) == (-1, "signal: killed")


def test_a_command_has_the_environment_of_its_sandbox_and_nothing_of_the_host(sandbox: Sandbox):
    result = sandbox.commands.run("env -0", envs={"OWN": "to the command"})

    environment = dict(line.split("=", 1) for line in result.stdout.split("\0") if line)
    assert environment["GIVEN"] == "at creation"
    assert environment["OWN"] == "to the command"
    assert environment["HOME"] == "/home/user"
    assert environment.keys() - {"GIVEN", "OWN", "_", "SHLVL", "PWD", "OLDPWD"} == {
        "HOME",
        "LANG",
        "LOGNAME",
        "OUTBOARD_ISOLATION",
        "OUTBOARD_SANDBOX_OF",
        "PATH",
        "SHELL",
        "TMPDIR",
        "USER",
    }


def test_a_command_runs_where_it_is_told(sandbox: Sandbox):
    assert sandbox.commands.run("pwd").stdout == "/home/user\n"
    assert sandbox.commands.run("pwd", cwd="/workspace").stdout == "/workspace\n"
    with pytest.raises(InvalidArgumentException, match="/not/there"):
        sandbox.commands.run("pwd", cwd="/not/there")


def test_the_template_is_first_on_the_path(sandbox: Sandbox):
    assert sandbox.commands.run("greet").stdout == "greetings from the template\n"
    assert sandbox.commands.run("python -c 'print(6 * 7)'").stdout == "42\n"


def test_there_is_no_way_to_be_root(sandbox: Sandbox):
    with pytest.raises(SandboxException, match="one user"):
        sandbox.commands.run("true", user="root")


def test_a_command_in_the_background_is_listed_and_goes_on_without_listeners(sandbox: Sandbox):
    command = sandbox.commands.run(
        "echo begun; read -r line; echo got $line", background=True, stdin=True
    )
    assert command.pid in [one.pid for one in sandbox.commands.list()]
    command.disconnect()

    again = sandbox.commands.connect(command.pid)
    sandbox.commands.send_stdin(command.pid, "something\n")

    assert again.wait().stdout.endswith("got something\n")
    assert until(lambda: command.pid not in [one.pid for one in sandbox.commands.list()])


def test_closing_its_input_ends_a_command_that_reads_to_the_end(sandbox: Sandbox):
    command = sandbox.commands.run("cat", background=True, stdin=True)

    command.send_stdin("all of it")
    command.close_stdin()

    assert command.wait().stdout == "all of it"


def test_a_command_without_input_reads_nothing(sandbox: Sandbox):
    assert sandbox.commands.run("cat; echo done").stdout == "done\n"


def test_killing_a_command_ends_what_it_started_in_its_group(sandbox: Sandbox):
    command = sandbox.commands.run(f"{nap(1)} & {nap(1)}", background=True)
    assert until(lambda: len(processes_of(nap(1))) == 2)

    assert command.kill()

    assert until(lambda: not processes_of(nap(1)))
    assert until(lambda: not sandbox.commands.kill(command.pid))


def test_a_command_whose_time_is_up_is_killed(sandbox: Sandbox):
    with pytest.raises(TimeoutException):
        sandbox.commands.run(nap(2), timeout=0.3)

    assert until(lambda: not processes_of(nap(2)))


def test_a_command_ends_though_it_left_something_behind_that_holds_its_output(sandbox: Sandbox):
    result = sandbox.commands.run(f"{nap(3)} & echo done", timeout=20)

    assert result.stdout == "done\n"


def test_connecting_to_no_command_is_refused(sandbox: Sandbox):
    with pytest.raises(NotFoundException):
        sandbox.commands.connect(99999)


def test_output_comes_whole_and_is_never_gathered_in_the_host(host: Host, sandbox: Sandbox):
    size = 96 * 1024 * 1024
    received = 0

    def count(chunk: str) -> None:
        nonlocal received
        received += len(chunk)

    sandbox.commands.run(f"head -c {size} /dev/zero", on_stdout=count, retain_output=False)

    assert received == size
    assert _peak_memory(host) < 250 * 1024 * 1024


def test_a_listener_that_does_not_read_holds_up_its_command_and_nobody_else(sandbox: Sandbox):
    command = sandbox.commands.run(
        "head -c 100000000 /dev/zero; echo overtaken > /workspace/done", background=True, timeout=0
    )

    assert sandbox.commands.run("echo still here").stdout == "still here\n"
    assert not sandbox.files.exists("/workspace/done")
    command.disconnect()
    assert until(lambda: sandbox.files.exists("/workspace/done"))


def test_many_commands_run_at_once(sandbox: Sandbox):
    answers: dict[int, str] = {}

    def run(number: int) -> None:
        answers[number] = sandbox.commands.run(f"sleep 0.1; echo {number}").stdout

    threads = [threading.Thread(target=run, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers == {number: f"{number}\n" for number in range(20)}


def _peak_memory(host: Host) -> int:
    assert host.process
    for line in Path("/proc", str(host.process.pid), "status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise AssertionError


@pytest.mark.parametrize("wrong", [{"cmd": "a\0b"}, {"cmd": "true", "envs": {"A=B": "c"}}])
def test_a_command_that_can_not_be_started_breaks_nothing(sandbox: Sandbox, wrong: dict[str, Any]):
    with pytest.raises(InvalidArgumentException):
        sandbox.commands.run(**wrong)

    assert sandbox.commands.run("echo alive").stdout == "alive\n"


def test_a_listener_that_does_not_read_hears_of_the_pause(host: Host):
    sandbox = host.sandbox()
    command = sandbox.commands.run("head -c 100000000 /dev/zero", background=True, timeout=0)

    sandbox.pause(mode="filesystem")

    with pytest.raises(SandboxNotRunningException):
        command.wait()
    sandbox.kill()
