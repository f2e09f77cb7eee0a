"""What was frozen is a bridge of the protocol that it is named after, and nothing else."""

import tarfile

from tests.frozen_bridge import PROTOCOL_1


def test_the_first_protocols_bridge_is_whole_and_clean():
    with tarfile.open(PROTOCOL_1) as archive:
        names = [member.name for member in archive if member.isfile()]
        wire = archive.extractfile("shared/protocol/bridge.py")
        assert wire is not None
        said = wire.read().decode()

    assert "PROTOCOL = 1\n" in said
    assert "sandbox_bridge/__main__.py" in names
    roots = {tuple(name.split("/")[:2]) for name in names if name.startswith("shared/")}
    assert {root[1] for root in roots} == {"__init__.py", "domain", "protocol"}
    assert {name.partition("/")[0] for name in names} == {"sandbox_bridge", "shared"}
    assert not any(name.endswith(".pyc") for name in names)
