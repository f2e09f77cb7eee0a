"""`python -m infra.local.demo_model --port P` serves the scripted model until told to stop."""

import argparse
import sys

from infra.local.demo_model import server
from infra.local.demo_model.app import application


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m infra.local.demo_model")
    arguments.add_argument("--port", type=int, default=0, help="0 takes a free one")
    arguments.add_argument("--record", action="store_true", help="keep requests at /_requests")
    given = arguments.parse_args()
    try:
        bound = server.listen(given.port)
    except OSError as error:
        sys.exit(f"demo model: port {given.port} is not free: {error.strerror}")
    print(f"demo model listening on {server.address(bound)}", flush=True)  # noqa: T201 - the owner waits for this line
    server.run_until_told(application(recording=given.record), bound)


if __name__ == "__main__":
    main()
