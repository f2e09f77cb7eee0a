"""What a sandbox sees and can do, by the kind of its fence; and that the kind is reported."""

import os
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from e2b import CommandExitException, Sandbox

from tests.infra.local.sandbox_host.hosting import Host

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module")
def sandbox(any_host: Host) -> Iterator[Sandbox]:
    sandbox = any_host.sandbox()
    yield sandbox
    sandbox.kill()


@pytest.fixture(scope="module")
def fenced(fenced_host: Host) -> Iterator[Sandbox]:
    sandbox = fenced_host.sandbox()
    yield sandbox
    sandbox.kill()


def test_the_kind_of_fence_is_told_to_everybody(any_host: Host, sandbox: Sandbox):
    about = httpx.get(any_host.url).json()

    inside = sandbox.commands.run("echo $OUTBOARD_ISOLATION").stdout.strip()

    assert about["isolation"] == inside == any_host.told["isolation"]
    assert inside in ("bubblewrap+overlay", "bubblewrap", "plain")
    assert inside == (any_host.isolation or inside)


def test_plain_mode_has_the_same_paths_under_a_root_of_its_own(any_host: Host, sandbox: Sandbox):
    root = sandbox.commands.run('echo "$OUTBOARD_ROOT"').stdout.strip()
    if any_host.told["isolation"] != "plain":
        assert root == ""

    sandbox.commands.run(f'cd "{root}/" && test -d workspace && test -d dev/shm && test -d tmp')

    assert sandbox.commands.run("echo ~").stdout == f"{root}/home/user\n"
    greeting = sandbox.commands.run(f"{root}/opt/outboard/bin/greet").stdout
    assert greeting == "greetings from the template\n"


def test_a_command_finds_the_template_and_the_tools_of_the_machine(sandbox: Sandbox):
    assert sandbox.commands.run("greet && command -v git").stdout.endswith("/git\n")
    assert sandbox.commands.run("python -c 'import ssl, sqlite3; print(1)'").stdout == "1\n"


def test_names_and_certificates_of_the_machine_are_there(fenced: Sandbox):
    assert fenced.commands.run("getent hosts localhost").stdout
    assert fenced.commands.run("test -s /etc/resolv.conf; ls /etc/ssl").stdout
    assert fenced.commands.run("whoami; hostname").stdout == "user\nsandbox\n"


def test_only_its_own_processes_are_seen(fenced: Sandbox):
    seen = fenced.commands.run("cat /proc/[0-9]*/cmdline | tr '\\0' '\\n'").stdout

    assert "sandbox_host --port" not in seen
    assert len(fenced.commands.run("ls -d /proc/[0-9]*").stdout.split()) < 10


@pytest.mark.parametrize(
    "hidden",
    [
        "{home}/.bashrc",
        "{home}/.ssh",
        "{state}",
        "{root}/key",
        "{repository}",
        "/run/docker.sock",
        "/var/run/docker.sock",
        "/sys",
        "/boot",
        "/etc/shadow",
    ],
)
def test_what_is_not_the_sandboxes_business_is_not_there(
    fenced_host: Host, fenced: Sandbox, hidden: str
):
    path = hidden.format(
        home=Path.home(),
        state=fenced_host.state,
        root=fenced_host.root,
        repository=Path(__file__).parents[4],
    )

    answer = fenced.commands.run(f"test -e {path} && echo there || echo missing").stdout

    assert answer == "missing\n"


def test_temporary_files_are_of_each_sandbox_alone(fenced_host: Host, fenced: Sandbox):
    mark = Path("/tmp", f"outboard-{os.getpid()}")
    other = fenced_host.sandbox()
    other.commands.run(f"touch {mark} /dev/shm/{mark.name}")

    assert not mark.exists()
    assert fenced.commands.run("ls /tmp /dev/shm").stdout == "/dev/shm:\n\n/tmp:\n"
    other.kill()


@pytest.mark.parametrize(
    "path", ["/usr/planted", "/etc/planted", "/opt/outboard/planted", "/planted", "/bin/planted"]
)
def test_the_machine_and_the_template_can_only_be_read(fenced: Sandbox, path: str):
    with pytest.raises(CommandExitException):
        fenced.commands.run(f"touch {path}")


@pytest.mark.parametrize("path", ["/workspace/f", "/home/user/f", "/var/tmp/f", "/tmp/f"])
def test_its_own_places_can_be_written(fenced: Sandbox, path: str):
    fenced.commands.run(f"echo 1 > {path} && rm {path}")


def test_nobody_in_a_sandbox_has_a_capability(fenced: Sandbox):
    status = fenced.commands.run("grep -E 'Cap(Eff|Prm|Amb)|NoNewPrivs' /proc/self/status").stdout

    assert sorted(status.split()) == sorted(
        ["CapPrm:", "0" * 16, "CapEff:", "0" * 16, "CapAmb:", "0" * 16, "NoNewPrivs:", "1"]
    )


def test_the_kernel_can_not_be_reconfigured(fenced: Sandbox):
    with pytest.raises(CommandExitException):
        fenced.commands.run("echo '|/workspace/x' > /proc/sys/kernel/core_pattern")


def test_the_first_process_can_not_be_taken_over(fenced: Sandbox):
    """It holds the channel to the host."""
    with pytest.raises(CommandExitException):
        fenced.commands.run("ls /proc/1/fd")
    fenced.commands.run("kill -KILL 1; kill -STOP 1")

    assert fenced.commands.run("echo alive").stdout == "alive\n"


def test_a_command_inherits_nothing_but_its_own_pipes(sandbox: Sandbox):
    assert sandbox.commands.run("ls /proc/self/fd").stdout.split() == ["0", "1", "2", "3"]


def test_the_network_is_the_machines(any_host: Host, sandbox: Sandbox):
    """Local services are reached by loopback; without a key this host gives nothing away."""
    port = any_host.told["port"]
    ask = (
        f"import urllib.request, urllib.error\n"
        f"try: urllib.request.urlopen('http://127.0.0.1:{port}/v2/sandboxes')\n"
        f"except urllib.error.HTTPError as error: print(error.code)"
    )

    assert sandbox.commands.run(f'python -c "{ask}"').stdout == "401\n"
