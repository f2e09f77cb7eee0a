"""A sandbox's files before it boots: laid out anew, made to fit how it runs today, and copied.

As root, files are the sandboxes' user's, and in plain mode, where a sandbox is root itself, root's:
neither could work with the other's. Layers are always the former.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from infra.local.sandbox_host.isolation import Place, overlays
from infra.local.sandbox_host.layers import CopyFailed, copy, flatten, give
from infra.local.sandbox_host.machine import Machine
from infra.local.sandbox_host.records import Isolation, Sandbox
from infra.local.sandbox_host.store import BASE

_MOST_LAYERS = 32
"""Above, a new sandbox gets a plain copy: the kernel stacks only so many."""


@dataclass(frozen=True, slots=True)
class Groundwork:
    machine: Machine
    isolation: Isolation

    def place(self, sandbox: Sandbox) -> Place:
        return Place(sandbox.id, self.machine.store.home(sandbox.id), sandbox.layers)

    def lay_out(self, sandbox: Sandbox) -> Sandbox:
        """Where nothing is overlaid, what it stands on is copied. Raises CopyFailed or OSError."""
        stands = overlays(self.isolation) and len(sandbox.layers) <= _MOST_LAYERS
        self.lay_out_files(self.place(sandbox), empty=stands)
        layers = sandbox.layers if stands else ()
        return replace(sandbox, layers=layers, isolation=self.isolation)

    def lay_out_files(self, place: Place, *, empty: bool) -> None:
        place.home.mkdir()
        if empty:
            place.files.mkdir()
        else:
            self._flatten(place)

    def adapt(self, sandbox: Sandbox) -> Sandbox:
        """The machine may allow today what it did not yesterday, and the other way round.

        To be settled when what this returns has been saved; until then it can be done again.
        """
        place, was = self.place(sandbox), sandbox.isolation
        self._undo_half_a_change(place, was)
        if overlays(was) and not overlays(self.isolation):
            place.files.rename(_aside(place))
            self._flatten(place, _aside(place))
            return replace(sandbox, layers=(), isolation=self.isolation)
        if was != self.isolation and "plain" in (was, self.isolation):
            self._give(place.files, self.isolation)
        return replace(sandbox, isolation=self.isolation)

    def settle(self, sandbox: Sandbox) -> None:
        self.machine.store.discard(_aside(self.place(sandbox)))

    def copy_files(self, sandbox: Sandbox, layer: str) -> None:
        """Nobody may write to them meanwhile. Raises CopyFailed, leaving no layer."""
        store = self.machine.store
        aside = store.layer(f".{layer}")
        try:
            copy(self.place(sandbox).files, aside)
        except CopyFailed:
            store.discard(aside)
            raise
        if self.isolation == "plain":
            self._give(aside, "bubblewrap")
        aside.rename(store.layer(layer))

    def _undo_half_a_change(self, place: Place, was: Isolation) -> None:
        if _aside(place).exists() and overlays(was):
            self.machine.store.discard(place.files)
            _aside(place).rename(place.files)
        self.machine.store.discard(_aside(place))

    def _flatten(self, place: Place, *above: Path) -> None:
        layers = (self.machine.store.layer(name) for name in (BASE, *place.layers))
        flatten([*layers, *above], place.files)
        if self.isolation == "plain":
            self._give(place.files, "plain")

    def _give(self, tree: Path, isolation: Isolation) -> None:
        if self.machine.as_root:
            give(tree, 0 if isolation == "plain" else self.machine.uid)


def _aside(place: Place) -> Path:
    return place.home / "overlaid"
