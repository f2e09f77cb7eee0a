"""The CDK app: `python -m infra.app` writes the cloud assembly that AWS and one machine deploy."""

import argparse
import sys
from pathlib import Path

from aws_cdk import App

from infra import names, sources, stack
from layers.packages import BuildFailed


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m infra.app", description=__doc__)
    arguments.add_argument("--out", help="the cloud assembly's directory; else $CDK_OUTDIR")
    arguments.add_argument(
        "--for-this-machine",
        action="store_true",
        help="leave the layers empty: there functions import from the checkout",
    )
    given = arguments.parse_args()
    try:
        layers = sources.for_this_machine() if given.for_this_machine else sources.for_lambda()
        synthesize(layers, sources.pages(), given.out)
    except (BuildFailed, sources.NoSuchFunction, sources.UnfitClient) as failure:
        sys.exit(f"outboard: {failure}")


def synthesize(layers: sources.LayerSources, pages: Path, out: str | None) -> None:
    app = App(outdir=out, analytics_reporting=False, tree_metadata=False)
    stack.ControlPlane(app, names.STACK, layers=layers, pages=pages)
    app.synth()


if __name__ == "__main__":
    main()
