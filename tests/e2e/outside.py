"""What reaches a machine from outside: through its provider, its owner's `kill`, or AWS."""

import json
import os
import signal
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from infra import names
from infra.local import deploy
from infra.local.aws import access
from infra.local.sandbox_host.machine import MARK
from shared.settings import Settings
from tests.e2e.loopback import ask
from tests.e2e.machine import Machine, children


class Provider:
    """The sandboxes as whoever owns the provider's key sees them."""

    def __init__(self, machine: Machine) -> None:
        self._url = f"http://127.0.0.1:{machine.port + 1}"
        self._headers = {"x-api-key": (machine.state / "sandboxes.key").read_text()}

    def __call__(self, method: str, path: str, body: object = None) -> Any:
        answer = ask(method, f"{self._url}{path}", headers=self._headers, body=body)
        answer.raise_for_status()
        return answer.json() if answer.content else None

    def all(self) -> list[dict[str, Any]]:
        return self("GET", "/v2/sandboxes")

    def of(self, session: str) -> list[dict[str, Any]]:
        return [each for each in self.all() if _made_for(each) == session]

    def only(self, session: str) -> str:
        (found,) = self.of(session)
        return found["sandboxID"]

    def state(self, sandbox: str) -> str:
        return self("GET", f"/sandboxes/{sandbox}")["state"]

    def metadata(self, sandbox: str) -> dict[str, str]:
        return self("GET", f"/sandboxes/{sandbox}")["metadata"]

    def create(self, metadata: dict[str, str]) -> str:
        asked = {
            "templateID": Settings().sandbox_template,
            "metadata": metadata,
            "autoPause": True,
            "autoPauseMemory": False,
        }
        return self("POST", "/v2/sandboxes", asked)["sandboxID"]

    def resume(self, sandbox: str) -> None:
        self("POST", f"/v2/sandboxes/{sandbox}/connect", {})

    def kill(self, sandbox: str) -> None:
        self("DELETE", f"/sandboxes/{sandbox}")

    def forget_copies(self, session: str) -> None:
        copies = [each["snapshotID"] for each in self("GET", "/snapshots")]
        for copy in (each for each in copies if session in each):
            self("DELETE", f"/templates/{copy}")


def _made_for(sandbox: dict[str, Any]) -> str | None:
    return sandbox["metadata"].get("outboard-session")


def invoke(machine: Machine, function: str) -> dict[str, Any]:
    """Call one of the deployed functions, as a schedule would."""
    key = access.load_or_create(machine.state / "aws.key")
    target = deploy.Target(f"http://127.0.0.1:{machine.port}", key)
    _, deployed = target.ask("GET", f"deployments/{names.STACK}")
    name = deployed["outputs"][names.function_output(function)]
    answer = json.loads(target.client("lambda").invoke(FunctionName=name)["Payload"].read())
    assert "errorType" not in answer, answer
    return answer


def bridges(sandbox: str) -> list[int]:
    """The bridge inside a sandbox, without its supervisor."""
    return [pid for pid in _inside(sandbox) if b"sandbox_bridge.bridge" in _command(pid)]


def _inside(sandbox: str) -> list[int]:
    found = (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())
    return [pid for pid in found if _is_marked(pid, sandbox)]


def _is_marked(pid: int, sandbox: str) -> bool:
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False
    mark, end = f"{MARK}=".encode(), f".{sandbox}".encode()
    return any(entry.startswith(mark) and entry.endswith(end) for entry in environment)


@contextmanager
def frozen(machine: Machine, program: str) -> Generator[None]:
    """One of the machine's programs does not answer meanwhile, as one that is far away may not."""
    assert machine.process is not None
    programs = children(machine.process.pid)
    (pid,) = (pid for pid in programs if f"infra.local.{program}".encode() in _command(pid))
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
