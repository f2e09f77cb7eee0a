import asyncio
from pathlib import Path

import pytest

from sandbox_bridge.git.checkout import Checkout
from sandbox_bridge.git.clone import clone
from tests.sandbox_bridge.repositories import Remote, checkout, spec


@pytest.fixture
def here(tmp_path: Path, remote: Remote) -> Checkout:
    """A fresh clone of the remote."""
    cloned = checkout(tmp_path / "workspace", remote.url)
    asyncio.run(clone(cloned, spec(remote.url)))
    return cloned
