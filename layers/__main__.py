"""`python -m layers` builds every layer that is not up to date, and says where they are."""

import sys

from layers.build import LAYERS, dependencies, sandboxes, shared
from layers.packages import BuildFailed


def main() -> None:
    try:
        for build in (dependencies, sandboxes, shared):
            build()
    except BuildFailed as failure:
        sys.exit(f"outboard: {failure}")
    sys.stdout.write(f"outboard: the layers are in {LAYERS}\n")


if __name__ == "__main__":
    main()
