"""What all sandboxes of this host share: where things are, whose they are, a made-up `/etc`."""

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from infra.local.sandbox_host import inside
from infra.local.sandbox_host.store import BASE, Store
from infra.local.sandbox_host.visible import outside_paths

MARK = "OUTBOARD_SANDBOX_OF"
"""In the environment of every process of every sandbox: whose it is, so that it can be found."""

TEMPLATE = "/opt/outboard"
USER, HOME = "user", "/home/user"

_UID = 61_500
"""Inside. As root the host's, too: nobody's on a usual system, so a sandbox is nobody outside."""

_PROFILE = """\
export PATH="${OUTBOARD_ROOT:-}/opt/outboard/bin:/usr/local/bin:/usr/bin:/bin"
"""


@dataclass(frozen=True, slots=True)
class Machine:
    store: Store
    template: Path
    mark: str
    """Of this state directory, random: what a sandbox may know about where its files are."""
    interpreter: Path
    outside: tuple[Path, ...]

    @property
    def uid(self) -> int:
        return _UID

    @property
    def as_root(self) -> bool:
        return os.geteuid() == 0

    @property
    def etc(self) -> Path:
        return self.store.root / "etc"

    @property
    def inside(self) -> Path:
        """Where the first process imports itself from: the package's own path, and nothing else."""
        return self.store.root / "inside"


def prepare(store: Store, template: Path, mark: str) -> Machine:
    """Raises UnfitTemplate, or OSError where the state directory can't be written."""
    interpreter = Path(sys.executable).resolve()
    private = (Path.home().resolve(), store.root)
    machine = Machine(
        store, template, mark, interpreter, outside_paths(template, interpreter, private)
    )
    _make_inside(machine.inside)
    _make_etc(machine.etc, machine.uid)
    if not store.layer(BASE).exists():
        _make_base(store.layer(BASE), owner=machine.uid if machine.as_root else None)
    return machine


def _make_inside(target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    package = target.joinpath(*inside.__name__.split("."))
    source = Path(inside.__path__[0])
    shutil.copytree(source, package, ignore=shutil.ignore_patterns("__pycache__"))
    _open_to_all(target)


def _make_etc(etc: Path, uid: int) -> None:
    """Made up, but for the parts bound over it at each boot (`BOUND_ETC`)."""
    shutil.rmtree(etc, ignore_errors=True)
    etc.mkdir()
    texts = {
        "passwd": f"root:x:0:0:root:/root:/bin/sh\n{USER}:x:{uid}:{uid}::{HOME}:/bin/bash\n",
        "group": f"root:x:0:\n{USER}:x:{uid}:\n",
        "hosts": f"{_text('/etc/hosts')}\n127.0.0.1 sandbox\n",
        "hostname": "sandbox\n",
        "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
        "profile": _PROFILE,
    }
    for name, text in texts.items():
        (etc / name).write_text(text)
    for name in BOUND_ETC:
        place = etc / name
        place.mkdir() if Path("/etc", name).is_dir() else place.touch()
    _open_to_all(etc)


BOUND_ETC = tuple(
    name
    for name in (
        "alternatives",
        "ca-certificates",
        "ld.so.cache",
        "localtime",
        "pki",
        "resolv.conf",
        "ssl",
    )
    if Path("/etc", name).exists()
)
"""Of the machine's own `/etc`: names, certificates, and what its `/usr` leads through."""


def _make_base(base: Path, owner: int | None) -> None:
    """The files that a sandbox from the template begins with."""
    aside = base.with_name(f".{BASE}")
    shutil.rmtree(aside, ignore_errors=True)
    for name in ("home/user", "workspace", "var/cache", "var/lib", "var/log", "var/tmp"):
        (aside / name).mkdir(parents=True)
    (aside / "var/tmp").chmod(0o1777)
    # A login shell of plain mode reads the machine's /etc/profile, which sets its own PATH.
    (aside / "home/user/.profile").write_text(_PROFILE)
    if owner is not None:
        for path in (aside, *aside.rglob("*")):
            os.chown(path, owner, owner)
    aside.rename(base)


def _text(path: str) -> str:
    return Path(path).read_text() if Path(path).exists() else ""


def _open_to_all(root: Path) -> None:
    """Whatever the umask: as root, sandboxes are another user."""
    for path in (root, *root.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
