"""Where the template's code comes from: a staged folder for each function, and the layers."""

from dataclasses import dataclass
from pathlib import Path

from layers import build
from layers.artifact import BUILD, ROOT, copy_package, fingerprint, make

_NOTE = "On one machine nothing is imported from layers; `make synth` builds them for Lambda.\n"


class NoSuchFunction(Exception):
    """The template names a function that has no folder."""


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
    source = ROOT / "functions" / name
    if not (source / "handler.py").is_file():
        raise NoSuchFunction(f"functions/{name}/handler.py is not there")
    package = ROOT / "functions" / "__init__.py"
    target = BUILD / "functions" / name

    def copy(draft: Path) -> None:
        copy_package(source, draft / "functions" / name)
        (draft / "functions" / "__init__.py").write_bytes(package.read_bytes())

    make(target, fingerprint((source, package)), copy)
    return target


def _note() -> Path:
    target = BUILD / "layers" / "of-this-machine"

    def write(draft: Path) -> None:
        (draft / "python").mkdir()
        (draft / "python" / "README").write_text(_NOTE)

    make(target, _NOTE, write)
    return target
