"""A sandbox's files before it boots: laid out anew, made to fit how it runs, and copied."""

from dataclasses import replace

from infra.local.sandbox_host.isolation import Isolation, Place, overlays
from infra.local.sandbox_host.layers import CopyFailed, copy, flatten
from infra.local.sandbox_host.records import Sandbox
from infra.local.sandbox_host.store import BASE, Store

_MOST_LAYERS = 32
"""Above, a new sandbox gets a plain copy: the kernel stacks only so many."""


def place(store: Store, sandbox: Sandbox) -> Place:
    return Place(sandbox.id, store.home(sandbox.id), sandbox.layers)


def lay_out(store: Store, sandbox: Sandbox, isolation: Isolation) -> Sandbox:
    """Where nothing can be overlaid, what it stands on is copied. Raises CopyFailed or OSError."""
    stands = overlays(isolation) and len(sandbox.layers) <= _MOST_LAYERS
    lay_out_files(store, place(store, sandbox), empty=stands)
    layers = sandbox.layers if stands else ()
    return replace(sandbox, layers=layers, overlaid=overlays(isolation))


def lay_out_files(store: Store, place: Place, *, empty: bool) -> None:
    place.home.mkdir()
    if empty:
        place.files.mkdir()
    else:
        flatten([store.layer(name) for name in (BASE, *place.layers)], place.files)


def adapt(store: Store, sandbox: Sandbox, isolation: Isolation) -> Sandbox:
    """This host may run today without the overlays of yesterday, and the other way round."""
    if sandbox.overlaid and not overlays(isolation):
        home = store.home(sandbox.id)
        layers = [store.layer(name) for name in (BASE, *sandbox.layers)]
        store.discard(home / "flat")
        flatten([*layers, home / "files"], home / "flat")
        store.discard(home / "files")
        (home / "flat").rename(home / "files")
        return replace(sandbox, layers=(), overlaid=False)
    return replace(sandbox, overlaid=overlays(isolation))


def copy_files(store: Store, sandbox: Sandbox, layer: str) -> None:
    """Nobody may write to them meanwhile. Raises CopyFailed, leaving no layer."""
    aside = store.layer(f".{layer}")
    try:
        copy(store.home(sandbox.id) / "files", aside)
    except CopyFailed:
        store.discard(aside)
        raise
    aside.rename(store.layer(layer))
