"""Requests of the SDK at which something happens, and the calls that make them."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

from shared.adapters.e2b_sandboxes.asking import Patience
from shared.adapters.e2b_sandboxes.provider import E2BSandboxes
from shared.app.ports.sandboxes import SandboxInfo
from tests.infra.local.sandbox_host.failing import Fault
from tests.infra.local.sandbox_host.hosting import API_KEY, Host

MINUTE = timedelta(minutes=1)
AT_ONCE = {"Should-Retry": "false"}

CREATE = Fault(method="POST", path="/v2/sandboxes", what="answer", headers=AT_ONCE)
RESUME = replace(CREATE, path="/v2/sandboxes/[^/]+/connect")
PAUSE = replace(CREATE, path="/sandboxes/[^/]+/pause")
SNAPSHOT = replace(CREATE, path="/sandboxes/[^/]+/snapshots")
READ = replace(CREATE, path="/sandboxes/[^/]+", method="GET")
KILL = replace(CREATE, path="/sandboxes/[^/]+", method="DELETE")
LIST = replace(CREATE, path="/v2/sandboxes", method="GET")
SNAPSHOTS = replace(CREATE, path="/snapshots", method="GET")
FORGET = replace(CREATE, path="/templates/.+", method="DELETE")


def adapter(
    host: Host, patience: Patience | None = None, *, api_key: str = API_KEY
) -> E2BSandboxes:
    return E2BSandboxes(
        api_key=api_key,
        template="outboard",
        api_url=host.url,
        sandbox_url=host.url,
        patience=patience,
    )


def create(sandboxes: E2BSandboxes, key: str | None = None) -> SandboxInfo:
    key = key or str(uuid4())
    return sandboxes.create(key=key, metadata={"key": key}, environment={}, timeout=MINUTE)


def do(sandboxes: E2BSandboxes, fault: Fault, info: SandboxInfo) -> object:
    """What meets the fault."""
    calls: dict[str, Callable[[], object]] = {
        CREATE.name: lambda: create(sandboxes),
        RESUME.name: lambda: sandboxes.resume(info.provider_id, timeout=MINUTE),
        PAUSE.name: lambda: sandboxes.pause(info.provider_id),
        SNAPSHOT.name: lambda: sandboxes.snapshot(info.provider_id, "any"),
        KILL.name: lambda: sandboxes.kill(info.provider_id),
        LIST.name: lambda: sandboxes.find({}),
        SNAPSHOTS.name: lambda: sandboxes.find_snapshot("any"),
        READ.name: lambda: sandboxes.info(info.provider_id),
    }
    return calls[fault.name]()
