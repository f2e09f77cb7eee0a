"""However a sandbox or its host ends: no process, no mount and no directory is left too long."""

import os
import signal

import pytest
from e2b import Sandbox, SandboxState

from tests.infra.local.sandbox_host.hosting import Host, hosting, nap, processes_of, until

pytestmark = pytest.mark.sandbox

ESCAPE = (
    f"{nap(11)} & "
    f"setsid {nap(11)} > /dev/null 2>&1 & "
    f"(setsid sh -c '{nap(11)} & {nap(11)}' > /dev/null 2>&1 &) ; "
    f"env -i setsid {nap(11)} > /dev/null 2>&1 & "
    f"{nap(11)}"
)
"""Processes in the background, in sessions of their own, orphaned, without an environment."""


def _with_escapes(host: Host) -> Sandbox:
    sandbox = host.sandbox()
    sandbox.commands.run(ESCAPE, background=True, timeout=0)
    assert until(lambda: len(processes_of(nap(11))) >= 6)
    return sandbox


def test_a_killed_sandbox_leaves_nothing(any_host: Host):
    sandbox = _with_escapes(any_host)
    sandbox.commands.run("mkdir -p ~/closed/in && chmod 000 ~/closed/in && chmod 000 ~/closed")

    sandbox.kill()

    assert not processes_of(nap(11))
    assert not any_host.processes()
    assert any_host.mounts() == []
    assert not (any_host.state / "sandboxes" / sandbox.sandbox_id).exists()
    assert until(lambda: not list((any_host.state / "trash").iterdir()))


def test_a_paused_sandbox_has_no_process(any_host: Host):
    sandbox = _with_escapes(any_host)

    sandbox.pause(mode="filesystem")

    assert not processes_of(nap(11))
    assert not any_host.processes()
    sandbox.kill()


def test_a_host_that_is_stopped_pauses_its_sandboxes(plain: Host):
    sandbox = _with_escapes(plain)
    sandbox.files.write("/workspace/kept", "kept")

    plain.stop()

    assert not processes_of(nap(11))
    assert not plain.processes()
    _comes_back_paused(plain, sandbox.sandbox_id)


def test_a_host_that_is_killed_takes_its_sandboxes_processes_with_it(any_host: Host):
    sandbox = _with_escapes(any_host)
    sandbox.files.write("/workspace/kept", "kept")
    key = "0123-of-a-killed-host"
    keyed = any_host.sandbox(idempotency_key=key)

    any_host.kill_hard()

    assert until(lambda: not processes_of(nap(11)))
    assert until(lambda: not any_host.processes())
    assert any_host.mounts() == []
    _comes_back_paused(any_host, sandbox.sandbox_id)
    again = any_host.sandbox(idempotency_key=key)
    assert again.sandbox_id == keyed.sandbox_id
    again.kill()


def _comes_back_paused(host: Host, sandbox_id: str) -> None:
    host.start()
    info = host.client.Sandbox.get_info(sandbox_id)
    assert info.state is SandboxState.PAUSED
    resumed = host.client.Sandbox.connect(sandbox_id, on_resume="reboot")
    assert resumed.files.read("/workspace/kept") == "kept"
    resumed.kill()


def test_what_outlived_its_host_is_ended_by_the_next(plain: Host):
    """Where no namespace held it and its first process could not do its work any more."""
    sandbox = plain.sandbox()
    first = int(sandbox.commands.run("echo $PPID").stdout)
    sandbox.commands.run(f"setsid {nap(12)} > /dev/null 2>&1 &")
    assert until(lambda: processes_of(nap(12)))
    os.kill(first, signal.SIGSTOP)
    plain.kill_hard()
    assert processes_of(nap(12))

    plain.start()

    assert not processes_of(nap(12)), plain.log()
    assert "leftovers_ended" in plain.log()
    plain.client.Sandbox.kill(sandbox.sandbox_id)


def test_sandboxes_of_a_stronger_host_live_on_in_a_weaker_one_and_back():
    """What an overlay hid or deleted stays so when there is no overlay, and afterwards."""
    with hosting() as host:
        source = host.sandbox()
        source.commands.run("echo 1 > ~/kept; echo 1 > ~/deleted; mkdir ~/d; echo 1 > ~/d/hidden")
        taken = source.create_snapshot(mode="filesystem")
        sandbox = host.sandbox(template=taken.snapshot_id)
        sandbox.commands.run("rm ~/deleted; rm -r ~/d; mkdir ~/d; echo 2 > ~/d/new")
        host.stop()

        for host.isolation in ("plain", None):
            host.start()
            again = host.client.Sandbox.connect(sandbox.sandbox_id)
            fresh = host.sandbox(template=taken.snapshot_id)
            listing = "cd && touch d/mine && rm d/mine && find . -type f ! -name .profile | sort"
            assert again.commands.run(listing).stdout == "./d/new\n./kept\n"
            assert fresh.commands.run(listing).stdout == "./d/hidden\n./deleted\n./kept\n"
            again.commands.run("git -C ~ init -q d/repository && rm -r ~/d/repository")
            taken = fresh.create_snapshot(mode="filesystem")
            host.stop()


def test_one_state_directory_has_one_host(host: Host):
    second = Host(host.root)

    with pytest.raises(AssertionError, match="another sandbox host runs"):
        second.start()

    second.stop()
