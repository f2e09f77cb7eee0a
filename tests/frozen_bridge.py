"""The local sandboxes' template with a bridge of long ago in place of today's.

Interpreter, packages and agents are today's: on one machine a sandbox sees those of its host.
"""

import os
import shutil
import tarfile
from pathlib import Path

from infra.local import sandbox_template
from layers import packages
from layers.artifact import BUILD, fingerprint, make

PROTOCOL_1 = Path(__file__).parent / "fixtures" / "bridge-protocol-1.tar.xz"

_OURS = ("sandbox_bridge", "shared")


def template(bridge: Path = PROTOCOL_1) -> Path:
    """Made from today's, which is built if need be; of links, so it takes no space."""
    today = sandbox_template.built()
    target = BUILD / f"local-template-with-{bridge.name.partition('.')[0]}"
    mark = today.with_name(f"{today.name}.made-from").read_text()
    make(target, fingerprint((bridge, Path(__file__)), mark), lambda draft: _swap(draft, bridge))
    return target


def _swap(draft: Path, bridge: Path) -> None:
    shutil.copytree(
        sandbox_template.TEMPLATE,
        draft,
        symlinks=True,
        copy_function=os.link,
        ignore=shutil.ignore_patterns(*_OURS),
        dirs_exist_ok=True,
    )
    (site,) = draft.glob("python/lib/python3*/site-packages")
    with tarfile.open(bridge) as archive:
        archive.extractall(site, filter="data")
    for name in _OURS:
        packages.compile_all(
            site / name, shown_as=f"/opt/outboard/{site.relative_to(draft)}/{name}"
        )
