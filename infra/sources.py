"""Where the template's code comes from: a staged folder for each function, and the layers.

The client's build is in `.build/web`, where `make client` puts it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from layers import build
from layers.artifact import BUILD, ROOT, copy_package, fingerprint, make

_NOTE = "On one machine nothing is imported from layers; `make synth` builds them for Lambda.\n"


WEB = BUILD / "web"
STATIC = "static"
_NOT_DEPLOYED = ("client", STATIC)
"""The source of the pages, with all of its packages; and what only a deployment has there."""

LARGEST = 4 * 2**20
"""Of a file that is served: Lambda answers with 6 MB, and base64 takes a third of it."""


class NoSuchFunction(Exception):
    """The template names a function that has no folder."""


class UnfitClient(Exception):
    """The browser client is not built, or can't be served as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerSources:
    """A directory for each layer."""

    dependencies: Path
    sandboxes: Path
    shared: Path


def for_lambda() -> LayerSources:
    return LayerSources(
        dependencies=build.dependencies(),
        sandboxes=build.sandboxes(),
        shared=build.shared(),
    )


def for_this_machine() -> LayerSources:
    """The same template. The local AWS host has functions import from the checkout and from the
    packages of its own Python, so the layers hold a note in place of 100 MB.
    """
    note = _note()
    return LayerSources(dependencies=note, sandboxes=note, shared=note)


def staged(name: str) -> Path:
    """A directory in which `functions.<name>` is the folder's import name, as it is here."""
    sources = _sources(name)
    target = BUILD / "functions" / name
    make(target, fingerprint(sources), lambda draft: _copy(name, sources, draft))
    return target


def pages(build: Path = WEB, *, target: Path = BUILD / "functions" / "web") -> Path:
    """`functions.web` with the files of a build beside its handler. Raises `UnfitClient`."""
    if not (build / "index.html").is_file():
        raise UnfitClient("the browser client is not built: run make client first")
    for path in build.rglob("*"):
        if path.is_file() and path.stat().st_size > LARGEST:
            raise UnfitClient(f"{path.name} is too large to be served: {LARGEST} bytes is the most")
    sources = _sources("web")

    def copy(draft: Path) -> None:
        _copy("web", sources, draft)
        copy_package(build, draft / "functions" / "web" / STATIC)

    make(target, fingerprint((*sources, build)), copy)
    return target


def _sources(name: str) -> Sequence[Path]:
    source = ROOT / "functions" / name
    if not (source / "handler.py").is_file():
        raise NoSuchFunction(f"functions/{name}/handler.py is not there")
    deployed = (path for path in source.iterdir() if path.name not in _NOT_DEPLOYED)
    return (*sorted(deployed), ROOT / "functions" / "__init__.py")


def _copy(name: str, sources: Sequence[Path], draft: Path) -> None:
    copy_package(ROOT / "functions" / name, draft / "functions" / name, without=_NOT_DEPLOYED)
    package = sources[-1]
    (draft / "functions" / package.name).write_bytes(package.read_bytes())


def _note() -> Path:
    target = BUILD / "layers" / "of-this-machine"

    def write(draft: Path) -> None:
        (draft / "python").mkdir()
        (draft / "python" / "README").write_text(_NOTE)

    make(target, _NOTE, write)
    return target
