"""The layers that the functions stand on; each is rebuilt only when what it is made from changes.

    dependencies   the `runtime` group               every function
    sandboxes      the `sandboxes` group: E2B's SDK  where sandboxes are made (slow to import)
    shared         our own package                   every function

They unpack to `/opt/python`, which Lambda has on `sys.path`: a module has the same name there and
here.
"""

from pathlib import Path

from layers import packages
from layers.artifact import BUILD, ROOT, copy_package, fingerprint, make

LAYERS = BUILD / "layers"
SHARED = ROOT / "shared"

_HOW = (ROOT / "layers" / "packages.py", ROOT / "layers" / "build.py")
_PINS = (packages.LOCK, packages.PROJECT, *_HOW)


def dependencies() -> Path:
    return _third_party("dependencies", "runtime")


def sandboxes() -> Path:
    return _third_party("sandboxes", "sandboxes")


def shared() -> Path:
    target = LAYERS / "shared"
    ours = (part for part in SHARED.iterdir() if part.name != "client")
    make(target, fingerprint((*ours, *_HOW)), _copy_shared)
    return target


def _third_party(name: str, group: str) -> Path:
    target = LAYERS / name
    made_from = fingerprint(_PINS, group)
    make(target, made_from, lambda draft: packages.install_for_lambda(group, draft))
    return target


def _copy_shared(draft: Path) -> None:
    package = draft / "python" / "shared"
    copy_package(SHARED, package, without=("client",))
    packages.compile_all(draft / "python", shown_as="/opt/python")
