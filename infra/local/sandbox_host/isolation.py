"""The three ways to fence a sandbox in, each as the command line of its first process.

    bubblewrap+overlay   own namespaces; files are an overlay on shared layers
    bubblewrap           own namespaces; files are a copy
    plain                a directory and no fence: for machines that allow nothing else

Which user: as root, sandboxes run as a uid that is nobody on this machine, with no capability;
as anybody else, as that user in a user namespace of one. The mounts are made in a namespace of the
sandbox, so they end with its last process and there is nothing to unmount.
"""

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from infra.local.sandbox_host.layers import KEPT
from infra.local.sandbox_host.machine import BOUND_ETC, HOME, MARK, TEMPLATE, USER, Machine
from infra.local.sandbox_host.records import Isolation
from infra.local.sandbox_host.store import BASE
from infra.local.sandbox_host.visible import SYSTEM

CHOICES: tuple[Isolation, ...] = ("bubblewrap+overlay", "bubblewrap", "plain")

TMP_BYTES, SHM_BYTES, RUN_BYTES = 4 << 30, 1 << 30, 64 << 20

_INSIDE = "/run/outboard"
_VOLATILE = ("dev", "opt", "run", "tmp")
_BEGIN = (
    "import sys; sys.path.insert(0, sys.argv.pop(1));"
    "from infra.local.sandbox_host.inside.init import main; main(sys.argv[1:])"
)
_MOUNT_THEN_RUN = 'mount -t overlay overlay -o "$1" "$2" && shift 2 && exec "$@"'


@dataclass(frozen=True, slots=True)
class Place:
    """Where one sandbox's files are, and what they stand on."""

    id: str
    home: Path
    layers: tuple[str, ...]

    @property
    def files(self) -> Path:
        return self.home / "files"


@dataclass(frozen=True, slots=True)
class Descriptors:
    """That the first process and bubblewrap inherit."""

    channel: int
    status: int


def overlays(isolation: Isolation) -> bool:
    return isolation == "bubblewrap+overlay"


def missing_program(isolation: Isolation) -> str | None:
    needed = {"bubblewrap+overlay": ("bwrap", "unshare", "mount"), "bubblewrap": ("bwrap",)}
    return next((name for name in needed.get(isolation, ()) if not shutil.which(name)), None)


def environment(
    isolation: Isolation, machine: Machine, place: Place, given: Mapping[str, str]
) -> dict[str, str]:
    """What every command has. Of the host's own environment nothing is passed on."""
    root = str(place.files) if isolation == "plain" else ""
    usual = {
        "PATH": f"{root}{TEMPLATE}/bin:/usr/local/bin:/usr/bin:/bin",
        "HOME": f"{root}{HOME}",
        "USER": USER,
        "LOGNAME": USER,
        "SHELL": "/bin/bash",
        "LANG": "C.UTF-8",
        "TMPDIR": f"{root}/tmp",  # noqa: S108 - the sandbox's own
    }
    fixed = {"OUTBOARD_ISOLATION": isolation, MARK: f"{machine.mark}.{place.id}"}
    return usual | dict(given) | fixed | ({"OUTBOARD_ROOT": root} if root else {})


def make_ready(isolation: Isolation, machine: Machine, place: Place) -> None:
    """Before each boot: what must not survive a pause is gone, what the mounts need is there."""
    if overlays(isolation):
        for name in ("work", "merged"):
            (place.home / name).mkdir(exist_ok=True)
    if isolation == "plain":
        for name in _VOLATILE:
            machine.store.discard(place.files / name)
        for name in ("dev/shm", "opt", "run", "tmp"):
            (place.files / name).mkdir(parents=True)
        (place.files / TEMPLATE.lstrip("/")).symlink_to(machine.template)


def command(
    isolation: Isolation, machine: Machine, place: Place, descriptors: Descriptors
) -> list[str]:
    match isolation:
        case "plain":
            return _first_process(machine, str(machine.inside), descriptors, str(place.files))
        case "bubblewrap":
            return _bubblewrap(machine, place.files, descriptors)
        case "bubblewrap+overlay":
            bubblewrap = _bubblewrap(machine, place.home / "merged", descriptors)
            return _in_overlay(machine, place, bubblewrap)


def _first_process(
    machine: Machine, inside: str, descriptors: Descriptors, seen_root: str
) -> list[str]:
    plain = seen_root != "/"
    template = str(machine.template) if plain else TEMPLATE
    uid = str(machine.uid) if machine.as_root and not plain else ""
    interpreter = [str(machine.interpreter), "-I", "-S", "-B", "-c", _BEGIN]
    return [*interpreter, inside, str(descriptors.channel), seen_root, template, uid]


def _bubblewrap(machine: Machine, files: Path, descriptors: Descriptors) -> list[str]:
    return [
        "bwrap",
        *_privileges(machine),
        *("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
        *("--hostname", "sandbox", "--die-with-parent", "--as-pid-1"),
        *("--info-fd", str(descriptors.status)),
        *_system(machine),
        *_memory(),
        *("--ro-bind", str(machine.inside), _INSIDE),
        *_shown({TEMPLATE: machine.template} | {str(path): path for path in machine.outside}),
        *chain.from_iterable(("--bind", str(files / name), f"/{name}") for name in KEPT),
        *("--remount-ro", "/", "--chdir", "/", "--"),
        *_first_process(machine, _INSIDE, descriptors, "/"),
    ]


def _privileges(machine: Machine) -> Sequence[str]:
    if machine.as_root:
        # Just enough for the first process to become somebody else; then none is left.
        return ("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
    uid = str(machine.uid)
    return ("--cap-drop", "ALL", "--unshare-user", "--uid", uid, "--gid", uid)


def _system(machine: Machine) -> Sequence[str]:
    shown = [(name, name) for name in SYSTEM if Path(name).exists()]
    shown.append((str(machine.etc), "/etc"))
    shown += [(os.path.realpath(f"/etc/{name}"), f"/etc/{name}") for name in BOUND_ETC]
    binds = chain.from_iterable(("--ro-bind", source, place) for source, place in shown)
    return (*binds, "--proc", "/proc", "--dev", "/dev")


def _memory() -> Sequence[str]:
    return (
        *("--size", str(SHM_BYTES), "--perms", "1777", "--tmpfs", "/dev/shm"),  # noqa: S108 - inside
        *("--size", str(TMP_BYTES), "--perms", "1777", "--tmpfs", "/tmp"),  # noqa: S108 - inside
        *("--size", str(RUN_BYTES), "--perms", "0755", "--tmpfs", "/run"),
    )


def _shown(sources: Mapping[str, Path]) -> Sequence[str]:
    """Parents are made first, because bubblewrap would make them for their owner alone."""
    arguments: list[str] = []
    for place, source in sources.items():
        for parent in reversed(Path(place).parents[:-1]):
            arguments += ("--perms", "0755", "--dir", str(parent))
        arguments += ("--ro-bind", str(source), place)
    return arguments


def _in_overlay(machine: Machine, place: Place, inner: Sequence[str]) -> list[str]:
    # Paths relative to the layers' directory, where this runs: the kernel takes 4 KB of options.
    lower = ":".join((*reversed(place.layers), BASE))
    home = f"../sandboxes/{place.id}"
    # Unprivileged overlays keep their marks in user.* attributes; as root the same, so that a
    # state directory reads the same whoever runs this.
    options = f"lowerdir={lower},upperdir={home}/files,workdir={home}/work,userxattr"
    user = () if machine.as_root else ("--user", "--map-root-user")
    return [
        *("unshare", *user, "--mount", "--propagation", "private", "--"),
        *("sh", "-c", _MOUNT_THEN_RUN, "sh", options, f"{home}/merged", *inner),
    ]
