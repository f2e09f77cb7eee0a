"""What the E2B adapter does in a real sandbox, and what it makes of the SDK's failures."""

from uuid import uuid4

import pytest

from shared.app.ports.sandboxes import (
    AccessRefused,
    SandboxGone,
    SandboxLimited,
    SandboxRefused,
    SandboxSize,
    SandboxUnavailable,
)
from tests.infra.local.sandbox_host.hosting import Host, nap, processes_of, until
from tests.shared.adapters.e2b_sandboxes.faults import MINUTE, adapter, create
from tests.shared.adapters.e2b_sandboxes.vendor import answering


@pytest.mark.parametrize(
    ("status", "failure"),
    [
        (400, SandboxRefused),
        (401, AccessRefused),
        (403, AccessRefused),
        (404, SandboxRefused),  # a create's 404 is its template's
        (409, SandboxUnavailable),  # the first request under this key may be under way
        (422, SandboxRefused),
        (429, SandboxLimited),
        (500, SandboxUnavailable),
        (502, SandboxUnavailable),
        (503, SandboxUnavailable),
        (504, SandboxUnavailable),
    ],
)
def test_a_create_fails_for_good_or_for_now(status: int, failure: type[Exception]):
    with (
        answering(status, b'{"code": 1, "message": "no"}') as sandboxes,
        pytest.raises(failure) as raised,
    ):
        create(sandboxes)

    assert type(raised.value) is failure


@pytest.mark.parametrize("page", [b"<html>later</html>", b'{"error": "later"}'])
@pytest.mark.parametrize("status", [201, 500, 503])
def test_a_gateways_page_is_no_answer(status: int, page: bytes):
    with (
        answering(status, page) as sandboxes,
        pytest.raises(SandboxUnavailable),
    ):
        create(sandboxes)


def test_of_a_sandbox_404_means_gone():
    with (
        answering(404, b'{"code": 404, "message": "no"}') as sandboxes,
        pytest.raises(SandboxGone),
    ):
        sandboxes.info("i1")


def test_nobody_listening_is_unavailable():
    with answering(200, b"") as sandboxes:
        pass

    with pytest.raises(SandboxUnavailable):
        sandboxes.info("i1")


@pytest.mark.sandbox
def test_a_wrong_key_is_refused(sandbox_host: Host):
    with pytest.raises(SandboxRefused):
        create(adapter(sandbox_host, api_key="wrong"))


@pytest.mark.sandbox
def test_a_secret_is_a_file_for_its_user_alone(sandbox_host: Host):
    sandboxes = adapter(sandbox_host)
    info = create(sandboxes)

    sandboxes.write_secret(info.provider_id, "/dev/shm/out board/id", b"\x00 secret $(x) '\n")

    sandbox = sandbox_host.client.Sandbox.connect(info.provider_id)
    path = "/dev/shm/out board/id"
    assert sandbox.files.read(path, format="bytes") == b"\x00 secret $(x) '\n"
    assert sandbox.files.get_info(path).permissions == "-rw-------"
    assert sandbox.files.get_info("/dev/shm/out board").permissions == "drwx------"
    sandboxes.kill(info.provider_id)


@pytest.mark.sandbox
def test_a_started_command_goes_on_by_itself(sandbox_host: Host):
    sandboxes = adapter(sandbox_host)
    info = create(sandboxes)

    sandboxes.start(info.provider_id, f"echo $$ > /workspace/pid; exec {nap(21)}")

    assert until(lambda: processes_of(nap(21)))
    sandbox = sandbox_host.client.Sandbox.connect(info.provider_id)
    assert int(sandbox.files.read("/workspace/pid")) in [one.pid for one in sandbox.commands.list()]
    sandboxes.kill(info.provider_id)
    assert not processes_of(nap(21))


@pytest.mark.sandbox
def test_a_sandbox_of_a_size_is_a_template_of_its_own(sandbox_host: Host):
    sandboxes = adapter(sandbox_host)
    size = SandboxSize(cpu_cores=1, memory_mib=512)

    info = sandboxes.create(
        key=str(uuid4()), metadata={}, environment={}, timeout=MINUTE, size=size
    )

    template = sandbox_host.client.Sandbox.get_info(info.provider_id).template_id
    assert template == "outboard-1cpu-512mib"
    sandboxes.kill(info.provider_id)


@pytest.mark.sandbox
@pytest.mark.parametrize("tunnels", [False, True])
def test_only_tunnels_make_a_sandbox_public(sandbox_host: Host, *, tunnels: bool):
    sandboxes = adapter(sandbox_host)

    info = sandboxes.create(
        key=str(uuid4()), metadata={}, environment={}, timeout=MINUTE, tunnels=tunnels
    )

    network = sandbox_host.client.Sandbox.get_info(info.provider_id).network
    assert network == {"allow_public_traffic": tunnels}
    sandboxes.kill(info.provider_id)


@pytest.mark.sandbox
def test_a_snapshot_has_the_files_of_its_moment(sandbox_host: Host):
    sandboxes, client = adapter(sandbox_host), sandbox_host.client.Sandbox
    source = create(sandboxes)
    files = client.connect(source.provider_id).files
    files.write("/workspace/f", "then")
    sandboxes.write_secret(source.provider_id, "/dev/shm/outboard/identity", b"secret")

    snapshot = sandboxes.snapshot(source.provider_id, "moment")

    files.write("/workspace/f", "now")
    copy = sandboxes.create(
        key=str(uuid4()), metadata={}, environment={}, timeout=MINUTE, snapshot=snapshot
    )
    restored = client.connect(copy.provider_id).files
    assert restored.read("/workspace/f") == "then"
    assert not restored.exists("/dev/shm/outboard")
    for one in (source, copy):
        sandboxes.kill(one.provider_id)
    sandboxes.forget_snapshot(snapshot)
