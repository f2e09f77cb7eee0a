"""E2B's sandboxes, as a session's life needs them.

Nothing is kept between calls: functions come and go, and a sandbox's own token comes with each
connection to it.
"""

import hashlib
import math
import shlex
from collections.abc import Mapping
from datetime import timedelta
from typing import Final

import e2b
from e2b import E2B, SandboxQuery

from shared.adapters.e2b_sandboxes.failures import translated
from shared.app.ports.sandboxes import SandboxGone, SandboxInfo, SandboxRefused

_CREATE_SECONDS: Final = 90.0
_RESUME_SECONDS: Final = 60.0
_CHANGE_SECONDS: Final = 30.0
_READ_SECONDS: Final = 15.0

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
    ) -> None:
        # All of it said here: what is left out, the SDK takes from the environment.
        self._client = E2B(
            api_key=api_key,
            domain=domain,
            api_url=api_url or f"https://api.{domain}",
            sandbox_url=sandbox_url or f"https://sandbox.{domain}",
            debug=False,
        )
        self._template = template

    def create(
        self,
        *,
        key: str,
        metadata: Mapping[str, str],
        environment: Mapping[str, str],
        timeout: timedelta,
        snapshot: str | None = None,
    ) -> SandboxInfo:
        with translated("create", creating=True):
            sandbox = self._client.Sandbox.create(
                snapshot or self._template,
                timeout=_seconds(timeout),
                metadata=dict(metadata),
                envs=dict(environment),
                lifecycle={
                    "on_timeout": {"action": "pause", "mode": "filesystem"},
                    "auto_resume": False,
                },
                network={"allow_public_traffic": False},
                idempotency_key=_idempotency_key(key),
                request_timeout=_CREATE_SECONDS,
            )
        return self.info(sandbox.sandbox_id)

    def resume(self, provider_id: str, *, timeout: timedelta) -> SandboxInfo:
        with translated(provider_id):
            self._client.Sandbox.connect(
                provider_id,
                timeout=_seconds(timeout),
                on_resume="reboot",
                request_timeout=_RESUME_SECONDS,
            )
        return self.info(provider_id)

    def pause(self, provider_id: str) -> None:
        with translated(provider_id):
            self._client.Sandbox.pause(
                provider_id, mode="filesystem", request_timeout=_CHANGE_SECONDS
            )

    def kill(self, provider_id: str) -> None:
        with translated(provider_id):
            self._client.Sandbox.kill(provider_id, request_timeout=_CHANGE_SECONDS)

    def find(self, metadata: Mapping[str, str]) -> tuple[SandboxInfo, ...]:
        found: list[SandboxInfo] = []
        with translated("find"):
            pages = self._client.Sandbox.list(
                SandboxQuery(metadata=dict(metadata)), request_timeout=_READ_SECONDS
            )
            while pages.has_next:
                found += map(_info, pages.next_items())
        return tuple(found)

    def info(self, provider_id: str) -> SandboxInfo:
        with translated(provider_id):
            return _info(self._client.Sandbox.get_info(provider_id, request_timeout=_READ_SECONDS))

    def keep_until(self, provider_id: str, timeout: timedelta) -> None:
        try:
            with translated(provider_id):
                self._client.Sandbox.set_timeout(
                    provider_id, _seconds(timeout), request_timeout=_CHANGE_SECONDS
                )
        except SandboxGone:
            # E2B says 404 for a paused one as well.
            self._check_running(provider_id)
            raise

    def write_secret(self, provider_id: str, path: str, content: bytes) -> None:
        sandbox = self._connected(provider_id)
        place = f'"${{OUTBOARD_ROOT:-}}"{shlex.quote(path)}'
        with translated(provider_id):
            # The file is its user's alone before anything is in it, and writing keeps its mode.
            sandbox.commands.run(
                f'install -d -m 700 "$(dirname {place})" && install -m 600 /dev/null {place}',
                timeout=_CHANGE_SECONDS,
            )
            sandbox.files.write(path, content, request_timeout=_CHANGE_SECONDS)

    def start(self, provider_id: str, command: str) -> None:
        sandbox = self._connected(provider_id)
        with translated(provider_id):
            # The time of the request would be the time of the command: it has none.
            sandbox.commands.run(command, background=True, timeout=0).disconnect()

    def _connected(self, provider_id: str) -> e2b.Sandbox:
        """Connecting resumes a paused one, so that is ruled out first, as far as one can."""
        self._check_running(provider_id)
        with translated(provider_id):
            return self._client.Sandbox.connect(
                provider_id,
                timeout=_A_MOMENT,
                on_resume="reboot",
                request_timeout=_RESUME_SECONDS,
            )

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
    )


def _seconds(time: timedelta) -> int:
    return max(1, math.ceil(time.total_seconds()))


def _idempotency_key(key: str) -> str:
    """In the letters that every version of the API takes."""
    return hashlib.sha256(key.encode()).hexdigest()
