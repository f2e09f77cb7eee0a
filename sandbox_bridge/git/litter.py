"""What an agent's work leaves behind that nobody wants in a commit, whatever .gitignore says.

It holds for new files only: a repository that tracks its dependencies has them committed.
"""

import posixpath
from collections.abc import Iterable
from typing import Final

PATTERNS: Final = (
    # bytecode
    "__pycache__/",
    "*.py[cod]",
    "*.class",
    # caches
    ".cache/",
    ".eggs/",
    ".gradle/",
    ".hypothesis/",
    ".import_linter_cache/",
    ".mypy_cache/",
    ".nox/",
    ".npm/",
    ".nyc_output/",
    ".parcel-cache/",
    ".pnpm-store/",
    ".pytest_cache/",
    ".ruff_cache/",
    ".terraform/",
    ".tox/",
    ".turbo/",
    "*.egg-info/",
    # dependencies
    ".bundle/",
    ".venv/",
    "bower_components/",
    "node_modules/",
    "venv/",
    "vendor/bundle/",
    # what desktops and editors leave
    ".DS_Store",
    "*.swp",
    "Thumbs.db",
)

_MARKS: Final = frozenset({b"CACHEDIR.TAG", b"pyvenv.cfg"})
"""A directory with one of these says itself that it is a cache or a virtual environment: Cargo's
`target/` for one, which is a name that others give to their sources."""


def without_marked(paths: Iterable[bytes]) -> list[bytes]:
    """Leaves out what is in a directory that is marked as a cache."""
    listed = list(paths)
    marked = {posixpath.dirname(path) for path in listed if posixpath.basename(path) in _MARKS}
    prefixes = tuple(directory + b"/" for directory in marked if directory)
    return [path for path in listed if not path.startswith(prefixes)]
