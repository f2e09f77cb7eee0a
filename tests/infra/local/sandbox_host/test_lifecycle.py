"""The life of a sandbox as the unmodified SDK sees it: created, found, paused, resumed, killed."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from e2b import (
    Sandbox,
    SandboxException,
    SandboxInfo,
    SandboxNotFoundException,
    SandboxNotRunningException,
    SandboxQuery,
    SandboxState,
)

from tests.infra.local.sandbox_host.hosting import FILES_ONLY, Host, nap, processes_of, until

pytestmark = pytest.mark.sandbox


def test_a_sandbox_is_what_it_was_asked_to_be(host: Host):
    before = datetime.now(UTC)
    sandbox = host.sandbox(metadata={"session": "s1"}, timeout=90)

    info = sandbox.get_info()

    assert info.metadata == {"session": "s1"}
    assert (info.template_id, info.state) == ("outboard", SandboxState.RUNNING)
    assert info.lifecycle == {"on_timeout": "pause", "auto_resume": False}
    assert timedelta(seconds=89) < info.end_at - before < timedelta(seconds=100)
    assert sandbox.is_running()
    sandbox.kill()


def test_a_repeated_request_creates_nothing_new(host: Host):
    key = str(uuid4())
    first = host.sandbox(idempotency_key=key, metadata={"n": "1"})

    again = host.sandbox(idempotency_key=key, metadata={"n": "1"})

    assert again.sandbox_id == first.sandbox_id
    assert again.commands.run("echo usable").stdout == "usable\n"
    first.kill()


def test_requests_with_one_key_at_once_create_one_sandbox(host: Host):
    key = str(uuid4())

    with ThreadPoolExecutor(8) as pool:
        created = list(pool.map(lambda _: host.sandbox(idempotency_key=key), range(8)))

    assert len({sandbox.sandbox_id for sandbox in created}) == 1
    created[0].kill()


def test_many_sandboxes_are_created_at_once(host: Host):
    with ThreadPoolExecutor(8) as pool:
        created = list(pool.map(lambda _: host.sandbox(), range(8)))
        said = list(pool.map(lambda sandbox: sandbox.commands.run("hostname").stdout, created))
        list(pool.map(lambda sandbox: sandbox.kill(), created))

    assert said == ["sandbox\n"] * 8


def test_a_key_used_for_another_request_is_refused(host: Host):
    key = str(uuid4())
    sandbox = host.sandbox(idempotency_key=key, metadata={"n": "1"})

    with pytest.raises(SandboxException) as refused:
        host.sandbox(idempotency_key=key, metadata={"n": "2"})

    assert refused.value.status_code == 409
    sandbox.kill()


def test_a_killed_sandbox_is_not_created_again_by_a_late_repetition(host: Host):
    key = str(uuid4())
    sandbox = host.sandbox(idempotency_key=key)
    sandbox.kill()

    late = host.sandbox(idempotency_key=key)

    assert late.sandbox_id == sandbox.sandbox_id
    assert not late.is_running()


def test_sandboxes_are_found_by_metadata_and_state(host: Host):
    session = str(uuid4())
    running = host.sandbox(metadata={"session": session, "odd": "a=b&c %41/ü"})
    paused = host.sandbox(metadata={"session": session})
    paused.pause(mode="filesystem")

    def found(**query: object) -> set[str]:
        listed = host.client.Sandbox.list(query=SandboxQuery(**query))  # pyright: ignore[reportArgumentType]
        return {info.sandbox_id for info in listed.next_items()}

    assert found(metadata={"session": session}) == {running.sandbox_id, paused.sandbox_id}
    assert found(metadata={"odd": "a=b&c %41/ü"}) == {running.sandbox_id}
    assert found(metadata={"session": session}, state=[SandboxState.PAUSED]) == {paused.sandbox_id}
    assert found(metadata={"session": "another"}) == set()
    running.kill()
    paused.kill()


def test_a_list_comes_in_pages(host: Host):
    session = str(uuid4())
    sandboxes = [host.sandbox(metadata={"session": session}) for _ in range(3)]
    pages = host.client.Sandbox.list(SandboxQuery(metadata={"session": session}), limit=2)

    listed: list[list[SandboxInfo]] = []
    while pages.has_next:
        listed.append(pages.next_items())

    assert [len(page) for page in listed] == [2, 1]
    newest_first = [info.sandbox_id for page in listed for info in page]
    assert newest_first == [sandbox.sandbox_id for sandbox in reversed(sandboxes)]
    for sandbox in sandboxes:
        sandbox.kill()


def test_a_pause_keeps_files_and_nothing_else(host: Host):
    sandbox = host.sandbox(envs={"GIVEN": "once"})
    sandbox.commands.run(
        "echo kept > /workspace/kept; echo kept > ~/kept; touch /tmp/lost /dev/shm/lost;"
        f"setsid {nap(4)} > /dev/null 2>&1 &"
    )
    assert until(lambda: processes_of(nap(4)))

    assert sandbox.pause(mode="filesystem")

    assert not processes_of(nap(4))
    assert not sandbox.pause(mode="filesystem")
    assert not sandbox.is_running()
    assert sandbox.get_info().state is SandboxState.PAUSED

    resumed = host.client.Sandbox.connect(sandbox.sandbox_id, on_resume="reboot")

    assert resumed.commands.run("cat /workspace/kept ~/kept").stdout == "kept\nkept\n"
    assert resumed.commands.run("ls /tmp /dev/shm").stdout == "/dev/shm:\n\n/tmp:\n"
    assert resumed.commands.run("echo $GIVEN").stdout == "once\n"
    resumed.kill()


def test_connecting_to_a_running_sandbox_boots_nothing_and_never_shortens_its_time(host: Host):
    sandbox = host.sandbox(timeout=300)
    command = sandbox.commands.run(nap(5), background=True, timeout=0)
    end = sandbox.get_info().end_at

    same = host.client.Sandbox.connect(sandbox.sandbox_id, timeout=10, on_resume="reboot")

    assert same.get_info().end_at == end
    assert command.pid in [one.pid for one in same.commands.list()]
    host.client.Sandbox.connect(sandbox.sandbox_id, timeout=900)
    assert sandbox.get_info().end_at > end
    sandbox.kill()


def test_nothing_runs_in_a_paused_sandbox(host: Host):
    sandbox = host.sandbox()
    sandbox.pause(mode="filesystem")

    with pytest.raises(SandboxNotRunningException):
        sandbox.commands.run("true")
    with pytest.raises(SandboxNotRunningException):
        sandbox.files.read("/home/user/.profile")
    with pytest.raises(SandboxNotFoundException):
        sandbox.set_timeout(60)

    sandbox.kill()


def test_a_command_under_way_hears_of_the_pause(host: Host):
    sandbox = host.sandbox()
    command = sandbox.commands.run(nap(6), background=True, timeout=0)

    sandbox.pause(mode="filesystem")

    with pytest.raises(SandboxNotRunningException):
        command.wait()
    sandbox.kill()


def test_a_sandbox_whose_time_is_up_is_paused(host: Host):
    sandbox = host.sandbox(timeout=60)
    sandbox.files.write("/workspace/kept", "kept")

    sandbox.set_timeout(1)

    assert until(lambda: sandbox.get_info().state is SandboxState.PAUSED)
    resumed = host.client.Sandbox.connect(sandbox.sandbox_id)
    assert resumed.files.read("/workspace/kept") == "kept"
    resumed.kill()


def test_a_sandbox_whose_time_is_up_is_killed_where_it_was_made_so(host: Host):
    sandbox = host.sandbox(timeout=1, lifecycle={"on_timeout": "kill"})

    assert until(lambda: sandbox.sandbox_id not in _all(host))


def test_killing_what_is_gone_says_so(host: Host):
    sandbox = host.sandbox()

    assert sandbox.kill()

    assert not sandbox.kill()
    with pytest.raises(SandboxNotFoundException):
        sandbox.get_info()
    with pytest.raises(SandboxNotFoundException):
        host.client.Sandbox.connect(sandbox.sandbox_id)


def test_a_sandbox_ended_from_inside_is_as_after_a_pause(host: Host):
    sandbox = host.sandbox()
    sandbox.files.write("/workspace/kept", "kept")

    sandbox.commands.run("nohup sh -c 'sleep 0.1; kill -TERM 1' > /dev/null 2>&1 &")

    assert until(lambda: sandbox.get_info().state is SandboxState.PAUSED)
    resumed = host.client.Sandbox.connect(sandbox.sandbox_id)
    assert resumed.files.read("/workspace/kept") == "kept"
    resumed.kill()


def _all(host: Host) -> set[str]:
    return {info.sandbox_id for info in host.client.Sandbox.list().next_items()}


def test_a_snapshot_is_a_place_to_begin_from(host: Host):
    source = host.sandbox()
    source.commands.run(
        "mkdir -p /workspace/d; echo old > /workspace/d/f; echo gone > /workspace/g"
    )

    taken = source.create_snapshot(mode="filesystem")

    source.commands.run("echo new > /workspace/d/f")
    copy = host.sandbox(template=taken.snapshot_id)
    assert copy.files.read("/workspace/d/f") == "old\n"
    assert [one.snapshot_id for one in source.list_snapshots().next_items()] == [taken.snapshot_id]
    source.kill()
    copy.kill()
    host.client.Sandbox.delete_snapshot(taken.snapshot_id)


def test_what_was_deleted_since_a_snapshot_is_missing_in_the_next(host: Host):
    source = host.sandbox()
    source.commands.run("mkdir -p /workspace/d; echo 1 > /workspace/d/f; echo 1 > /workspace/g")
    first = source.create_snapshot(mode="filesystem")
    middle = host.sandbox(template=first.snapshot_id)
    middle.commands.run(
        "rm -r /workspace/d; rm /workspace/g; mkdir /workspace/d; echo 2 > /workspace/d/h"
    )

    second = middle.create_snapshot(mode="filesystem")

    last = host.sandbox(template=second.snapshot_id)
    assert last.commands.run("cd /workspace; find . -type f").stdout == "./d/h\n"
    for sandbox in (source, middle, last):
        sandbox.kill()
    for taken in (first, second):
        host.client.Sandbox.delete_snapshot(taken.snapshot_id)


def test_processes_go_on_after_a_snapshot(host: Host):
    source = host.sandbox()
    command = source.commands.run("while sleep 0.01; do echo tick; done", background=True)

    taken = source.create_snapshot(mode="filesystem")

    ticks = (out for out, _, _ in command)
    assert next(ticks)
    command.kill()
    host.client.Sandbox.delete_snapshot(taken.snapshot_id)
    source.kill()


def test_a_deleted_snapshot_is_no_template_but_its_sandboxes_go_on(host: Host):
    source = host.sandbox()
    source.files.write("/workspace/f", "kept")
    taken = source.create_snapshot(mode="filesystem")
    copy = host.sandbox(template=taken.snapshot_id)

    assert host.client.Sandbox.delete_snapshot(taken.snapshot_id)

    assert not host.client.Sandbox.delete_snapshot(taken.snapshot_id)
    with pytest.raises(SandboxException, match="404"):
        host.sandbox(template=taken.snapshot_id)
    copy.pause(mode="filesystem")
    assert copy.connect().files.read("/workspace/f") == "kept"
    source.kill()
    copy.kill()


def test_the_unqualified_sandbox_keeps_files_only(host: Host):
    with pytest.raises(SandboxException, match="files, not memory"):
        host.client.Sandbox.create("outboard", lifecycle={"on_timeout": "pause"})
    sandbox = host.sandbox()
    with pytest.raises(SandboxException, match="files, not memory"):
        sandbox.pause()
    with pytest.raises(SandboxException, match="files, not memory"):
        sandbox.create_snapshot()
    sandbox.kill()


def test_what_is_written_is_there_for_the_class_methods_too(host: Host):
    sandbox = Sandbox.create(
        "outboard", api_key="key-of-the-tests", api_url=host.url, sandbox_url=host.url, **FILES_ONLY
    )

    assert Sandbox.kill(sandbox.sandbox_id, api_key="key-of-the-tests", api_url=host.url)
