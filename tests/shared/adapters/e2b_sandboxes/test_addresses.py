"""Where ports are reached: at E2B, in a cluster of one's own, and on this machine."""

import json
import socket
from collections.abc import Mapping

import httpx
import pytest

from shared.adapters.e2b_sandboxes.provider import E2BSandboxes
from tests.infra.local.sandbox_host.hosting import Host, until
from tests.shared.adapters.e2b_sandboxes.faults import adapter, create
from tests.shared.adapters.e2b_sandboxes.vendor import serving

_DETAIL: Mapping[str, object] = {
    "sandboxID": "i1",
    "templateID": "outboard",
    "clientID": "c1",
    "envdVersion": "0.6.0",
    "startedAt": "2026-01-02T03:04:05Z",
    "endAt": "2026-01-02T04:04:05Z",
    "state": "running",
    "cpuCount": 2,
    "memoryMB": 4096,
    "diskSizeMB": 10240,
}


def test_at_e2b_a_port_has_a_name_of_its_own():
    with serving(200, json.dumps(_DETAIL).encode()) as url:
        address = E2BSandboxes(api_key="k", template="t", api_url=url).address("i1", 3000)

    assert address == "https://3000-i1.e2b.app"


def test_in_a_cluster_with_its_own_domain_so_has_the_port():
    detail = json.dumps({**_DETAIL, "domain": "cluster.example"}).encode()
    with serving(200, detail) as url:
        address = E2BSandboxes(api_key="k", template="t", api_url=url).address("i1", 3000)

    assert address == "https://3000-i1.cluster.example"


@pytest.mark.sandbox
def test_a_port_of_a_local_sandbox_is_reached_at_its_address_and_is_the_first_ones(
    sandbox_host: Host,
):
    """Local sandboxes share the machine's ports: the second that wants the same one is told so."""
    sandboxes = adapter(sandbox_host)
    first, second = create(sandboxes), create(sandboxes)
    port = _free_port()
    serve = f"cd /workspace && exec python -u -m http.server --bind 127.0.0.1 {port} > log 2>&1"
    sandboxes.start(first.provider_id, f"echo first > /workspace/who; {serve}")
    address = sandboxes.address(first.provider_id, port)
    assert until(lambda: _get(f"{address}/who"))

    sandboxes.start(second.provider_id, f"echo second > /workspace/who; {serve}")

    log = sandbox_host.client.Sandbox.connect(second.provider_id).files
    assert until(lambda: log.exists("/workspace/log") and log.read("/workspace/log"))
    assert until(lambda: "Address already in use" in log.read("/workspace/log"))
    assert _get(f"{address}/who") == b"first\n"
    sandboxes.kill(first.provider_id)
    sandboxes.kill(second.provider_id)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def _get(url: str) -> bytes | None:
    try:
        return httpx.get(url).raise_for_status().content
    except httpx.HTTPError:
        return None
