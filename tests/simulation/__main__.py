"""`python -m tests.simulation --seeds 1000-1300`: the last line says what was tried and found."""

import argparse
import sys

from tests.simulation.run import STEPS, Tally, one, run


def main() -> int:
    asked = _arguments()
    first, _, last = asked.seeds.partition("-")
    seeds = range(int(first), int(last or first) + 1)
    if asked.trace:
        return _replay(seeds, asked.steps)
    return _verdict(run(seeds, asked.steps, say=_say))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", default="1000-1300", help="the first and the last one")
    parser.add_argument("--steps", type=int, default=STEPS, help="of trouble, before peace")
    parser.add_argument("--trace", action="store_true", help="tell the whole story")
    return parser.parse_args()


def _replay(seeds: range, steps: int) -> int:
    tally = Tally()
    for seed in seeds:
        _say(f"seed {seed}")
        told = one(seed, steps, heard=_say)
        tally.add(told)
        if told.violation is not None:
            _say(f"seed {seed}, {told.violation}")
    return _verdict(tally)


def _verdict(tally: Tally) -> int:
    rare = tally.rare()
    if rare:
        _say(f"hardly ever tried: {', '.join(rare)}")
    _say(tally.line())
    return 1 if tally.violations or rare else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
