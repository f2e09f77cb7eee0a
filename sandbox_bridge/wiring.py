"""The composition root: the one place where the parts of a bridge meet the clock and chance."""

import os
import random
import shutil
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sandbox_bridge.boot.boot import Boot, path_of
from sandbox_bridge.boot.gate import BootGate
from sandbox_bridge.boot.hooks import Hooks
from sandbox_bridge.boot.record import BootRecord
from sandbox_bridge.boot.report import Report
from sandbox_bridge.boot.sync import Sync
from sandbox_bridge.boot.tunnels import Tunnels
from sandbox_bridge.changes.reporter import Desk, Reporter
from sandbox_bridge.changes.seam import Comparing, NoComparing
from sandbox_bridge.credentials.asking import Server
from sandbox_bridge.credentials.broker import Broker
from sandbox_bridge.credentials.door import Door
from sandbox_bridge.credentials.git_config import with_broker
from sandbox_bridge.environment import for_session
from sandbox_bridge.files.screenshots import Screenshots
from sandbox_bridge.files.server import Files
from sandbox_bridge.git.checkout import Checkout
from sandbox_bridge.git.command import Git
from sandbox_bridge.harness.model_access import ModelAccess
from sandbox_bridge.harness.opencode.harness import OpenCode
from sandbox_bridge.harness.seam import Emit, Harness, OpenGate, WriteGate
from sandbox_bridge.paths import Paths
from sandbox_bridge.redaction import Redactor
from sandbox_bridge.redaction.events import Discreet
from sandbox_bridge.turns.marker import Marker
from sandbox_bridge.turns.pull_requests import PullRequests
from sandbox_bridge.turns.record import Records
from sandbox_bridge.turns.runner import Surroundings, Turns
from sandbox_bridge.wire.conversation import Conversation
from sandbox_bridge.wire.dialing import dial
from sandbox_bridge.wire.encoding import Said
from sandbox_bridge.wire.line import Line, Times
from sandbox_bridge.wire.outbox import Outbox
from sandbox_bridge.wire.reconnect import Backoff, rollover
from shared.protocol.bridge import Identity


@dataclass(frozen=True, slots=True)
class Setting:
    """What a harness is built for."""

    identity: Identity
    paths: Paths
    environment: Mapping[str, str]
    gate: WriteGate
    files: Files
    pull_requests: PullRequests
    redact: Redactor

    @property
    def workdir(self) -> Path:
        """The repository, or the directory of all of them when there are several."""
        names = [repository.name for repository in self.identity.repositories]
        return self.paths.workspace / names[0] if len(names) == 1 else self.paths.workspace


type BuildHarness = Callable[[Setting], Harness]


def build_harness(setting: Setting) -> Harness:
    return OpenCode(
        workdir=setting.workdir,
        home=setting.paths.home,
        state_dir=setting.paths.state / "opencode",
        binary=setting.paths.template / "bin/opencode",
        models=ModelAccess.of(setting.environment),
        environment=setting.environment,
        gate=setting.gate,
        hand_in=_screenshots(setting) if setting.files.exist else None,
        open_pull_request=setting.pull_requests if setting.pull_requests.possible else None,
        redact=setting.redact,
        reaper=os.getppid(),  # the supervisor, who adopts orphans
    )


def _screenshots(setting: Setting) -> Screenshots:
    return Screenshots(setting.files, setting.workdir, setting.redact)


@dataclass(frozen=True, slots=True)
class Bridge:
    """Whatever is said of the session goes through `emit`, not to the line itself."""

    line: Line
    emit: Emit
    redact: Redactor
    boot: Boot
    turns: Turns
    harness: Harness
    gate: BootGate
    changes: Comparing
    credentials: AbstractAsyncContextManager[None] = field(default_factory=nullcontext[None])
    """Of git, while it is entered."""


def compose(
    identity: Identity,
    paths: Paths,
    own: Mapping[str, str],
    build: BuildHarness,
    redact: Redactor,
) -> Bridge:
    attempt = f"{identity.session}.{identity.attempt}"
    _forget_others(paths.runtime / "turns", attempt)
    _forget_others(paths.runtime / "boot", attempt)
    environment = for_session(own, identity.environment, paths)
    environment, credentials = _brokered(identity, paths, environment, redact)
    checkouts = _checkouts(identity, paths, Git(paths.workspace, environment, redact))
    gate, files = BootGate(), Files(identity)
    pull_requests = PullRequests(files, checkouts, redact)
    writes = _gate_for_writes(identity, gate)
    setting = Setting(identity, paths, environment, writes, files, pull_requests, redact)
    harness = build(setting)
    marker = Marker(paths.marker, identity.session)
    line, in_flight = _line(identity, paths, marker)
    changes = _comparing(files, line, checkouts, gate, marker)
    around = Surroundings(
        session=identity.session,
        harness=harness,
        checkouts=checkouts,
        emit=Discreet(line.emit, redact),
        redact=redact,
        fetch=line.prompt,
        fetch_files=files.fetch,
        pull_requests=pull_requests,
        marker=marker,
        gate=gate,
        changes=changes,
    )
    turns = Turns(around, Records(paths.runtime / "turns" / attempt), in_flight)
    boot = _boot(setting, around)
    return Bridge(line, around.emit, redact, boot, turns, harness, gate, changes, credentials)


def _brokered(
    identity: Identity, paths: Paths, environment: Mapping[str, str], redact: Redactor
) -> tuple[Mapping[str, str], AbstractAsyncContextManager[None]]:
    """The environment in which git knows whom to ask, and who answers."""
    if not identity.api_url:  # an older server
        return environment, nullcontext()
    urls = [repository.url for repository in identity.repositories]
    broker = Broker(Server(identity), urls, _now, learn=redact.learn)
    door = Door(broker, paths.runtime)
    return with_broker(environment, urls, paths.runtime), door.opened()


def _now() -> datetime:
    return datetime.fromtimestamp(time.time(), UTC)


def _boot(setting: Setting, around: Surroundings) -> Boot:
    identity, paths = setting.identity, setting.paths
    record = BootRecord(paths.runtime / "boot", identity.session, identity.attempt)
    report = Report(around.emit, time.monotonic, around.redact)
    return Boot(
        pairs=list(zip(around.checkouts, identity.repositories, strict=True)),
        directories=(paths.workspace, paths.home, paths.state),
        sync=Sync(path_of(identity), record),
        hooks=Hooks(
            path=path_of(identity),
            checkouts=around.checkouts,
            environment=setting.environment,
            redact=around.redact,
            record=record,
            report=report,
            tunnels=_tunnels(identity, paths),
        ),
        harness=around.harness,
        gate=around.gate,
        record=record,
        report=report,
    )


def _comparing(
    files: Files, line: Line, checkouts: Sequence[Checkout], gate: BootGate, marker: Marker
) -> Comparing:
    if not files.exist:
        return NoComparing()
    return Reporter(
        Desk(
            checkouts=checkouts,
            gate=gate,
            emit=line.emit,
            hand_in=files.hand_in_changes,
            prompt=lambda: marker.prompt,
            now=lambda: datetime.now(UTC),
        )
    )


def _tunnels(identity: Identity, paths: Paths) -> Tunnels:
    return Tunnels(
        workspace=paths.workspace,
        sandbox=identity.sandbox_id,
        ports=identity.tunnel_ports,
        urls=identity.tunnels,
    )


def _gate_for_writes(identity: Identity, gate: BootGate) -> WriteGate:
    """The agent of a fresh boot takes no turn before all of it is over."""
    return OpenGate() if path_of(identity) == "fresh" else gate


def _line(identity: Identity, paths: Paths, marker: Marker) -> tuple[Line, list[Said]]:
    """And the events that an earlier bridge of this attempt still had in flight."""
    outbox = Outbox(paths.runtime / "outbox", identity.session, identity.attempt)
    frame = outbox.open()
    conversation = Conversation(
        heartbeat=timedelta(seconds=identity.heartbeat_seconds),
        new_id=lambda: uuid.uuid4().hex,
        frame=frame,
        marker=lambda: marker.prompt,
    )
    uniform = random.SystemRandom().uniform
    times = Times(time.monotonic, Backoff(uniform), lambda: rollover(uniform))
    return Line(conversation, outbox, dial(identity), times), frame.events if frame else []


def _checkouts(identity: Identity, paths: Paths, git: Git) -> list[Checkout]:
    return [
        Checkout(
            repository.name,
            repository.url,
            identity.session_branch,
            git.within(paths.workspace / repository.name),
        )
        for repository in identity.repositories
    ]


def _forget_others(directory: Path, attempt: str) -> None:
    for entry in directory.glob("*"):
        if entry.name != attempt:
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
