"""Which sandboxes and snapshots there are: the state directory, and the same in memory."""

import os
import re
from collections.abc import Callable, Iterable

from infra.local.sandbox_host.records import Ended, Sandbox, Snapshot, unreferenced
from infra.local.sandbox_host.refusals import Malformed, NotFound
from infra.local.sandbox_host.store import Store

_TEMPLATE = re.compile(
    r"(?:base|outboard)(?:-(?P<cores>[0-9]+)cpu)?(?:-(?P<mebibytes>[0-9]+)mib)?(?::[^:]*)?"
)
"""Each size is a template of its own. Here all are the same files: sandboxes share the machine."""


class Catalogue:
    def __init__(self, store: Store) -> None:
        store.discard_leftovers()
        self._store = store
        self._sandboxes = {sandbox.id: sandbox for sandbox in store.sandboxes()}
        self._snapshots = {snapshot.id: snapshot for snapshot in store.snapshots()}
        self._ended = {ended.key: ended for ended in store.ended()}

    @property
    def sandboxes(self) -> Iterable[Sandbox]:
        return self._sandboxes.values()

    @property
    def snapshots(self) -> Iterable[Snapshot]:
        return self._snapshots.values()

    def sandbox(self, sandbox_id: str) -> Sandbox:
        if sandbox_id not in self._sandboxes:
            raise NotFound(f"sandbox {sandbox_id!r} not found")
        return self._sandboxes[sandbox_id]

    def created_under(self, key: str) -> Sandbox | Ended | None:
        living = (sandbox for sandbox in self._sandboxes.values() if sandbox.key == key)
        return next(living, self._ended.get(key))

    def layers_of(self, template: str) -> tuple[str, ...]:
        """What a sandbox from this template or snapshot stands on, above the base."""
        if base := _TEMPLATE.fullmatch(template):
            _check_size(template, int(base["cores"] or 0), int(base["mebibytes"] or 0))
            return ()
        if template not in self._snapshots:
            raise NotFound(f"template {template!r} not found")
        return self._snapshots[template].layers

    def keep(self, record: Sandbox | Snapshot) -> None:
        self._store.save(record)
        if isinstance(record, Sandbox):
            self._sandboxes[record.id] = record
        else:
            before = self._snapshots.get(record.id)
            self._snapshots[record.id] = record
            self._discard_unreferenced(before.layers if before else ())

    def forget_sandbox(self, sandbox: Sandbox) -> None:
        """Its files go, too. How it was created stays known, for a request that comes again."""
        if sandbox.key is not None and sandbox.fingerprint is not None:
            ended = Ended(
                key=sandbox.key,
                fingerprint=sandbox.fingerprint,
                id=sandbox.id,
                template=sandbox.template,
                access_token=sandbox.access_token,
            )
            self._store.save(ended)
            self._ended[ended.key] = ended
        del self._sandboxes[sandbox.id]
        self._store.discard(self._store.home(sandbox.id))
        self._discard_unreferenced(sandbox.layers)

    def undo(self, sandbox: Sandbox) -> None:
        """It never came up: as if it had not been asked for."""
        self._sandboxes.pop(sandbox.id, None)
        self._store.discard(self._store.home(sandbox.id))

    def forget_snapshot(self, snapshot_id: str, runs: Callable[[str], bool]) -> None:
        """Its files stay while a sandbox or another snapshot stands on them."""
        if snapshot_id not in self._snapshots:
            raise NotFound(f"template {snapshot_id!r} not found")
        if any(one.template == snapshot_id and not runs(one.id) for one in self.sandboxes):
            message = f"cannot delete template {snapshot_id!r}"
            raise Malformed(f"{message} because there are paused sandboxes using it")
        snapshot = self._snapshots.pop(snapshot_id)
        self._store.remove_snapshot(snapshot)
        self._discard_unreferenced(snapshot.layers)

    def _discard_unreferenced(self, layers: Iterable[str]) -> None:
        for layer in unreferenced(layers, self.sandboxes, self.snapshots):
            self._store.discard(self._store.layer(layer))


def _check_size(template: str, cores: int, mebibytes: int) -> None:
    there = os.cpu_count() or 1
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
    if cores > there or mebibytes > memory:
        message = f"this machine has {there} cores and {memory} MiB"
        raise NotFound(f"template {template!r} not found: {message}")
