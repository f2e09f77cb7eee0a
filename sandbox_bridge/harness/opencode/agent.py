"""The OpenCode server of this sandbox: prepared, kept running, told apart from its tools."""

import json
import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sandbox_bridge.harness.family import Family, Process, end
from sandbox_bridge.harness.model_access import ModelAccess
from sandbox_bridge.harness.opencode import config
from sandbox_bridge.harness.opencode.api import Api, Unreachable
from sandbox_bridge.harness.opencode.gate import GateDoor
from sandbox_bridge.harness.opencode.limits import Limits
from sandbox_bridge.harness.opencode.prefill import hide, prefill
from sandbox_bridge.harness.opencode.pristine import pristine
from sandbox_bridge.harness.opencode.server import Server, launch
from sandbox_bridge.harness.opencode.silence import silence
from sandbox_bridge.harness.seam import HarnessFailed
from sandbox_bridge.redaction import Redactor

_PLUGIN: Final = Path(__file__).resolve().with_name("plugin.js")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Setting:
    """Where the agent lives. `binary` is where npm put it: what its plugins need lies beside it."""

    workdir: Path
    home: Path
    state_dir: Path
    binary: Path
    models: ModelAccess
    environment: Mapping[str, str]


class Agent:
    def __init__(
        self,
        setting: Setting,
        *,
        door: GateDoor,
        redact: Redactor,
        reaper: int | None,
        limits: Limits,
    ) -> None:
        self._setting = setting
        self._redact = redact
        self._config = setting.state_dir / "opencode.json"
        self._door = door
        self._family = Family(mark=str(setting.state_dir), reaper=reaper)
        self._limits = limits
        self._running: tuple[Server, Api] | None = None

    async def running(self) -> tuple[Server, Api]:
        """The server, started again when it has ended. Raises HarnessFailed."""
        if self._running is None or self._running[0].has_ended:
            if self._running:
                _log.error("opencode_ended", extra={"words": self._running[0].last_words})
            # A bridge that was killed leaves its agent behind, on the same database.
            await self.end_everything()
            with pristine(self._setting.workdir):
                self._running = await self._start()
                await self._warm_up(self._running[1])
        return self._running

    def tools(self) -> frozenset[Process]:
        """What its tools started: each in a session of its own, unlike the server's helpers."""
        own = self._running[0].pid if self._running else None
        return frozenset(process for process in self._family.members() if process.session != own)

    async def end_tools(self, spared: frozenset[Process]) -> bool:
        return await end(self.tools, spared, self._limits.tools)

    async def end_everything(self) -> None:
        """The server and all that it ever started; the orphans of others are none of ours."""
        await self.kill()
        await end(Family(self._family.mark).members, frozenset(), self._limits.tools)

    async def kill(self) -> None:
        if self._running is None:
            return
        (server, api), self._running = self._running, None
        await server.kill()
        await api.close()

    async def _start(self) -> tuple[Server, Api]:
        self._prepare()
        password = secrets.token_urlsafe(24)
        environment = await self._environment(password)
        server = await launch(self._binary, self._setting.workdir, environment, self._redact)
        await server.listen(self._limits.start)
        _log.info("opencode_listening", extra={"pid": server.pid})
        return server, Api(server.url, password, str(self._setting.workdir))

    async def _warm_up(self, api: Api) -> None:
        """The first question makes it load what it needs: no prompt should wait for that."""
        try:
            await api.load()
        except Unreachable as error:
            await self.kill()
            raise HarnessFailed(f"opencode did not come up: {error}") from error

    async def _environment(self, password: str) -> dict[str, str]:
        setting = self._setting
        ours = {**self._family.environment, **await self._door.open()}
        return config.environment(
            {**setting.environment, **ours},
            setting.models,
            home=setting.home,
            config=self._config,
            password=password,
        )

    def _prepare(self) -> None:
        models = self._setting.models
        if not models.providers:
            raise HarnessFailed("no model can be reached: no key of a provider is set")
        self._config.parent.mkdir(parents=True, exist_ok=True)
        self._config.write_text(json.dumps(config.configuration(models, _PLUGIN)))
        silence(self.memory)
        in_checkout = self._setting.workdir / ".opencode"
        for folder in self._config_folders(in_checkout):
            if not prefill(folder, self._packages):
                _log.info("opencode_packages_from_npm", extra={"folder": str(folder)})
        if in_checkout.is_dir():
            hide(in_checkout)

    def _config_folders(self, in_checkout: Path) -> list[Path]:
        """Its own, and those that it would find."""
        own = self._in_xdg("XDG_CONFIG_HOME", ".config")
        others = (self._setting.home / ".opencode", in_checkout)
        return [own, *(folder for folder in others if folder.is_dir())]

    @property
    def memory(self) -> Path:
        """Its database, and what else outlives the sandbox's attempts."""
        return self._in_xdg("XDG_DATA_HOME", ".local/share")

    def _in_xdg(self, variable: str, otherwise: str) -> Path:
        given = self._setting.environment.get(variable)
        return (Path(given) if given else self._setting.home / otherwise) / "opencode"

    @property
    def _binary(self) -> Path:
        return self._setting.binary.resolve()

    @property
    def _packages(self) -> Path:
        packages = self._binary.parent.parent.parent
        if packages.name != "node_modules":
            raise HarnessFailed(f"opencode is not in a node_modules folder: {self._binary}")
        return packages
