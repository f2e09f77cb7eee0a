"""A small client, built: as many kinds of files as the real one has, and none of its size."""

from pathlib import Path

BUILT = Path(__file__).parent / "fixtures" / "web"
