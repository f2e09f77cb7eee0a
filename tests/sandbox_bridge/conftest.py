from pathlib import Path

import pytest

from tests.sandbox_bridge.repositories import Remote


@pytest.fixture
def remote(tmp_path: Path) -> Remote:
    return Remote(tmp_path / "remote", {"a.txt": "one\n", ".gitignore": "*.log\n"})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Where a sandbox's files are."""
    return tmp_path / "root"
