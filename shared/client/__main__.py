"""`python -m shared.client` is `outboard`.

The words are understood before anything else is loaded, so that `--help` is there at once.
"""

import sys
from importlib import import_module

from shared.client.arguments import parser

if __name__ == "__main__":
    arguments = parser().parse_args()
    sys.exit(import_module("shared.client.cli").main(arguments))
