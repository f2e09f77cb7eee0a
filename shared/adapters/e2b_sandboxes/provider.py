"""E2B's sandboxes, as a session's life needs them.

Nothing is kept between calls: functions come and go, and a sandbox's own token comes with each
connection to it.
"""

import shlex
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

import e2b
from e2b import E2B, SandboxQuery

from shared.adapters.e2b_sandboxes.asking import (
    Patience,
    idempotency_key,
    seconds,
    sized,
    without_team_and_tag,
)
from shared.adapters.e2b_sandboxes.failures import translated
from shared.app.ports.sandboxes import (
    ANY_SIZE,
    SandboxGone,
    SandboxInfo,
    SandboxRefused,
    SandboxSize,
    SandboxUnavailable,
)

_LOOPBACK: Final = "127.0.0.1"

_A_MOMENT: Final = 1
"""A time that lengthens no sandbox's: connecting to a running one never shortens it."""


class E2BSandboxes:
    def __init__(
        self,
        *,
        api_key: str,
        template: str,
        domain: str = "e2b.app",
        api_url: str | None = None,
        sandbox_url: str | None = None,
        patience: Patience | None = None,
    ) -> None:
        sandbox_url = sandbox_url or f"https://sandbox.{domain}"
        # All of it said here: what is left out, the SDK takes from the environment.
        self._client = E2B(
            api_key=api_key,
            domain=domain,
            api_url=api_url or f"https://api.{domain}",
            sandbox_url=sandbox_url,
            debug=False,
        )
        self._template = template
        self._domain = domain
        self._on_this_machine = urlsplit(sandbox_url).hostname == _LOOPBACK
        self._patience = patience or Patience()

    def create(
        self,
        *,
        key: str,
        metadata: Mapping[str, str],
        environment: Mapping[str, str],
        timeout: timedelta,
        snapshot: str | None = None,
        tunnels: bool = False,
        size: SandboxSize = ANY_SIZE,
    ) -> SandboxInfo:
        template = snapshot or sized(self._template, size)
        gone = f"no snapshot {snapshot!r}" if snapshot else None
        words = f"create from {template!r} (each size is a template of its own)"
        with translated(words, missing=gone):
            sandbox = self._client.Sandbox.create(
                template,
                timeout=seconds(timeout),
                metadata=dict(metadata),
                envs=dict(environment),
                lifecycle={
                    "on_timeout": {"action": "pause", "mode": "filesystem"},
                    "auto_resume": False,
                },
                network={"allow_public_traffic": tunnels},
                idempotency_key=idempotency_key(key),
                request_timeout=self._patience.create,
            )
        return self.info(sandbox.sandbox_id)

    def resume(self, provider_id: str, *, timeout: timedelta) -> SandboxInfo:
        try:
            with translated(provider_id):
                self._client.Sandbox.connect(
                    provider_id,
                    timeout=seconds(timeout),
                    on_resume="reboot",
                    request_timeout=self._patience.resume,
                )
        except SandboxGone as error:
            # A session forgets its files for this: it has to be said twice.
            self.info(provider_id)
            raise SandboxUnavailable(f"{provider_id}: it is there, but not to connect") from error
        return self.info(provider_id)

    def pause(self, provider_id: str) -> None:
        unclear = SandboxUnavailable(f"{provider_id}: something else is done to it")
        try:
            with translated(provider_id):
                if self._client.Sandbox.pause(
                    provider_id, mode="filesystem", request_timeout=self._patience.change
                ):
                    return
        except SandboxUnavailable as error:
            unclear = error
        # Already paused, on its way to anything, or the answer got lost: looking tells.
        if self.info(provider_id).state != "paused":
            raise unclear

    def kill(self, provider_id: str) -> None:
        with translated(provider_id):
            self._client.Sandbox.kill(provider_id, request_timeout=self._patience.change)

    def find(self, metadata: Mapping[str, str]) -> tuple[SandboxInfo, ...]:
        found: list[SandboxInfo] = []
        with translated("find"):
            pages = self._client.Sandbox.list(
                SandboxQuery(metadata=dict(metadata)), request_timeout=self._patience.read
            )
            while pages.has_next:
                found += map(_info, pages.next_items())
        return tuple(found)

    def info(self, provider_id: str) -> SandboxInfo:
        with translated(provider_id):
            return _info(
                self._client.Sandbox.get_info(provider_id, request_timeout=self._patience.read)
            )

    def address(self, provider_id: str, port: int) -> str:
        with translated(provider_id):
            info = self._client.Sandbox.get_info(provider_id, request_timeout=self._patience.read)
        if self._on_this_machine:
            return f"http://{_LOOPBACK}:{port}"  # its sandboxes have the machine's own network
        return f"https://{port}-{provider_id}.{info.sandbox_domain or self._domain}"

    def write_secret(self, provider_id: str, path: str, content: bytes) -> None:
        sandbox = self._connected(provider_id)
        place = f'"${{OUTBOARD_ROOT:-}}"{shlex.quote(path)}'
        with translated(provider_id):
            # The file is its user's alone before anything is in it, and writing keeps its mode.
            sandbox.commands.run(
                f'install -d -m 700 "$(dirname {place})" && install -m 600 /dev/null {place}',
                timeout=self._patience.change,
            )
            sandbox.files.write(path, content, request_timeout=self._patience.change)

    def start(self, provider_id: str, command: str) -> None:
        sandbox = self._connected(provider_id)
        with translated(provider_id):
            # The time of the request would be the time of the command: it has none.
            sandbox.commands.run(command, background=True, timeout=0).disconnect()

    def snapshot(self, provider_id: str, name: str) -> str:
        with self._while_running(provider_id):
            # Repeated, it would take another copy; whoever asked finds out first.
            taken = self._client.Sandbox.create_snapshot(
                provider_id,
                name=name,
                mode="filesystem",
                retries=0,
                request_timeout=self._patience.snapshot,
            )
        return taken.snapshot_id

    def find_snapshot(self, name: str) -> str | None:
        return next((found for its, found in self._named_snapshots(name) if its == name), None)

    def snapshots(self, prefix: str) -> Mapping[str, str]:
        return {name: it for name, it in self._named_snapshots() if name.startswith(prefix)}

    def _named_snapshots(self, name: str | None = None) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        with translated("snapshots"):
            pages = self._client.Sandbox.list_snapshots(
                name=name, request_timeout=self._patience.read
            )
            while pages.has_next:
                for snapshot in pages.next_items():
                    names = map(without_team_and_tag, snapshot.names)
                    found += [(its, snapshot.snapshot_id) for its in names]
        return found

    def forget_snapshot(self, snapshot_id: str) -> None:
        with translated(f"snapshot {snapshot_id!r}"):
            self._client.Sandbox.delete_snapshot(snapshot_id, request_timeout=self._patience.change)

    def _connected(self, provider_id: str) -> e2b.Sandbox:
        """Connecting resumes a paused one, so that is ruled out first, as far as one can."""
        self._check_running(provider_id)
        with translated(provider_id):
            return self._client.Sandbox.connect(
                provider_id,
                timeout=_A_MOMENT,
                on_resume="reboot",
                request_timeout=self._patience.resume,
            )

    @contextmanager
    def _while_running(self, provider_id: str) -> Generator[None]:
        """E2B says 404 for a paused one as well, and one that is on its way to that."""
        try:
            with translated(provider_id):
                yield
        except SandboxGone as error:
            self._check_running(provider_id)
            raise SandboxUnavailable(f"{provider_id}: it was not running for a moment") from error

    def _check_running(self, provider_id: str) -> None:
        if self.info(provider_id).state == "paused":
            raise SandboxRefused(f"sandbox {provider_id!r} is paused")


def _info(info: e2b.SandboxInfo) -> SandboxInfo:
    running = info.state is e2b.SandboxState.RUNNING
    return SandboxInfo(
        provider_id=info.sandbox_id,
        state="running" if running else "paused",
        ends_at=info.end_at if running else None,
        metadata=info.metadata,
        started_at=info.started_at,
    )
