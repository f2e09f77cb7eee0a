"""The local AWS host for tests: start it, deploy to it, call it, kill it.

    from tests.local_aws import LocalAws

    with LocalAws() as aws:                     # a state directory of its own, gone afterwards
        outputs = aws.deploy(template)          # a dict, or a synthesised assembly: deploy_assembly
        aws.client("dynamodb").get_item(...)

`LocalAws(state=tmp_path)` keeps its state: `kill()` then `start()` is a crash and a restart, on the
same port. Nothing here is used without being asked for.
"""

import ctypes
import json
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlencode

from infra.local.aws import access
from infra.local.deploy import Target, deploy
from infra.local.deploy import stack as stacks
from infra.local.deploy.deployment import local
from tests.eventually import eventually

__all__ = ["LocalAws", "eventually"]

ROOT = Path(__file__).parents[1]


class LocalAws:
    def __init__(
        self,
        state: Path | None = None,
        *,
        port: int = 0,
        socket_idle: timedelta | None = None,
        socket_lifetime: timedelta | None = None,
        checkout: Path | None = ROOT,
    ) -> None:
        self.state = state or Path(tempfile.mkdtemp(prefix="outboard-aws-"))
        self.port = port
        self._temporary = state is None
        self._options = _options(socket_idle, socket_lifetime, checkout)
        self._clients: dict[str, Any] = {}
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        for client in self._clients.values():
            client.close()
        if self._temporary:
            shutil.rmtree(self.state)

    def start(self) -> None:
        """Returns when the host answers; the port stays the same from the first start on."""
        command = [sys.executable, "-m", "infra.local.aws", "--state", str(self.state)]
        self.state.mkdir(parents=True, exist_ok=True)
        with self._host_log.open("a") as log:
            self._process = subprocess.Popen(
                [*command, "--port", str(self.port), *self._options],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                preexec_fn=_die_with_parent,  # noqa: PLW1509 - one prctl, nothing that takes a lock
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line.startswith("outboard aws host listening on "), self.host_log()
        self.port = int(line.rpartition(":")[2])

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """As kill -9 does."""
        self._end(signal.SIGKILL)

    def restart(self) -> None:
        self.kill()
        self.start()

    def wait(self, within: timedelta = timedelta(seconds=10)) -> None:
        """Until the process has ended; raises TimeoutExpired if it does not."""
        if self._process is not None:
            self._process.wait(within.total_seconds())
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None

    def _end(self, number: int) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self.wait()

    @property
    def is_running(self) -> bool:
        return self._process is not None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def key(self) -> access.AccessKey:
        return access.load_or_create(self.state / "access-key.json")

    @property
    def target(self) -> Target:
        return Target(self.endpoint, self.key)

    def client(self, service: str) -> Any:
        """A boto3 client, made once: making one costs 50 ms."""
        if service not in self._clients:
            self._clients[service] = self.target.client(service)
        return self._clients[service]

    def deploy(
        self, template: Mapping[str, Any], stack: str = "Test", **parameters: str
    ) -> dict[str, str]:
        """A template without assets; the stack's outputs."""
        stacks.apply(self.target, stack, template, parameters)
        return local(stacks.outputs(self.target, stack), self.target)

    def deploy_assembly(
        self, assembly: Path, stack: str, *, layers: bool = False, **parameters: str
    ) -> dict[str, str]:
        return deploy(assembly, stack, self.target, parameters=parameters, layers=layers)

    def http_url(self, api: str, path: str = "/", stage: str = "$default") -> str:
        return f"{self.endpoint}/_aws/execute-api/{api}/{stage}{path}"

    def socket_url(self, api: str, stage: str, **query: str) -> str:
        asked = f"?{urlencode(query)}" if query else ""
        return f"ws://127.0.0.1:{self.port}/_aws/execute-api/{api}/{stage}{asked}"

    def connections(self, api: str, stage: str) -> Any:
        """The client for PostToConnection to a deployed WebSocket API."""
        url = f"{self.endpoint}/_aws/execute-api/{api}/{stage}"
        return Target(url, self.key).client("apigatewaymanagementapi")

    def lambda_log(self) -> list[dict[str, Any]]:
        """What the functions printed: an object with `function` for each line."""
        lines = (self.state / "logs" / "lambda.log").read_text().splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]

    def host_log(self) -> str:
        return self._host_log.read_text()

    @property
    def _host_log(self) -> Path:
        return self.state / "host.log"


def _options(
    idle: timedelta | None, lifetime: timedelta | None, checkout: Path | None
) -> list[str]:
    return [
        *(["--socket-idle-seconds", str(idle.total_seconds())] if idle else []),
        *(["--socket-lifetime-seconds", str(lifetime.total_seconds())] if lifetime else []),
        *(["--checkout", str(checkout)] if checkout else []),
    ]


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
